"""Noun phrases: article, adjectives, numbers, nouns and names, with owner and of-phrase."""

from __future__ import annotations

from typing import Literal

from guardrail.claims.reading.chunks.parts import MEASURES, NOUNS, NP, Tags

__all__ = ["NounPhrases"]

_PRE = ("JJ", "JJR", "JJS", "CD", "NN", "NNS", "NNP", "NNPS", "$", "FW", "ADD", "#")
_OPEN_DET = ("DT", "PDT", "PRP$", "WP$")
_BEFORE_PARTICIPLE = frozenset(
    {"", "DT", "PRP$", "JJ", "CD", "IN", "RB", "POS", "CC", "VBD", "VBZ", ",", "RBS", "RBR"}
)
_BEFORE_GERUND = frozenset({"DT", "PRP$", "JJ", "POS", "CD", "JJS", "RBS"})
_JOINING = ("VBN", "VBG", "RB", "RBR", "RBS", "HYPH", "CC", ",")
_STANDING_ALONE = frozenset({"this", "that", "these", "those", "both", "all", "some", "many"})
_QUOTES = frozenset("\"'“”„‘’«»`")


class NounPhrases(Tags):
    """Reads noun phrases. Names that the linker has found and dates are atoms."""

    def name_end(self, at: int) -> int:
        """The last token of the mention that begins here, or `at` itself."""
        mention = self.tokens[at].mention
        end = at
        while mention >= 0 and end + 1 < self.count and self.tokens[end + 1].mention == mention:
            end += 1
        return end

    def noun_phrase(self, at: int) -> NP | None:
        if at in self.values:
            last = self.values[at]
            return NP(at, last, last, last, "value")
        if self.tag(at) == "PRP":
            return NP(at, at, at, at, "pronoun")
        first, det = at, ""
        while self.tag(at) in _OPEN_DET and self.tokens[at].mention < 0:
            det = self.low(at)
            at += 1
        if at in self.values:
            last = self.values[at]
            return NP(first, last, last, last, "value", det)
        core = self._core(at)
        if core is None:
            alone = det in _STANDING_ALONE and at - 1 == first
            return NP(first, first, first, first, "pronoun", det=det) if alone else None
        np = self._owned(self._phrase(first, at, core, det, None))
        self._of(np)
        return np

    def _owned(self, np: NP) -> NP:
        """What stands behind "'s", with the phrase before it as its owner, and so on; or else the phrase itself."""
        while self._possessive(np.last + 1):
            start = np.last + 2
            core = self._core(start)
            if core is None:
                np.last = np.end = np.last + 1
                break
            np = self._phrase(np.first, start, core, "", np)
        return np

    def _possessive(self, at: int) -> bool:
        """Whether "'s" stands here, or a mere apostrophe behind an "s" and before a noun."""
        if self.tag(at) == "POS":
            return True
        behind_s = self.low(at) in ("'", "’") and self.low(at - 1).endswith("s")
        return behind_s and self._core(at + 1) is not None

    def _phrase(self, first: int, start: int, last: int, det: str, owner: NP | None) -> NP:
        head = last
        kind: Literal["name", "common"] = "name" if self._named(last) else "common"
        if kind == "common" and not self.tag(last).startswith("N"):
            nouns = [i for i in range(start, last + 1) if self.tag(i) in NOUNS]
            head = nouns[-1] if nouns else last
        np = NP(first, last, head, last, kind, det, owner)
        if kind == "name":
            at = last
            while at > start and self._named(at - 1):
                at -= 1
            if at > start:
                np.title = (start, at - 1)
        return np

    def _named(self, at: int) -> bool:
        token = self.tokens[at]
        return token.tag in ("NNP", "NNPS")

    def _core(self, at: int) -> int | None:
        """The last token of the adjectives, numbers and nouns from `at` on; None when there is no head among them."""
        end: int | None = None
        while at < self.count and not self._ended(at, end):
            if self._in_name(at):
                end = at = self.name_end(at)
            elif self.tag(at) in _PRE:
                end = at
            at += 1
        return end

    def _in_name(self, at: int) -> bool:
        return self.tokens[at].mention >= 0 and self.tag(at) == "NNP"

    def _ended(self, at: int, end: int | None) -> bool:
        """Whether the word at `at` is no part of the adjectives, numbers and nouns of which `end` is the last."""
        tag, low = self.tag(at), self.low(at)
        if at in self.values and end is not None:
            return True
        if self._in_name(at):
            return False
        if tag in _PRE:
            return end is not None and self._stops(at)
        if tag in _JOINING or low in _QUOTES:
            return not self._goes_on(at, end)
        return tag == ":" or (tag != "SYM" and low not in ("&", "/", "-"))

    def _stops(self, at: int) -> bool:
        """An adjective behind its noun is no part of the phrase: "30 years old", "anyone significant"."""
        if self.low(at) in MEASURES and self.tag(at - 1) in ("NN", "NNS"):
            return True
        if self.tag(at) == "CD" and self.low(at + 1) == "times":
            return True
        return (
            self.tag(at).startswith("JJ")
            and self.tag(at - 1) in ("NN", "NNS", "NNP", "NNPS")
            and self.tag(at + 1) not in NOUNS
        )

    def _goes_on(self, at: int, end: int | None) -> bool:
        """A word that is part of a noun phrase only if a noun follows: "newly elected president", "black and white film"."""
        tag = self.tag(at)
        if tag in ("RB", "RBR", "RBS"):
            return (end is None or self.low(at) in ("most", "more")) and self._degree(at)
        if tag in ("VBN", "VBG"):
            return self._adjective(at, end)
        if self.low(at) in _QUOTES:
            return self.tag(at + 1) in ("NNP", "NNPS", "JJ", "NN") and end is not None
        if self.low(at) == "or" and (self.tag(at - 1), self.tag(at + 1)) == ("CD", "CD"):
            return True  # "two or three members" are one phrase
        return end == at - 1 and self._joins_adjectives(at)

    def _degree(self, adverb: int) -> bool:
        """Whether an adverb stands before an adjective that more of a noun phrase follows."""
        return self.tag(adverb + 1) in ("JJ", "VBN", "CD", "JJR") and self.tag(adverb + 2) in (*_PRE, ",")

    def _joins_adjectives(self, at: int) -> bool:
        """Whether a comma or a conjunction joins two adjectives before a noun."""
        first, second = self.tag(at - 1) in ("JJ", "VBN"), self.tag(at + 1) in ("JJ", "VBN", "RB")
        return first and second and self.tag(at + 2) in ("NN", "NNS", "JJ", "NNP")

    def _adjective(self, at: int, end: int | None) -> bool:
        """Whether a participle stands before a noun as an adjective does: "newly elected", but not "born August 4, 1961"."""
        before, following = self.tag(at - 1) if at else "", self.tag(at + 1)
        if (end is not None and before in (*NOUNS, "CD")) or at + 1 in self.values:
            return False
        if self.tag(at) == "VBG":
            return following in ("NN", "NNS", "NNP") and before in _BEFORE_GERUND
        return following in (*NOUNS, "JJ", "CD") and before in _BEFORE_PARTICIPLE

    def _of(self, np: NP) -> None:
        """Attaches "of …", with what is coordinated in it."""
        np.end = np.last
        at = np.last + 1
        if self.low(at) != "of" or np.kind == "pronoun":
            return
        inner = self.noun_phrase(at + 1)
        if inner is None:
            return
        np.of, np.end = [inner], inner.end
        while (step := self._conjunction(np.end + 1)) and (other := self.noun_phrase(step)):
            goes_on = self.tag(other.end + 1) in ("IN", ",") and self.low(step - 2) == ","
            if goes_on or self._unlike(inner, other) or self.verb_at(other.end + 1):
                break
            np.of.append(other)
            np.end = other.end

    def _unlike(self, inner: NP, other: NP) -> bool:
        """Whether a noun phrase behind "and" is not of the kind that the first one behind "of" is."""
        unnamed = inner.kind == "name" and other.kind == "common"
        parallel = bool(other.of) and not inner.of and bool(other.det)
        return self.tag(other.head).startswith("JJ") or unnamed or parallel

    def _conjunction(self, at: int) -> int:
        """Where the next conjunct begins after ", and", "and" or "or"; 0 when there is none."""
        if self.low(at) == "," and self.low(at + 1) in ("and", "or", "&"):
            return at + 2
        return at + 1 if self.low(at) in ("and", "or", "&") else 0

    def adjectival(self, at: int) -> bool:
        """A participle before a noun at the beginning of a noun phrase ("featured guests")."""
        return (
            self.tag(at) in ("VBN", "VBG")
            and self._core(at) is not None
            and self._goes_on(at, None)
            and not (at and self.tag(at - 1) in NOUNS)
        )
