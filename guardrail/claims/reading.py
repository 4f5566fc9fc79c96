"""A sentence as the rules read it: tagged tokens, dates and quantities, chunks, clauses.

Everything points into the sentence by token; `Reading.span` turns tokens into places of the original text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.claims import tagger
from guardrail.claims.chunks import NP, Chunk, chunk
from guardrail.claims.clauses import Clause, clauses
from guardrail.claims.demonyms import DEMONYMS
from guardrail.claims.tokens import Token, tokenize
from guardrail.types import Argument, Mention, Sentence, Span
from guardrail.values import find_values

__all__ = ["Reading", "read"]

_MARKS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|`+")
_CLOSED = frozenset({"DT", "IN", "TO", "PRP", "PRP$", "CC", "MD", "WDT", "WP", "WRB", "EX", "POS", "RB", "VBZ", "VBP", "UH"})
_NOUNS = ("NN", "NNS", "NNP", "NNPS")


@dataclass(slots=True)
class Reading:
    """`values` are in order; their spans, like those of `mentions`, point into the original text."""

    sentence: Sentence
    tokens: list[Token]
    mentions: Sequence[Mention]
    values: list[Argument]
    chunks: list[Chunk]
    clauses: list[Clause]

    def span(self, first: int, last: int) -> Span:
        """The place of tokens `first` to `last`, both included."""
        offset = self.sentence.span.start
        return Span(offset + self.tokens[first].start, offset + self.tokens[last].end)

    def words(self, first: int, last: int) -> str:
        return self.sentence.text[self.tokens[first].start : self.tokens[last].end]

    def low(self, first: int, last: int) -> list[str]:
        return [token.low for token in self.tokens[first : last + 1]]

    def value_in(self, first: int, last: int) -> Argument | None:
        """The first date or quantity that lies within these tokens."""
        span = self.span(first, last)
        return next((value for value in self.values if value.span is not None and span.contains(value.span)), None)

    def mentions_in(self, span: Span) -> tuple[Mention, ...]:
        """The mentions within `span`, the one that covers it best first."""
        inside = [mention for mention in self.mentions if span.contains(mention.span)]
        return tuple(sorted(inside, key=lambda mention: -len(mention.span)))


def read(sentence: Sentence, mentions: Sequence[Mention]) -> Reading:
    """Tags, chunks and clauses of a sentence; linear in its length."""
    tokens = tokenize(sentence.text)
    offset = sentence.span.start
    for index, mention in enumerate(mentions):
        _mark(tokens, index, mention.span.start - offset, mention.span.end - offset)
    tagger.load().tag(tokens)
    _correct(tokens)
    values = _values(sentence, mentions)
    chunks = chunk(tokens, _atoms(tokens, values, offset))
    return Reading(sentence, tokens, mentions, values, chunks, clauses(chunks, tokens))


def _mark(tokens: list[Token], index: int, start: int, end: int) -> None:
    for token in tokens:
        if token.start >= end:
            break
        if token.end > start and token.mention < 0:
            token.mention = index


def _values(sentence: Sentence, mentions: Sequence[Mention]) -> list[Argument]:
    """Dates and quantities, read with the Markdown marks taken out and placed back; numbers inside names are dropped."""
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
        inside = any(mention.span.overlaps(span) and mention.span != span for mention in mentions)
        if not inside:
            found.append(replace(value, span=span))
    return found


def _atoms(tokens: list[Token], values: Sequence[Argument], offset: int) -> list[tuple[int, int]]:
    """Token ranges of dates that stand as phrases of their own; a bare year before a noun is an adjective ("a 1997 film")."""
    out = []
    for value in values:
        if value.span is None or value.value is None or value.value.datatype != "date":
            continue
        start, end = value.span.start - offset, value.span.end - offset
        inside = [at for at, token in enumerate(tokens) if token.start >= start and token.end <= end]
        if not inside:
            continue
        last = inside[-1]
        after = tokens[last + 1] if last + 1 < len(tokens) else None
        if len(inside) == 1 and after is not None and after.tag in (*_NOUNS, "JJ") and after.low != "when":
            continue
        out.append((inside[0], last))
    return out


def _correct(tokens: list[Token]) -> None:
    """Repairs tags that the tagger cannot know: names by the linker and by case, nouns that must be the verb."""
    known = tagger.load()
    for at, token in enumerate(tokens):
        capital = token.text[:1].isupper()
        if token.mention >= 0 and capital and token.low not in DEMONYMS:
            token.tag = "NNP"
        elif capital and at and token.tag in ("NN", "JJ", "VB", "VBN", "VBD", "VBG", "VBP", "FW", "NNS", "IN", "RB", "VBZ", "JJS", "JJR") and token.low not in DEMONYMS:
            if len(token.text) > 1 and token.text[1:].islower() or token.text.isupper() or token.tag in ("NN", "NNS", "FW"):
                token.tag = "NNP" if tokens[at - 1].text not in ('"', "“", ":") or token.tag in ("NN", "FW") else token.tag
        elif capital and not at and token.tag in ("NN", "JJ", "VBN", "VBG", "VB", "FW", "RB", "UH", "VBD", "NNS", "CD") and "w " + token.low not in known.weights and token.low not in DEMONYMS:
            token.tag = "NNP"
        elif token.low in DEMONYMS and capital and token.tag in ("NNP", "NN", "NNS", "NNPS"):
            following = tokens[at + 1].tag if at + 1 < len(tokens) else ""
            if following in ("NN", "NNS", "JJ") or (following == "NNP" and tokens[at + 1].text[:1].islower()):
                token.tag = "JJ"
    _find_verb(tokens)


def _find_verb(tokens: list[Token]) -> None:
    """A sentence without a verb whose plural noun stands before a new noun phrase: "The film stars Tom Hanks"."""
    for at, token in enumerate(tokens):
        tag = token.tag
        if tag in ("VBD", "VBZ", "VBP", "MD") and token.low not in ("'s",):
            return
        if tag != "NNS" or not at or at + 1 == len(tokens) or token.mention >= 0:
            continue
        before, after = tokens[at - 1], tokens[at + 1]
        if before.tag in ("NN", "NNP") and (after.tag in ("DT", "PRP$", "PRP") or (after.tag in ("NNP", "CD", "RB") and before.tag != "JJ")):
            token.tag = "VBZ"
            return


def strip_np(reading: Reading, np: NP) -> tuple[int, int]:
    """The tokens of a noun phrase without its article and, where it is a name, without the title before it."""
    first = np.first
    if np.kind == "name" and np.title is not None:
        first = np.title[1] + 1
    elif np.owner is not None and np.kind == "name":
        first = np.first
    while first < np.last and reading.tokens[first].tag in ("DT", "PDT") and reading.tokens[first].mention < 0:
        first += 1
    return first, np.last
