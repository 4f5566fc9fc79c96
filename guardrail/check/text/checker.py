"""Judges a claim by passages: a model reads windows of them whole, and exact comparison stands beside it.

The model says whether a window supports the claim, contradicts it, or is silent. It misses values and names that differ in
one word; those are compared exactly (`exact`). A sentence that says all the claim says with another value in its place
refutes the claim, whatever the model makes of it; a value that no sentence holds withdraws the model's support. Windows that
disagree are both shown, and none wins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from guardrail.check.kg.compare.containment import names_wider_place
from guardrail.check.kg.compare.identifiers import fabricated
from guardrail.check.text.exact import Difference, Parse, coverage, differences, lacking, missing
from guardrail.check.text.propositions import mixed, usurped
from guardrail.check.text.windows import Window, windows
from guardrail.language import parser
from guardrail.models.nli import Classifier, Thresholds
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    Object,
    Passage,
    Reason,
    Slot,
    SourceVerdict,
    Span,
    Value,
    Verdict,
)
from guardrail.values.demonyms import DEMONYMS

__all__ = ["TextChecker"]

_ROOM = 300  # tokens of a window: what the model was trained on, with the claim beside them
_LEAST = 32  # tokens of evidence that must fit beside a claim
_SLACK = 8  # joined parts may have a few tokens more than their sum
_READ = 3  # windows per claim, the nearest ones
_CLOSE = 80  # tokens of a sentence with its neighbours …
_CLOSER = 2  # … and how many of these are read beside the windows
_PROOF = 0.85  # of the claim's other words: a sentence with so many and another value refutes it alone
_BACKED = 0.6  # with so many it does …
_SPEAKS = 0.6  # … where the model finds so surely that the window speaks of the claim
_LEAST_SHARED = 2  # other words: what shares one may speak of anything
_LIKE = 0.8  # of its words, and all its values: a sentence with so many supports it …
_LIKELY = 0.6  # … from this probability on
_UNLIKE = 0.8  # the probability from which on one with fewer does
_NEAR = 0.5  # a value that no sentence holds speaks against support where a sentence has so much of the rest
_ABOUT = 2  # sentences before and behind that may name what a sentence speaks of
_UNSURE = 0.5  # where words of the claim are missing, whatever the model makes of it
_SURE = 0.92  # of a difference in one place alone
_VERBATIM = 0.97
_SHORT = 128  # tokens of evidence and claim up to which the thresholds of short texts hold
_QUOTED = 160  # characters of evidence that a rationale repeats
_DOUBT = re.compile(
    r"\b(?:perhaps|maybe|possibly|probably|presumably|apparently|allegedly|supposedly|reportedly|arguably|rumou?red|rumou?rs?"
    r"|(?:may|might|could) (?:\w+ )?have (?:\w+ly )?(?:been|become|come|done|gone|had|held|led|made|met|won|\w+e[dn])"
    r"|might|seems?|appears? to|likely|believed|thought|(?:it is|is it) (?:said|possible)"
    r"|considered|claims?|idea|notion|theory|myth|misconception|story|legend|not (?:sure|certain))\b",
    re.IGNORECASE,
)


class TextChecker:
    """Implements `Checker`. None for claims without passages and for what the speaker doubts."""

    def __init__(self, model: Classifier, *, exact: bool = True, parse: Parse | None = None) -> None:
        """Without `exact` the model's word alone counts. `parse` reads sentences (the shipped pipeline unless given)."""
        self._exact = exact
        self._parse = parse or parser().read
        self._model = model

    @property
    def name(self) -> str:
        """With the model's, which a server may tell late."""
        return f"text:{self._model.name}"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if not evidence.passages or _doubted(claim):
            return None
        room = self._model.window - self._model.specials - self._model.lengths([claim.resolved])[0] - _SLACK
        if room < _LEAST:
            return self._unread(claim, evidence, "the passages beside so long a claim")
        found = windows(evidence.passages, room=min(_ROOM, room), measure=self._model.lengths)
        if not found:
            return None
        found = self._read(claim.resolved, found)
        rows = self._model.probabilities([(window.text, claim.resolved) for window in found]).tolist()
        judged = [_Judged(window, *row) for window, row in zip(found, rows, strict=True)]
        verdict = self._verdict(claim, judged, evidence)
        if verdict.label is Label.ATTRIBUTABLE and evidence.unread:
            verdict = self._unread(claim, verdict.evidence, evidence.unread[0])
        return _marked(verdict, evidence.passages)

    def _read(self, claim: str, found: Sequence[Window]) -> list[Window]:
        """The nearest windows, and the sentences in them that are nearest, each among its neighbours alone."""
        shares = [[coverage(claim, said, window.head) for said in window.said] for window in found]
        order = sorted(range(len(found)), key=lambda at: -max(shares[at]))[:_READ]
        places = sorted(
            ((at, place) for at in order for place in range(len(shares[at]))),
            key=lambda p: -shares[p[0]][p[1]],
        )
        closer = []
        for at, place in places[:_CLOSER]:
            lengths = self._model.lengths(found[at].said)
            closer.append(found[at].around(place, lengths, _CLOSE))
        whole = [found[at] for at in sorted(order)]
        return list({window.text: window for window in (*closer, *whole)}.values())

    def _verdict(self, claim: Claim, judged: Sequence[_Judged], evidence: Evidence) -> Verdict:
        for one in judged:
            if (place := _repeating(one.window, claim.resolved)) is not None:
                return self._decided(claim, Label.ATTRIBUTABLE, one, (place,), _VERBATIM)
        proof = _proof(claim, judged, self._parse) if self._exact else None
        if proof is not None:
            return self._refuted(claim, *proof)
        near = max(coverage(claim.resolved, said) for one in judged for said in one.window.said)
        lacking = self._lacking(claim, evidence) if self._exact and near >= _NEAR else ""
        supports = self._supports(claim, judged, like=near >= _LIKE and not lacking)
        support = max(supports, key=lambda one: one.attributable, default=None)
        if support and self._exact and (withdrawn := self._withdrawn(claim, support, lacking)):
            return withdrawn
        return self._weighed(claim, judged, support, self._refutal(claim, judged))

    def _withdrawn(self, claim: Claim, support: _Judged, lacking: str) -> Verdict | None:
        """What is said of a claim that the model supports and the words do not."""
        if absent := lacking or support.lacks(claim):
            return self._unheld(claim, support, absent)
        foreign = support.mixed(claim, self._parse)
        return self._set_apart(claim, support, foreign) if foreign else None

    def _refutal(self, claim: Claim, judged: Sequence[_Judged]) -> _Judged | None:
        refutals = [
            one
            for one in judged
            if one.contradictory >= self._limits(one, claim).contradictory
            and not _within(claim, one.window)
            and not _elsewhere(claim, one.window)
        ]
        return max(refutals, key=lambda one: one.contradictory, default=None)

    def _supports(self, claim: Claim, judged: Sequence[_Judged], *, like: bool) -> list[_Judged]:
        """The windows that support the claim and have a sentence with half of its words.

        Less is asked where a sentence has nearly all its words and all its values.
        """
        near = [one for one in judged if one.near(claim)]
        found = [one for one in near if one.attributable >= self._needed(one, claim)]
        return found or [one for one in near if like and one.attributable >= _LIKELY]

    def _needed(self, one: _Judged, claim: Claim) -> float:
        """What the model's support must reach: more where no sentence of the window has nearly all of the claim's words."""
        limit = self._limits(one, claim).attributable
        share = max(coverage(claim.resolved, said, one.window.head) for said in one.window.said)
        return limit if share >= _LIKE else max(limit, _UNLIKE)

    def _weighed(
        self, claim: Claim, judged: Sequence[_Judged], support: _Judged | None, refutal: _Judged | None
    ) -> Verdict:
        """Two readings of one passage are settled by the surer one; two passages disagree."""
        if support and refutal and support.window.passage is not refutal.window.passage:
            return self._disagreement(claim, support, refutal)
        if support and (not refutal or support.attributable >= refutal.contradictory):
            return self._decided(
                claim, Label.ATTRIBUTABLE, support, support.near(claim), support.attributable
            )
        if refutal:
            return self._decided(
                claim, Label.CONTRADICTORY, refutal, refutal.near(claim), refutal.contradictory
            )
        return self._undecided(claim, judged)

    def _limits(self, one: _Judged, claim: Claim) -> Thresholds:
        """What a short text must reach, or a longer one."""
        lengths = self._model.lengths([one.window.text, claim.resolved])
        return self._model.thresholds(
            "passages" if sum(lengths) + self._model.specials <= _SHORT else "windows"
        )

    def _lacking(self, claim: Claim, evidence: Evidence) -> str:
        """The first identifier, value or name of the claim that the evidence does not hold."""
        held, heads = _held(evidence), _heads(evidence)
        made_up = fabricated(claim.resolved, f"{heads} {held}")
        return made_up[0] if made_up else missing(claim.text, held, heads)

    def _decided(
        self, claim: Claim, label: Label, one: _Judged, places: Sequence[int], sure: float
    ) -> Verdict:
        does = "supports" if label is Label.ATTRIBUTABLE else "contradicts"
        why = f"The passage “{_quote(one.window, places)}” {does} the claim."
        return Verdict(claim, label, sure, one.window.evidence(*places), why, checker=self.name)

    def _refuted(self, claim: Claim, one: _Judged, found: Difference) -> Verdict:
        """Contradictory by what stands in the place of the claimed words, which a correction may put there."""
        slot = Slot(
            property=found.slot,
            claimed=found.claimed,
            known=found.known,
            cardinality="single",
            state="conflict",
            span=_place(claim, found.claimed),
            fact=-1,
            values=() if found.value is None else (_shown(found.value, found.known),),
            answers=1,
        )
        why = (
            f"The passage “{_quote(one.window, (found.sentence,))}” says “{found.known}” where the claim says"
            f" “{found.claimed}”."
        )
        evidence = one.window.evidence(found.sentence)
        return Verdict(
            claim,
            Label.CONTRADICTORY,
            _SURE,
            evidence,
            why,
            checker=self.name,
            slot=slot,
            slots=(slot,),
        )

    def _unheld(self, claim: Claim, one: _Judged, lacking: str) -> Verdict:
        places = one.near(claim)
        why = (
            f"The passage “{_quote(one.window, places)}” is near the claim, but no passage holds “{lacking}”."
        )
        return self._open(claim, one.window.evidence(*places), why)

    def _set_apart(self, claim: Claim, one: _Judged, foreign: str) -> Verdict:
        """The sentence has all the words, but not in one statement."""
        places = one.near(claim)
        why = f"The passage “{_quote(one.window, places)}” does not say “{foreign}” together with the rest of the claim."
        return self._open(claim, one.window.evidence(*places), why)

    def _undecided(self, claim: Claim, judged: Sequence[_Judged]) -> Verdict:
        one = max(judged, key=lambda one: one.attributable + one.contradictory)
        why = "The passages that were found neither confirm nor refute the claim with enough certainty."
        return self._open(claim, one.window.evidence(*one.near(claim)), why, one.extrapolatory)

    def _open(self, claim: Claim, evidence: Evidence, why: str, sure: float = _UNSURE) -> Verdict:
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            sure,
            evidence,
            why,
            checker=self.name,
            reason=Reason.INSUFFICIENT,
        )

    def _unread(self, claim: Claim, evidence: Evidence, what: str) -> Verdict:
        """Open, for what was left out may say otherwise: a flood of like sentences must not hide the one that refutes."""
        why = f"Not read: {what}. So the claim is not taken as confirmed."
        return Verdict(
            claim, Label.EXTRAPOLATORY, 0.5, evidence, why, checker=self.name, reason=Reason.NOT_READ
        )

    def _disagreement(self, claim: Claim, support: _Judged, refutal: _Judged) -> Verdict:
        sides = (
            self._decided(claim, Label.ATTRIBUTABLE, support, support.near(claim), support.attributable),
            self._decided(claim, Label.CONTRADICTORY, refutal, refutal.near(claim), refutal.contradictory),
        )
        pro, con = (_quote(one.window, one.near(claim)) for one in (support, refutal))
        passages = tuple(dict.fromkeys(p for side in sides for p in side.evidence.passages))
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            1 - support.attributable,
            Evidence(passages=passages),
            f"The sources disagree: “{pro}” supports the claim, and “{con}” contradicts it.",
            checker=self.name,
            reason=Reason.INSUFFICIENT,
            by_source=tuple(
                SourceVerdict(
                    v.evidence.passages[0].source, v.label, v.confidence, v.evidence, v.rationale, v.checker
                )
                for v in sides
            ),
        )


def _doubted(claim: Claim) -> bool:
    """Whether the speaker himself leaves the claim open. What may or might be done is a rule and no doubt."""
    return claim.kind is Kind.HEDGED and _DOUBT.search(claim.text) is not None


@dataclass(frozen=True, slots=True)
class _Judged:
    window: Window
    attributable: float
    extrapolatory: float
    contradictory: float

    @property
    def silent(self) -> bool:
        """Whether the model does not find for certain that the window speaks of the claim."""
        return max(self.attributable, self.contradictory) < _SPEAKS

    def near(self, claim: Claim) -> tuple[int, ...]:
        """The place of the sentence that has most of the claim's words; none where no sentence stands out."""
        shares = [coverage(claim.resolved, said) for said in self.window.said]
        best = max(range(len(shares)), key=shares.__getitem__)
        return (best,) if shares[best] >= _NEAR else ()

    def lacks(self, claim: Claim) -> str:
        """The first value or name of the claim that neither the nearest sentence nor those about it hold."""
        said = self.window.said
        (place,) = self.near(claim)
        return missing(
            claim.text, " . ".join(said[max(0, place - _ABOUT) : place + _ABOUT + 1]), self.window.head
        )

    def mixed(self, claim: Claim, parse: Parse) -> str:
        """A word of the claim that the nearest sentence has in another statement than the rest; "" where there is none."""
        (place,) = self.near(claim)
        said, known = parse(claim.resolved), parse(self.window.said[place])
        return mixed(said, known) or usurped(said, known)


def _proof(claim: Claim, judged: Sequence[_Judged], parse: Parse) -> tuple[_Judged, Difference] | None:
    """The difference in the sentence that is nearest to the claim; None where one as near has none.

    Only the claim's own words can be at fault: what stands for a pronoun is a reading of them.
    """
    text = claim.resolved
    best: tuple[float, _Judged, Difference] | None = None
    agreeing = 0.0
    among = list(dict.fromkeys(sentence for one in judged for sentence in one.window.said))
    for one in judged:
        said, head = one.window.said, one.window.head
        found = (
            []
            if _within(claim, one.window)
            else list(differences(text, said, head, among=among, parse=parse))
        )
        differing = {difference.sentence for difference in found}
        absent = set(lacking(text, " . ".join(said), head)) if found else set()
        for difference in found:
            if any(difference.claimed not in one for one in absent):
                continue  # it speaks of something else: more than the one thing differs
            needed = _BACKED if difference.telling and not one.silent else _PROOF
            proves = difference.share >= needed and difference.shared >= _LEAST_SHARED
            if proves and difference.claimed in claim.text and (best is None or difference.share > best[0]):
                best = (difference.share, one, difference)
        for at, sentence in enumerate(said):
            if at not in differing and not missing(text, sentence, head):
                agreeing = max(agreeing, coverage(text, sentence, head))
    return None if best is None or agreeing >= best[0] else best[1:]


def _within(claim: Claim, window: Window) -> bool:
    """Whether the window may only say more exactly where, for it names no country of its own."""
    said = window.text.casefold()
    return names_wider_place(claim, window.text) and not any(name in said for name in _countries())


def _elsewhere(claim: Claim, window: Window) -> bool:
    """Whether the window lacks more than one of the claim's names and values, and so speaks of something else."""
    return len(set(lacking(claim.text, " . ".join(window.said), window.head))) > 1


@cache
def _countries() -> frozenset[str]:
    return frozenset(label.casefold() for _, label in DEMONYMS.values())


def _place(claim: Claim, words: str) -> Span | None:
    """Where the words stand in the claim, if at one place alone."""
    at = claim.text.find(words)
    if at < 0 or claim.text.find(words, at + 1) >= 0:
        return None
    return Span(claim.span.start + at, claim.span.start + at + len(words))


def _shown(known: Object, words: str) -> Object:
    return replace(known, label=words) if isinstance(known, Value) else known


def _held(evidence: Evidence) -> str:
    return " . ".join(passage.text for passage in evidence.passages)


def _heads(evidence: Evidence) -> str:
    return " . ".join(f"{passage.title} {passage.about} {passage.url or ''}" for passage in evidence.passages)


def _repeating(window: Window, claim: str) -> int | None:
    """The sentence that is the claim, but for case, spaces and the full stop."""
    said = [_plain(one) for one in window.said]
    return said.index(_plain(claim)) if _plain(claim) in said else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".! ")


def _marked(verdict: Verdict, found: Sequence[Passage]) -> Verdict:
    """The verdict's passages with the words that bear on the claim, as far as these stand in the part that decides."""
    words = {passage.id: passage.marks for passage in found}

    def shown(read: Passage) -> Passage:
        marks = tuple(w for w in words[read.id] if any(part.overlaps(w) for part in read.marks))
        return replace(read, marks=marks or read.marks)

    evidence = replace(verdict.evidence, passages=tuple(map(shown, verdict.evidence.passages)))
    return replace(verdict, evidence=evidence)


def _quote(window: Window, places: Sequence[int]) -> str:
    said = [window.said[at] for at in places] or list(window.said)
    flat = " ".join(" ".join(said).split())
    return flat if len(flat) <= _QUOTED else f"{flat[:_QUOTED].rsplit(' ', 1)[0]} …"
