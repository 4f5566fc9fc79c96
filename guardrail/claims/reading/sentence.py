"""A sentence as the rules read it: tagged tokens, dates and quantities, chunks, clauses.

Everything points into the sentence by token; `ParsedSentence.span` turns tokens into places of the original text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.claims.lexicon.words import verb_stem
from guardrail.claims.reading.chunks import Chunk, chunk
from guardrail.claims.reading.clauses import Clause, clauses
from guardrail.claims.reading.degrees import abbreviated
from guardrail.claims.reading.retagging import NOUN_TAGS, ROLE_PARTS, corrected, is_role, known_verbs
from guardrail.claims.reading.tokens import Token, tagged
from guardrail.language import Doc
from guardrail.language.lists import word_list
from guardrail.language.vocabulary import listed_word
from guardrail.types import Argument, Mention, Sentence, Span
from guardrail.values import find_values
from guardrail.values.demonyms import DEMONYMS

__all__ = ["ParsedSentence", "read"]

_MARKS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|`+")
_DAYS = word_list("weekdays")


@dataclass(slots=True)
class ParsedSentence:
    """`values` are in order; their spans, like those of `mentions`, point into the original text."""

    sentence: Sentence
    tokens: list[Token]
    mentions: Sequence[Mention]
    values: list[Argument]
    chunks: list[Chunk]
    clauses: list[Clause]
    doc: Doc

    def span(self, first: int, last: int) -> Span:
        """The place of tokens `first` to `last`, both included."""
        offset = self.sentence.span.start
        return Span(offset + self.tokens[first].start, offset + self.tokens[last].end)

    def words(self, first: int, last: int) -> str:
        return self.sentence.text[self.tokens[first].start : self.tokens[last].end]

    def low(self, first: int, last: int) -> list[str]:
        return [token.low for token in self.tokens[first : last + 1]]

    def value_in(self, first: int, last: int) -> Argument | None:
        """The first date or quantity that begins within these tokens."""
        span = self.span(first, last)
        return next(
            (v for v in self.values if v.span is not None and span.start <= v.span.start < span.end), None
        )

    def mentions_in(self, span: Span) -> tuple[Mention, ...]:
        """The mentions within `span`, the one that covers it best first."""
        inside = [mention for mention in self.mentions if span.contains(mention.span)]
        return tuple(sorted(inside, key=lambda mention: -len(mention.span)))

    def named(self, meant: Mention, near: Span) -> Mention | None:
        """Where this sentence names what a mention is of: the last place before `near`, or else the first one behind."""
        ids = {candidate.entity.id for candidate in meant.candidates}
        same = [
            one
            for one in self.mentions
            if one.text == meant.text or (ids and one.entity is not None and one.entity.id in ids)
        ]
        if not same and self.sentence.span.contains(meant.span):
            same = [meant]
        before = [one for one in same if one.span.end <= near.start]
        return before[-1] if before else next(iter(same), None)


def read(sentence: Sentence, mentions: Sequence[Mention], doc: Doc) -> ParsedSentence:
    """Tokens, chunks and clauses of a sentence, of which `doc` was read; linear in its length."""
    tokens = tagged(doc)
    offset = sentence.span.start
    values = _values(sentence)
    mentions = [m for m in mentions if not _no_name(m, sentence) and not any(_unit(m, v) for v in values)]
    values = [value for value in values if not _in_name(value, mentions)]
    for index, mention in enumerate(mentions):
        _mark(tokens, index, mention.span.start - offset, mention.span.end - offset)
    corrected(tokens)
    _units(tokens, values, offset)
    chunks = chunk(tokens, _atoms(tokens, values, offset))
    return ParsedSentence(sentence, tokens, mentions, values, chunks, clauses(chunks, tokens), doc)


def _no_name(mention: Mention, sentence: Sentence) -> bool:
    """A capitalised word that the graph does not know and that is only a role ("CEO") or the sentence's first word."""
    if mention.candidates:
        return False
    words = mention.text.lower().split()
    if is_role(words[-1]) and all(is_role(w) or w in ROLE_PARTS or w in DEMONYMS for w in words):
        return True  # "U.S. Representative"
    if abbreviated(mention.text):
        return True  # "a PhD"
    return len(words) == 1 and mention.span.start == sentence.span.start and _ordinary(words[0])


def _ordinary(word: str) -> bool:
    """Whether a word in small letters is one that anybody knows, or made like an adverb or a verb: "Founded in 1998, …"."""
    made = word.endswith(("ly", "ing", "headquartered"))
    return listed_word(word) or made or (word.endswith("ed") and verb_stem(word) in known_verbs())


def _mark(tokens: list[Token], index: int, start: int, end: int) -> None:
    for token in tokens:
        if token.start >= end:
            break
        if token.end > start and token.mention < 0:
            token.mention = index


def _values(sentence: Sentence) -> list[Argument]:
    """Dates and quantities, read with the Markdown marks taken out and placed back."""
    text = sentence.text
    kept = [True] * len(text)
    for match in _MARKS.finditer(text):
        kept[match.start() : match.end()] = [False] * len(match.group())
    places = [at for at, keep in enumerate(kept) if keep]
    plain = "".join(text[at] for at in places)
    found = []
    for value in find_values(plain):
        if value.span is None or not len(value.span):
            continue
        span = Span(places[value.span.start], places[value.span.end - 1] + 1).shift(sentence.span.start)
        found.append(replace(value, span=span))
    return found


def _units(tokens: list[Token], values: Sequence[Argument], offset: int) -> None:
    """The capital of a unit makes no name: "100 degrees Celsius", "90 °C", "15 Newtons"."""
    for value in values:
        if value.span is None or value.value is None or value.value.unit is None:
            continue
        for token in tokens:
            inside = value.span.start < token.start + offset and token.end + offset <= value.span.end
            if inside and (token.tag == "NNP" or not token.text.isalnum()):
                token.tag = "NN"


def _unit(mention: Mention, value: Argument) -> bool:
    """Whether a name is the unit of a quantity: "degrees Celsius" in "100 degrees Celsius"."""
    measured = value.value is not None and value.value.unit is not None
    return (
        measured
        and value.span is not None
        and value.span.contains(mention.span)
        and mention.span.start > value.span.start
    )


def _in_name(value: Argument, mentions: Sequence[Mention]) -> bool:
    """Whether a number is part of a name: "Boeing 737"."""
    span = value.span
    return span is not None and any(m.span.overlaps(span) and not span.contains(m.span) for m in mentions)


def _atoms(tokens: list[Token], values: Sequence[Argument], offset: int) -> list[tuple[int, int]]:
    """Token ranges of dates that stand as phrases of their own; a bare year before a noun is an adjective ("a 1997 film")."""
    out = []
    for value in values:
        if value.span is None or value.value is None or value.value.datatype != "date":
            continue
        start, end = value.span.start - offset, value.span.end - offset
        inside = [at for at, token in enumerate(tokens) if token.start >= start and token.end <= end]
        if inside and not (len(inside) == 1 and _adjectival(tokens, inside[0])):
            out.append((_weekday(tokens, inside[0]), inside[-1]))
    return out


def _adjectival(tokens: list[Token], at: int) -> bool:
    """Whether a year says which one a noun behind it means: "a 1997 film", but not "in 1998 Anna founded …"."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or after.tag not in (*NOUN_TAGS, "JJ") or after.low == "when":
        return False
    return not (at and (after.tag == "NNP" or after.text[:1].isupper()) and _fronted(tokens, at))


def _fronted(tokens: list[Token], at: int) -> bool:
    """Whether a year says when: "in 1998", "the 1990s"."""
    before = tokens[at - 1]
    return before.tag == "IN" or (before.low == "the" and tokens[at].low.endswith("s"))


def _weekday(tokens: list[Token], at: int) -> int:
    """Where a date begins: with the day of the week before it, "Monday, 10 December 2012"."""
    back = 2 if at > 1 and tokens[at - 1].text == "," else 1
    return at - back if at >= back and tokens[at - back].low in _DAYS else at
