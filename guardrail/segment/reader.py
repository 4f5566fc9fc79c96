"""From sentences as delivered to sentences as they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from guardrail.segment.boundary import ABBREVIATIONS
from guardrail.segment.characters import seen
from guardrail.segment.code import Code, Piece
from guardrail.segment.lead_ins import without_lead_in
from guardrail.segment.machine import segment
from guardrail.segment.markup import unmarked
from guardrail.segment.pairs import JOINT, PAIR, below, singular, told
from guardrail.segment.placing import AsRead
from guardrail.segment.pointers import without_pointers
from guardrail.segment.spelling import rejoined, written_out
from guardrail.segment.view import Edit, View
from guardrail.types import BlockKind, Sentence, Span

__all__ = ["SentenceReader", "readable"]

_WORD = re.compile(r"\w")
_TOLD = frozenset({BlockKind.PROSE, BlockKind.ITEM, BlockKind.QUOTE})  # blocks of sentences
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[nrtbf])")
_WRAP = re.compile(r"[ \t]*\r?\n[ \t]*(?:(?:>|//+|#+|--+|;+|%+|\*+(?!/))[ \t>]*)?")
_MARKER = re.compile(r"(?<=\n)[ \t]*(?:>|//+|#+|--+|;+|%+|\*+)(?=[ \t])")  # of a comment's further lines
_ROW = re.compile(r"[^,;:\t\n]{1,60}(?:[,;\t][^,;:\t\n]{1,60}){1,12}")
_PAIRED = (BlockKind.PROSE, BlockKind.ITEM, BlockKind.QUOTE)
_RUN_ON = re.compile(
    r"\b([a-z0-9'’-]{2,40})(?:(?P<stop>)[ \t\n]+(?=(?:The|This|These|Those)\s+[a-z])"
    r"|(?P<full>[.!?])(?=(?:The|This|These|It|He|She|They|In|On|There|His|Her|However|But|And)\s))"
)
# In a text without capitals a full stop behind a word that is no abbreviation.
_SMALL_RUN_ON = re.compile(r"([a-z'’-]{2,40})(?P<full>[.!?])(?P<stop>)\s+(?=[a-z])")
_TAIL = re.compile(r"(?<=[a-z0-9])\s(?=The\s)")
_PROPERTY_OF = re.compile(
    r"(?!.*\b(?:is|are|was|were)\b)(?:The )?(?P<name>[A-Za-z]\w{2,20}(?: [a-z]+){0,4} of (?:the )?[A-Z][\w.'’-]*(?: [\w.'’-]+){0,4}?)\s*:?"
)
_ALONE = re.compile(r"[:\s–—-]*(?P<name>(?:[A-Z]|\d)[\w.'’-]*?(?: [\w.'’-]+?){0,5})\.?")
_BEHIND_TAG = re.compile(r"(?P<tag>(?:<|&lt;)/?[A-Za-z][^<>&\n]{0,80}(?:>|&gt;))[^\w<>&\n]{1,6}(?=[A-Z])")
_LONGEST_VALUE = 160
_GOES_ON = frozenset(
    "of the an in on at by to for from with into and or is was are were as that than its their called titled".split()
)


def readable(text: str) -> View:
    """What a person reads of `text`; where no word is left, the text as it stands."""
    return _cleared(View.of(text))


def _cleared(view: View) -> View:
    clear = written_out(_unadorned(view))
    return clear if _WORD.search(clear.text) else view


def _unadorned(view: View) -> View:
    """Without markup and pointers to sources, in the characters that a person sees."""
    return seen(without_pointers(unmarked(view))).cut()


class SentenceReader:
    """One text, sentence by sentence, in order."""

    def __init__(self) -> None:
        self._code = Code()
        self._columns: Sequence[str] = ()  # of the line above, if it may be the head of a table
        self._above = ""  # the line above, if it names a property of something

    def read(self, sentence: Sentence) -> list[list[AsRead]]:
        """What is to be read of a sentence, in order: for each part its readings.

        Of several readings the first one that states something counts; where none does, the first one.
        """
        above, self._above = self._above, ""
        if sentence.kind is BlockKind.CODE:
            return self._said_in(sentence)
        self._code = Code()
        if sentence.kind not in _PAIRED:
            return [[_plain(sentence)]]
        lines = sentence.text.split("\n")
        if len(lines) > 1 and all(map(PAIR.fullmatch, lines)):
            return self._said_in(sentence)
        if cells := self._cells(sentence):
            return cells
        self._above = _leading(sentence.text)
        return [
            [_plain(part), *_whole(part), *_paired(part), *_below(above, part), *_tail(part)]
            for piece in _behind_tags(sentence)
            for part in _run_on(piece)
        ]

    def _said_in(self, sentence: Sentence) -> list[list[AsRead]]:
        found = [
            readings for piece in self._code.pieces(sentence.text) for readings in _readings(sentence, piece)
        ]
        return found or [[_plain(sentence)]]

    def _cells(self, sentence: Sentence) -> list[list[AsRead]]:
        """The cells of a row below a line of as many: "Country,Capital" above "Australia,Sydney"."""
        columns, self._columns = self._columns, ()
        listed = sentence.kind is BlockKind.ITEM
        if listed or not _ROW.fullmatch(sentence.text) or sentence.text.endswith("."):
            return []
        cells = [Span(*match.span()) for match in re.finditer(r"[^,;\t]+", sentence.text)]
        words = [cell.of(sentence.text).strip().strip('"') for cell in cells]
        self._columns = columns if len(columns) == len(words) else words
        if len(columns) != len(words):
            return []
        pieces = [
            Piece(cell, None, (words[0],), column)
            for cell, column in zip(cells[1:], columns[1:], strict=True)
        ]
        return [readings for piece in pieces for readings in _readings(sentence, piece)]


def _run_on(sentence: Sentence) -> Iterator[Sentence]:
    """The sentences in one that was written without a full stop or a blank between them."""
    at = 0
    small = not any(map(str.isupper, sentence.text))
    for match in (_SMALL_RUN_ON if small else _RUN_ON).finditer(sentence.text):
        if match[1].lower() not in (ABBREVIATIONS if match["full"] else _GOES_ON):
            yield _part(sentence, at, match.end("stop" if match["full"] is None else "full"))
            at = match.end()
    yield _part(sentence, at, len(sentence.text))


def _behind_tags(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence apart from the tags before it, where they are shown as they stand and so part of no sentence."""
    at = 0
    for tag in _BEHIND_TAG.finditer(sentence.text):
        if "<" in readable(f"a{tag['tag']}a").text:  # shown, not markup
            yield _part(sentence, at, tag.end())
            at = tag.end()
    yield _part(sentence, at, len(sentence.text))


def _whole(sentence: Sentence) -> Iterator[AsRead]:
    """A sentence with its words whole that are cut at the end of a line."""
    view = View.of(sentence.text)
    if (found := rejoined(view)) is not view:
        yield AsRead.of(sentence, _cleared(found), sentence.kind)


def _leading(text: str) -> str:
    """The words of a line that names a property of something, "Capital of Canada:"; "" for any other."""
    found = _PROPERTY_OF.fullmatch(readable(text).text) if len(text) < _LONGEST_VALUE else None
    several = found is not None and re.match(r"[^\n]*?[^s]s of ", found["name"])  # of them a list follows
    return found["name"] if found and not several else ""


def _below(above: str, sentence: Sentence) -> Iterator[AsRead]:
    """A name by itself, below a line that names a property."""
    if above and len(sentence.text) < _LONGEST_VALUE:
        view = _joined(sentence)
        if value := _ALONE.fullmatch(view.text):
            words = view.composed([f"The {above[:1].lower()}{above[1:]} is ", Span(*value.span("name")), "."])
            yield AsRead.of(sentence, words, BlockKind.HEADING)


def _tail(sentence: Sentence) -> Iterator[AsRead]:
    """A sentence behind words in small letters that are none: "some text The Nile is …"."""
    if sentence.text[:1].islower() and (tail := _TAIL.search(sentence.text)):
        view = View.of(sentence.text).composed([Span(tail.end(), len(sentence.text))])
        yield AsRead.of(sentence, _cleared(view), sentence.kind)


def _part(sentence: Sentence, start: int, end: int) -> Sentence:
    if (start, end) == (0, len(sentence.text)):
        return sentence
    place = Span(start, end).shift(sentence.span.start)
    return replace(sentence, span=place, text=sentence.text[start:end])


def _plain(sentence: Sentence) -> AsRead:
    view = View.of(sentence.text) if sentence.kind is BlockKind.CODE else _joined(sentence)
    header = tuple(readable(cell).text for cell in sentence.header)
    return AsRead.of(sentence, view, sentence.kind, _heading(sentence), header)


def _heading(sentence: Sentence) -> str:
    return readable(sentence.heading).text if sentence.heading else ""


def _joined(sentence: Sentence) -> View:
    """The words of a sentence; in a quotation without the marks of its further lines."""
    view = View.of(sentence.text)
    if sentence.kind is BlockKind.QUOTE:
        view = _unwrapped(view)
    return without_lead_in(_cleared(view)) if sentence.kind in _TOLD else _cleared(view)


def _unwrapped(view: View) -> View:
    return view.edited(Edit(match.start(), match.end(), " ") for match in _WRAP.finditer(view.text))


def _paired(sentence: Sentence) -> Iterator[AsRead]:
    """The readings of a line "Key: value"."""
    view = _joined(sentence)
    if sentence.header and sentence.kind is BlockKind.PROSE:  # the value of a key in JSON
        name, *above = [*sentence.header, sentence.heading]
        for words in _tellings(view, name, tuple(dict.fromkeys(filter(None, above)))):
            yield AsRead.of(sentence, words, BlockKind.HEADING)
        return
    if pair := PAIR.fullmatch(view.text):
        spans = Span(*pair.span("key")), Span(*pair.span("value"))
        for found in told(view, *spans, list(filter(None, [_heading(sentence)]))):
            yield AsRead.of(sentence, found, BlockKind.HEADING)
    elif sentence.kind is BlockKind.ITEM and sentence.heading:
        for found in below(view, _heading(sentence)):
            yield AsRead.of(sentence, found, BlockKind.PROSE)


def _readings(sentence: Sentence, piece: Piece) -> Iterator[list[AsRead]]:
    """The readings of a piece, or of each of its sentences; the first one: that it is code."""
    start = sentence.span.start
    if piece.key is None and not piece.told:
        words = piece.span.of(sentence.text)
        for one in segment(_MARKER.sub(lambda match: " " * len(match[0]), words)):
            said = one.span.of(words)
            raw = Sentence(one.span.shift(piece.span.start + start), said, BlockKind.CODE, sentence.heading)
            clear = _cleared(_unwrapped(_unescaped(View.of(said))))
            yield [_plain(raw), AsRead.of(raw, clear, BlockKind.HEADING)]
        return
    raw = Sentence(piece.span.shift(start), piece.span.of(sentence.text), BlockKind.CODE, sentence.heading)
    view = _unescaped(View.of(raw.text))
    if piece.key is not None:
        key = piece.key.shift(-piece.span.start)
        value = Span(0, len(view.text))
        if pair := PAIR.fullmatch(view.text):
            key, value = Span(*pair.span("key")), Span(*pair.span("value"))
        views = told(view, key, value, piece.above)
    else:
        views = list(_tellings(_unadorned(view), piece.told, piece.above))
    yield [_plain(raw), *(AsRead.of(raw, seen(found), BlockKind.HEADING) for found in views)]


def _tellings(view: View, name: str, above: Sequence[str]) -> Iterator[View]:
    """The sentences that a value may stand for whose key stands elsewhere."""
    said = view.text.strip('"')
    at = view.text.find(said)
    if not name or len(said) > _LONGEST_VALUE:
        return
    for other in above:
        key = JOINT.sub(" ", name)
        yield view.composed([f"The {key[:1].lower()}{key[1:]} of {other} is ", Span(at, at + len(said)), "."])
        yield view.composed([f"The {singular(other)} of {name} is ", Span(at, at + len(said)), "."])


def _unescaped(view: View) -> View:
    return view.edited(
        Edit(match.start(), match.end(), chr(int(match[0][2:], 16)) if match[0][1] == "u" else " ")
        for match in _ESCAPE.finditer(view.text)
    )
