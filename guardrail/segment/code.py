"""What is said inside of code: sentences in comments, strings and bare lines; keys and values of data.

Code comes in stretches of some lines; what a later one needs of an earlier one (the open objects, the columns) is kept. A stretch
that says nothing has no pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from guardrail.segment.pairs import PAIR
from guardrail.types import Span

__all__ = ["Code", "Piece"]

_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*")
_LINE = re.compile(r"[^\n]+")
_DATA = frozenset("json json5 jsonc jsonl ndjson geojson".split())
_ROWS = frozenset("csv tsv psv".split())
_JSON = re.compile(
    r'"(?P<string>(?:[^"\\\n]|\\.)*)"(?P<key>[ \t]*:)?|(?P<mark>[{}\[\]])|(?P<word>[^\s{}\[\]:,"]+)'
)
_SAID = re.compile(
    r"""(?P<quotes>\"{3}|'{3})(?P<doc>(?:(?!(?P=quotes)).){0,2000})
      | /\*+(?P<block>(?:(?!\*/).){0,2000})
      | <!--(?P<hidden>(?:(?!-->).){0,2000})
      | "(?P<double>(?:[^"\\\n]|\\.)*)"
      | (?<![\w])'(?P<single>(?:[^'\\\n]|\\.)*)'(?!\w)
      | (?:(?<![:\w])//+|(?<![\w&])\#+|(?<![\w-])--+(?!-)|(?<!\S);+|(?<!\S)%+)[ \t!*/]*(?P<comment>[^\n]*(?:\n[ \t]*(?://+|\#+|--+|;+|%+)[ \t][^\n]*)*)
    """,
    re.VERBOSE | re.DOTALL,
)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w:.-]*)[^<>]{0,400}?(?P<empty>/?)>")
_OPENED = re.compile(r"[ \t-]*[\"']?([^\W\d_][^:=\n\"'(){}]{0,60}?)[\"']?[ \t]*:[ \t\r]*")
_SECTION = re.compile(r"[ \t]*\[{1,2}[ \t]*[\"']?([^\[\]\"'\n]{1,80})[\"']?[ \t]*\]{1,2}[ \t\r]*")
_WORDS = re.compile(r"[^\W\d_]{1,40}(?:[-'’&.*_\u00ad\u200b-\u200d\u2060]{1,3}[^\W\d_]{1,40}){0,8}")
_CODELIKE = re.compile(r"[{}=;|\\]|\w\(|\)\s*:|=>|->|::")
_CELL = re.compile(r'"(?:[^"\n]|"")*"|[^,;\t|\n"]+|(?<=[,;\t|])(?=[,;\t|])')


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of the text: a sentence, or with a `key` a value. `above`: what it stands below, the nearest first."""

    span: Span
    key: Span | None = None
    above: tuple[str, ...] = ()
    told: str = ""  # the key, where it stands elsewhere: the head of a column


@dataclass(slots=True)
class _Level:
    """An open object, element or indentation: its name, and the first value in it, which often names the thing."""

    indent: int
    name: str
    first: str = ""


@dataclass(slots=True)
class Code:
    """One block of code or data, in stretches."""

    language: str = ""
    _levels: list[_Level] = field(default_factory=lambda: [_Level(-1, "")])
    _key: str = ""
    _columns: tuple[str, ...] = ()

    def pieces(self, text: str) -> list[Piece]:
        """What is said in the next stretch, in order and disjoint."""
        start = 0
        if fence := _FENCE.match(text):
            start = fence.end()
            self.language = fence[1].lower()
            self._levels, self._key, self._columns = [_Level(-1, "")], "", ()
        body = text[start:].lstrip()
        if self.language in _DATA or (not self.language and body[:1] in ("{", "[") and '"' in body):
            self.language = self.language or "json"
            return list(self._json(text, start))
        if self.language in _ROWS:
            return [piece for line in _LINE.finditer(text, start) for piece in self._row(line)]
        if body[:1] == "<" or self.language in ("xml", "html", "svg", "rss"):
            return list(self._elements(text, start))
        return list(self._lines(text, start))

    # ── JSON ──────────────────────────────────────────────────────────────────────────────────────────

    def _json(self, text: str, start: int) -> Iterator[Piece]:
        key: Span | None = None
        for token in _JSON.finditer(text, start):
            mark, place = token["mark"], Span(*token.span("string" if token["string"] is not None else 0))
            words = place.of(text)
            if mark:
                self._open(mark)
                key = None
            elif token["key"]:
                key, self._key = place, words
                if natural(words):
                    yield Piece(place)
            else:
                yield from self._value(place, words, key)
                key = None

    def _open(self, mark: str) -> None:
        if mark in "{[":
            self._levels.append(_Level(0, self._key or self._levels[-1].name))
        else:
            self._leave()
        self._key = ""

    def _leave(self) -> None:
        """Closes the innermost level; what no level encloses is never closed."""
        if len(self._levels) > 1:
            self._levels.pop()

    def _value(self, place: Span, words: str, key: Span | None) -> Iterator[Piece]:
        level = self._levels[-1]
        if natural(words):
            yield Piece(place)
        elif key is not None and words:
            yield Piece(Span(key.start, place.end), key, self._above(level))
            level.first = level.first or words

    def _above(self, level: _Level) -> tuple[str, ...]:
        names = [level.first, *(one.name for one in reversed(self._levels))]
        return tuple(dict.fromkeys(name for name in names if name))[:2]

    # ── rows ──────────────────────────────────────────────────────────────────────────────────────────

    def _row(self, line: re.Match[str]) -> Iterator[Piece]:
        cells = [Span(*cell.span()) for cell in _CELL.finditer(line.string, line.start(), line.end())]
        words = [cell.of(line.string).strip(' \t\r"') for cell in cells]
        if not self._columns:
            self._columns = tuple(words)
            return
        for at, cell in enumerate(cells):
            if natural(words[at]):
                yield Piece(cell)
            elif at and at < len(self._columns) and len(cell):
                yield Piece(cell, None, (words[0],), self._columns[at])

    # ── elements ──────────────────────────────────────────────────────────────────────────────────────

    def _elements(self, text: str, start: int) -> Iterator[Piece]:
        opened, at = "", start
        for tag in _TAG.finditer(text, start):
            closed = opened if tag["end"] and tag["name"] == opened else ""
            yield from self._content(text, Span(at, tag.start()), closed)
            at, self._key = tag.end(), ""
            opens = not tag["end"] and not tag["empty"]
            if opens and opened:
                self._levels.append(_Level(0, opened))
            elif tag["end"] and not opened:
                self._leave()
            opened = tag["name"] if opens else ""
        yield from self._content(text, Span(at, len(text)))

    def _content(self, text: str, place: Span, name: str = "") -> Iterator[Piece]:
        """What stands between two tags: sentences, or the value of the element `name` that it fills."""
        words = place.of(text).strip()
        if natural(words) or "<!--" in words:
            yield from self._lines(text, place.start, place.end)
        elif name and words:
            level = self._levels[-1]
            yield Piece(place, None, self._above(level), name)
            level.first = level.first or words

    # ── lines ─────────────────────────────────────────────────────────────────────────────────────────

    def _lines(self, text: str, start: int, end: int | None = None) -> Iterator[Piece]:
        """Comments, strings, keys with values, sentences on lines of their own."""
        end = len(text) if end is None else end
        at = start
        while line := _LINE.search(text, at, end):
            at = line.end()
            if section := _SECTION.fullmatch(line[0]):
                self._levels = [_Level(-1, ""), _Level(0, section[1])]
            elif natural(line[0], bare=True):
                yield _trimmed(text, Span(*line.span()))
            elif pair := self._pair(line):
                yield from pair
            else:
                for said in _SAID.finditer(text, line.start(), end):
                    if said.start() >= line.end():
                        break
                    at = max(at, said.end())
                    yield from _sentence(text, said)

    def _pair(self, line: re.Match[str]) -> list[Piece]:
        """A line "key: value" or "key:", by its indentation; none for any other."""
        words = line[0]
        indent = len(words) - len(words.lstrip(" \t-"))
        if opened := _OPENED.fullmatch(words):
            self._indented(indent, opens=True)
            self._key = opened[1]
            return []
        pair = PAIR.fullmatch(words)
        if pair is None:
            return []
        self._indented(indent)
        if _CODELIKE.search(pair["value"]) or _CODELIKE.search(pair["key"]):
            return []
        key, value = (Span(*pair.span(name)).shift(line.start()) for name in ("key", "value"))
        level = self._levels[-1]
        above = self._above(level)
        level.first = level.first or pair["value"]
        if natural(pair["value"]):
            return [Piece(value)]
        return [Piece(Span(key.start, value.end), key, above)]

    def _indented(self, indent: int, *, opens: bool = False) -> None:
        """Closes the levels that are indented further; a line that is itself, or that `opens` one, begins a new level."""
        while len(self._levels) > 1 and self._levels[-1].indent > indent:
            self._levels.pop()
        if self._levels[-1].indent < indent or opens:
            self._levels.append(_Level(indent, self._key or self._levels[-1].name))
            self._key = ""


def natural(text: str, *, bare: bool = False) -> bool:
    """Whether words look like a sentence and not like code. `bare`: in the place of code."""
    words = _WORDS.findall(text)
    if len(words) < 3 or (bare and (_CODELIKE.search(text) or PAIR.fullmatch(text))):
        return False
    if bare and (text.lstrip()[:1] in "#/-*;%<\"'" or not (text[:1].isspace() or text[:1].isalnum())):
        return False
    return 4 * sum(map(len, words)) > 2 * len(text.strip())


def _sentence(text: str, said: re.Match[str]) -> Iterator[Piece]:
    name = said.lastgroup or ""
    if natural(said[name]):
        yield _trimmed(text, Span(*said.span(name)))


def _trimmed(text: str, span: Span) -> Piece:
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    return Piece(Span(start, start + len(words.strip())))
