"""Verb groups: auxiliaries, adverbs and negations up to the verb that says what is done."""

from __future__ import annotations

from guardrail.claims.lexicon.words import PARTICLES, base, verb_stem
from guardrail.claims.reading.chunks.parts import VG, Form, Tags, Voice

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
_FORMERLY = frozenset({"formerly", "previously", "once", "originally"})
_FORMS: dict[str, Form] = {"VBN": "participle", "VBG": "gerund", "VB": "base"}
_HEDGING_MODALS = frozenset({"may", "might", "could", "would", "should"})
_COPULAS = frozenset({"be", "becom", "remain", "seem", "appear"})


class VerbGroups(Tags):
    """Reads verb groups."""

    def verb_group(self, at: int) -> VG | None:
        first = at
        chain: list[int] = []
        if self.tag(at) == "TO" and self._verb_after(at + 1):
            at += 1
        while at < self.count:
            if self._continues(chain, at):
                chain.append(at)
            elif not chain or not self._between(chain, at):
                break
            at += 1
        return self._catenated(self._group(first, chain, at)) if chain else None

    def _continues(self, chain: list[int], at: int) -> bool:
        """Whether a verb at `at` belongs to the group: a modal, the first verb, or one after a modal or an auxiliary."""
        tag = self.tag(at)
        if tag == "MD" or not chain:
            return tag == "MD" or tag.startswith("VB")
        last = verb_stem(self.tokens[chain[-1]].text)
        if self.tag(chain[-1]) == "MD" or last == "do":
            return tag in ("VB", "VBP")
        return last in ("be", "hav", "get") and tag in ("VBN", "VBG", "VBD")

    def _between(self, chain: list[int], at: int) -> bool:
        """Whether the word at `at` goes with these verbs: an adverb or a denial before a further one, or a denial behind."""
        low = self.low(at)
        adverb = self.tag(at).startswith("RB") or low in _NEGATIONS
        if adverb and self._verb_or_adverb(at + 1, chain):
            return True
        return low in ("not", "n't", "never") and self._denied_behind(chain, at + 1)

    def _denied_behind(self, chain: list[int], at: int) -> bool:
        """Whether "not" behind these verbs, before `at`, denies them: "is not in Ulm"; in "was born not in Ulm" it denies the place."""
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

    def _group(self, first: int, chain: list[int], end: int) -> VG:
        """The group of the verbs in `chain`, with the adverbs before `end`."""
        main, word = chain[-1], self.low(chain[-1])
        tags = [self.tag(at) for at in chain]
        stems = [verb_stem(self.tokens[at].text) for at in chain]
        form = "infinitive" if self.tag(first) == "TO" else _FORMS.get(tags[0], "finite")
        perfect = stems[0] == "hav" and len(chain) > 1
        words = {self.low(at) for at in range(first, end)}
        particle = f"{base(word)} {self.low(main + 1)}" in PARTICLES
        return VG(
            first,
            main + particle,
            main,
            verb_stem(word) + (f" {self.low(main + 1)}" if particle else ""),
            form,
            "passive" if form == "participle" else _voice(stems, tags[-1]),
            past=tags[0] == "VBD" or form == "participle" or (perfect and tags[0] in ("VBZ", "VBP")),
            negated=not words.isdisjoint(_NEGATIONS),
            never="never" in words,
            hedged=tags[0] == "MD" and self.low(chain[0]) in _HEDGING_MODALS,
            former=not words.isdisjoint(_FORMERLY),
            perfect=perfect,
        )

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


def _voice(stems: list[str], last: str) -> Voice:
    """The voice of verbs by their stems and the tag of the last one."""
    if "be" in stems[:-1] and last in ("VBN", "VBD"):
        return "passive"
    return "copula" if stems[-1] in _COPULAS else "active"
