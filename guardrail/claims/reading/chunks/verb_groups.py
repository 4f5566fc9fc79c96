"""Verb groups: auxiliaries, adverbs and negations up to the verb that says what is done."""

from __future__ import annotations

from typing import Literal

from guardrail.claims.lexicon.words import PARTICLES, base, verb_stem
from guardrail.claims.reading.chunks.parts import VG, Tags

__all__ = ["VerbGroups"]

_AUX = frozenset({"be", "hav", "do"})
_NEGATIONS = frozenset({"not", "n't", "never", "no", "nor", "neither", "hardly", "barely", "scarcely"})
# "went on to win", "continued to play": the second verb is what is said.
_CATENATIVE = frozenset(
    {"go", "continu", "begin", "start", "com", "help", "manag", "us", "get", "proceed", "serv"}
)
_SEEMING = frozenset(
    {
        "seem",
        "appear",
        "believ",
        "say",
        "think",
        "alleg",
        "report",
        "rumor",
        "rumour",
        "suppos",
        "assum",
        "consider",
        "claim",
    }
)
_HEDGING_MODALS = frozenset({"may", "might", "could", "would", "should"})
_COPULAS = frozenset({"be", "becom", "remain", "seem", "appear"})


class VerbGroups(Tags):
    """Reads verb groups."""

    def verb_group(self, at: int) -> VG | None:
        first, infinitive = at, False
        if self.tag(at) == "TO" and self._verb_after(at + 1):
            infinitive, at = True, at + 1
        chain: list[int] = []
        flags = {"negated": False, "never": False, "former": False}
        while at < self.count:
            tag, low = self.tag(at), self.low(at)
            if tag == "MD" or (tag.startswith("VB") and self._continues(chain, at)):
                chain.append(at)
            elif (
                (tag.startswith("RB") or low in _NEGATIONS) and chain and self._verb_or_adverb(at + 1, chain)
            ):
                pass
            elif low not in ("not", "n't", "never") or not self._denied_behind(chain, at + 1):
                break
            flags["negated"] |= low in _NEGATIONS
            flags["never"] |= low == "never"
            flags["former"] |= low in ("formerly", "previously", "once", "originally")
            at += 1
        if not chain:
            return None
        return self._group(first, chain, infinitive, flags)

    def _continues(self, chain: list[int], at: int) -> bool:
        """Whether the verb at `at` belongs to the group: after a modal or an auxiliary."""
        if not chain:
            return True
        last = verb_stem(self.tokens[chain[-1]].text)
        tag = self.tag(at)
        if self.tag(chain[-1]) == "MD" or last == "do":
            return tag in ("VB", "VBP")
        return last in ("be", "hav", "get") and tag in ("VBN", "VBG", "VBD")

    def _denied_behind(self, chain: list[int], at: int) -> bool:
        """Whether "not" behind these verbs, before `at`, denies them: "is not in Ulm"; in "was born not in Ulm" it denies the place."""
        if not chain:
            return False
        last = verb_stem(self.tokens[chain[-1]].text)
        return last in _AUX | _COPULAS or self.tag(chain[-1]) == "MD" or self.tag(at) not in ("IN", "TO")

    def _verb_after(self, at: int) -> bool:
        while self.tag(at) in ("RB", "RBR"):
            at += 1
        return self.tag(at) in ("VB", "VBP")

    def _verb_or_adverb(self, at: int, chain: list[int]) -> bool:
        if verb_stem(self.tokens[chain[-1]].text) not in _AUX and self.tag(chain[-1]) != "MD":
            return False
        while self.tag(at).startswith("RB") or self.low(at) in _NEGATIONS:
            at += 1
        return self.tag(at).startswith("VB")

    def _group(self, first: int, chain: list[int], infinitive: bool, flags: dict[str, bool]) -> VG:
        main = chain[-1]
        tags = [self.tag(at) for at in chain]
        stems = [verb_stem(self.tokens[at].text) for at in chain]
        voice: Literal["active", "passive", "copula"] = "active"
        if "be" in stems[:-1] and tags[-1] in ("VBN", "VBD"):
            voice = "passive"
        elif stems[-1] in _COPULAS:
            voice = "copula"
        form: Literal["finite", "participle", "gerund", "infinitive", "base"] = "finite"
        if infinitive:
            form = "infinitive"
        elif tags[0] == "VBN":
            form, voice = "participle", "passive"
        elif tags[0] == "VBG":
            form = "gerund"
        elif tags[0] == "VB":
            form = "base"
        word = self.tokens[main].low
        particle = f"{base(word)} {self.low(main + 1)}" in PARTICLES
        group = VG(
            first,
            main + particle,
            main,
            verb_stem(word) + (f" {self.low(main + 1)}" if particle else ""),
            form,
            voice,
            past=tags[0] == "VBD"
            or form == "participle"
            or (tags[0] in ("VBZ", "VBP") and stems[0] == "hav" and len(chain) > 1),
            hedged=tags[0] == "MD" and self.low(chain[0]) in _HEDGING_MODALS,
            perfect=stems[0] == "hav" and len(chain) > 1,
            **flags,
        )
        return self._catenated(group)

    def _catenated(self, group: VG) -> VG:
        """A verb that only introduces another one: "went on to win" is winning, "is said to have won" hedged, "used to play" former."""
        to = group.last + 1
        if self.low(to) == "on" and group.stem == "go":
            to += 1
        if self.tag(to) != "TO":
            return group
        if not (group.stem.split()[0] in _CATENATIVE or group.stem in _SEEMING):
            return group
        inner = self.verb_group(to)
        if inner is None or inner.form != "infinitive":
            return group
        inner.first = group.first
        inner.form, inner.past = group.form, group.past or group.perfect
        inner.negated |= group.negated
        inner.never |= group.never
        inner.hedged |= group.hedged or group.stem in _SEEMING
        inner.former |= group.stem == "us"
        return inner
