"""Tokens to chunks: noun phrases with their of-phrases, verb groups, prepositions and the marks between them.

A shallow parse in one pass: `noun_phrases` and `verb_groups` read one chunk each, this module strings them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrail.claims.reading.chunks.noun_phrases import NounPhrases
from guardrail.claims.reading.chunks.parts import NOUNS, NP, VG, Chunk, Mark
from guardrail.claims.reading.chunks.verb_groups import VerbGroups
from guardrail.claims.reading.tokens import Token

__all__ = ["Chunk", "Mark", "NP", "VG", "chunk"]  # noqa: RUF022 - sorted as Python sorts

_SUBORDINATORS = frozenset(
    "if unless because since although though while whereas when whenever until once whether that as after before so than lest".split()
)
_ALWAYS = frozenset({"if", "unless", "because", "although", "whereas", "whether"})
_PUNCTUATION = {",": "comma", ";": "break", ":": "break", "—": "break", "–": "break", "--": "break", "(": "open", "[": "open", ")": "close", "]": "close"}  # fmt: skip
_PAIRS = frozenset(
    {("because", "of"), ("due", "to"), ("such", "as"), ("according", "to"), ("as", "of"), ("along", "with"), ("together", "with"),
     ("instead", "of"), ("out", "of"), ("up", "to"), ("prior", "to"), ("next", "to"), ("close", "to"), ("away", "from"), ("in", "addition")}
)  # fmt: skip
_TRIPLES = frozenset({("in", "addition", "to")})


class _Reader(NounPhrases, VerbGroups):
    def read(self) -> Iterator[Chunk]:
        at = 0
        while at < self.count:
            item = self._next(at)
            yield item
            at = max(item.last if isinstance(item, VG) else item.end, at) + 1

    def _next(self, at: int) -> Chunk:
        token = self.tokens[at]
        if token.low == "such" and self.low(at + 1) == "as":
            return self._preposition(at)
        named = token.mention >= 0 and token.text[:1].isupper()
        found = None if named else self._mark(at) or self._verb(at)
        return found or self._nominal(at) or self._word(at)

    def _mark(self, at: int) -> Mark | None:
        """Punctuation, "there" and relative words."""
        low, tag = self.low(at), self.tag(at)
        if low == "-" and tag == ":":
            return Mark("break", at, "–")
        if low in _PUNCTUATION:
            return Mark(_PUNCTUATION[low], at, low)
        if tag == "EX":
            return Mark("there", at, low)
        if [low, self.low(at + 1), self.low(at + 2)] == ["as", "well", "as"]:
            return Mark("cc", at, "and", at + 2)
        if self._relative(at):
            return Mark("rel", at, low)
        return Mark("sub", at, low) if low == "that" and tag == "IN" else None

    def _relative(self, at: int) -> bool:
        """Whether a word opens a clause about what stands before it; "when" at the beginning opens one about a time."""
        low, tag = self.low(at), self.tag(at)
        if tag in ("WDT", "WP", "WP$") or (tag == "WRB" and (low != "when" or at)):
            return True
        return low == "that" and at > 0 and self.verb_at(at + 1) and self.tag(at - 1) in (",", *NOUNS)

    def _verb(self, at: int) -> VG | None:
        tag = self.tag(at)
        verbal = tag.startswith("VB") or tag in ("MD", "TO") or self.low(at) in ("not", "never")
        return self.verb_group(at) if verbal and not self.adjectival(at) else None

    def _nominal(self, at: int) -> NP | Mark | None:
        """A noun phrase, or adjectives without a noun."""
        np = self.noun_phrase(at)
        if np is None or np.kind != "common" or np.det in ("the", "a", "an"):
            return np
        adjective = self.tag(np.head) in ("JJ", "JJR", "JJS")
        return Mark("adj", np.first, self.low(at), np.last) if adjective else np

    def _word(self, at: int) -> Mark:
        """A conjunction, a preposition, or any other word."""
        low, tag = self.low(at), self.tag(at)
        if tag == "CC" or low in ("nor", "but"):
            return Mark("cc", at, low)
        if tag in ("IN", "TO") or low == "per":
            return self._preposition(at)
        kinds = {"WRB": "sub", "JJ": "adj", "JJR": "adj", "JJS": "adj", "VBN": "adj"}
        return Mark(kinds.get(tag, "adv" if tag.startswith("RB") else "other"), at, low)

    def _preposition(self, at: int) -> Mark:
        low, multi = self.low(at), self._multiword(at)
        if multi > at:
            return Mark("prep", at, " ".join(self.low(i) for i in range(at, multi + 1)), multi)
        subordinate = low in _ALWAYS or (low in _SUBORDINATORS and self._clause_ahead(at + 1))
        return Mark("sub" if subordinate else "prep", at, low)

    def _multiword(self, at: int) -> int:
        pair = (self.low(at), self.low(at + 1))
        if pair in _PAIRS:
            return at + 2 if (*pair, self.low(at + 2)) in _TRIPLES else at + 1
        return at

    def _clause_ahead(self, at: int) -> bool:
        """A noun phrase and a finite verb follow, so that the word is a subordinator and no preposition."""
        while self.tag(at) in ("RB",):
            at += 1
        np = self.noun_phrase(at)
        return np is not None and self.verb_at(np.end + 1)


def chunk(tokens: Sequence[Token], values: Sequence[tuple[int, int]] = ()) -> list[Chunk]:
    """The chunks of a tagged sentence in order. `values`: (first, last) token of each date that is a phrase of its own."""
    return list(_Reader(tokens, values).read())
