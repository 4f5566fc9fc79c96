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
            if det in ("this", "that", "these", "those", "both", "all", "some", "many") and at - 1 == first:
                return NP(first, first, first, first, "pronoun", det=det)
            return None
        np = self._phrase(first, at, core, det, None)
        while self.tag(np.last + 1) == "POS" or (
            self.low(np.last + 1) in ("'", "’")
            and self.low(np.last).endswith("s")
            and self._core(np.last + 2) is not None
        ):
            start = np.last + 2
            core = self._core(start)
            if core is None:
                np.last = np.end = np.last + 1
                break
            np = self._phrase(first, start, core, "", np)
        self._of(np)
        return np

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
        while at < self.count:
            token, tag = self.tokens[at], self.tag(at)
            if at in self.values and end is not None:
                break
            if token.mention >= 0 and token.tag == "NNP":
                end = at = self.name_end(at)
            elif tag in _PRE:
                if end is not None and self._stops(at):
                    break
                end = at
            elif tag in ("VBN", "VBG", "RB", "RBR", "RBS", "HYPH", "CC", ",") or token.low in _QUOTES:
                if not self._goes_on(at, end):
                    break
            elif tag == ":" or (tag != "SYM" and token.low not in ("&", "/", "-")):
                break
            at += 1
        return end

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
        tag, following = self.tag(at), self.tag(at + 1)
        if tag in ("RB", "RBR", "RBS"):
            return (
                following in ("JJ", "VBN", "CD", "JJR")
                and (end is None or self.low(at) in ("most", "more"))
                and self.tag(at + 2) in (*_PRE, ",")
            )
        if tag in ("VBN", "VBG"):
            before = self.tag(at - 1) if at else ""
            if (end is not None and before in (*NOUNS, "CD")) or at + 1 in self.values:
                return False  # "born August 4, 1961"
            if tag == "VBG":
                return following in ("NN", "NNS", "NNP") and before in (
                    "DT",
                    "PRP$",
                    "JJ",
                    "POS",
                    "CD",
                    "JJS",
                    "RBS",
                )
            return following in (*NOUNS, "JJ", "CD") and before in _BEFORE_PARTICIPLE
        if self.tokens[at].low in _QUOTES:
            return following in ("NNP", "NNPS", "JJ", "NN") and end is not None
        if self.low(at) == "or" and (self.tag(at - 1), following) == ("CD", "CD"):
            return True  # "two or three members" are one phrase
        adjectives = ("JJ", "VBN")
        return (
            self.tag(at - 1) in adjectives
            and end == at - 1
            and following in (*adjectives, "RB")
            and self.tag(at + 2) in ("NN", "NNS", "JJ", "NNP")
        )

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
            unlike = self.tag(other.head).startswith("JJ") or (
                inner.kind == "name" and other.kind == "common"
            )
            parallel = bool(other.of) and not inner.of and bool(other.det)
            if goes_on or unlike or parallel or self.verb_at(other.end + 1):
                break
            np.of.append(other)
            np.end = other.end

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
