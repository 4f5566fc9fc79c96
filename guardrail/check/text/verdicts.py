"""Verdicts by passages as a reader sees them: with the sentence that decides, a rationale, and what a correction may put right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from guardrail.check.text.compare.amounts import DATE
from guardrail.check.text.compare.exact import Difference
from guardrail.check.text.proof import Differing
from guardrail.check.text.reading import JudgedWindow, PassageReading
from guardrail.check.text.windows import Window
from guardrail.types import (
    Claim,
    Evidence,
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

__all__ = ["Verdicts", "marked", "quoted"]

_UNSURE = 0.5  # where words of the claim are missing, whatever the model makes of it
_SURE = 0.92  # of a difference in one place alone
_VERBATIM = 0.97
_QUOTED = 160  # characters of evidence that a rationale repeats


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts on one claim, each in the name of `checker`."""

    claim: Claim
    checker: str

    def verbatim(self, window: Window, place: int) -> Verdict:
        """Supported by the sentence at this place, which is the claim."""
        return self.decided(Label.ATTRIBUTABLE, window, (place,), _VERBATIM)

    def by_model(self, label: Label, one: JudgedWindow) -> Verdict:
        """As sure as the model is of the window."""
        return self.decided(label, one.window, one.nearest, one.share(label))

    def decided(self, label: Label, window: Window, places: Sequence[int], sure: float) -> Verdict:
        """Supported or contradicted by the sentences at these places of the window."""
        does = "supports" if label is Label.ATTRIBUTABLE else "contradicts"
        why = f"The passage “{_quote(window, places)}” {does} the claim."
        evidence = window.evidence(*places)
        return Verdict(self.claim, label, sure, evidence, why, checker=self.checker)

    def refuted(self, found: Differing) -> Verdict:
        """Contradictory by what stands in the place of the claimed words, which a correction may put there."""
        window, difference = found.judged.window, found.difference
        slot = _slot(self.claim, found)
        why = f"The passage “{_quote(window, (difference.sentence,))}” {_says(self.claim, difference)}."
        return Verdict(
            self.claim,
            Label.CONTRADICTORY,
            _SURE,
            window.evidence(difference.sentence),
            why,
            checker=self.checker,
            slot=slot,
            slots=(slot,),
        )

    def unheld(self, one: JudgedWindow, absent: str) -> Verdict:
        """Open, for the passage does not hold a value or name of the claim, or what it says is of something else."""
        quote = _quote(one.window, one.nearest)
        why = f"The passage “{quote}” is near the claim, but does not speak of “{absent}”."
        return self._open(one.window.evidence(*one.nearest), why)

    def undecided(self, reading: PassageReading) -> Verdict:
        """Open, with the window that comes nearest to deciding."""
        one = max(reading.windows, key=lambda one: one.attributable + one.contradictory)
        why = "The passages that were found neither confirm nor refute the claim with enough certainty."
        return self._open(one.window.evidence(*one.nearest), why, one.extrapolatory)

    def unread(self, evidence: Evidence, what: str) -> Verdict:
        """Open, for what was left out may say otherwise: a flood of like sentences must not hide the one that refutes."""
        why = f"Not read: {what}. So the claim is not taken as confirmed."
        return replace(self._open(evidence, why), reason=Reason.NOT_READ)

    def disagreement(self, support: JudgedWindow, refutal: JudgedWindow) -> Verdict:
        """Open, for two passages disagree; both are shown."""
        sides = self.by_model(Label.ATTRIBUTABLE, support), self.by_model(Label.CONTRADICTORY, refutal)
        pro, con = (_quote(one.window, one.nearest) for one in (support, refutal))
        passages = tuple(dict.fromkeys(p for side in sides for p in side.evidence.passages))
        why = f"The sources disagree: “{pro}” supports the claim, and “{con}” contradicts it."
        verdict = self._open(Evidence(passages=passages), why, 1 - support.attributable)
        return replace(verdict, by_source=tuple(map(_of_source, sides)))

    def _open(self, evidence: Evidence, why: str, sure: float = _UNSURE) -> Verdict:
        return Verdict(
            self.claim,
            Label.EXTRAPOLATORY,
            sure,
            evidence,
            why,
            checker=self.checker,
            reason=Reason.INSUFFICIENT,
        )


def _says(claim: Claim, difference: Difference) -> str:
    """What a sentence has otherwise than the claim: another value, another bound of it, or what the claim denies."""
    claimed, known = difference.claimed, difference.known
    if known == f"not {claimed}" and re.search(
        rf"(?:\bnot?|n['’]t|\bnever)\s+(?:\w+\s+)?{re.escape(claimed)}", claim.text
    ):
        return f"says “{claimed}”, which the claim denies"
    if known == claimed:
        return f"sets another bound to “{known}” than the claim does"
    return f"says “{known}” where the claim says “{claimed}”"


def _slot(claim: Claim, found: Differing) -> Slot:
    """What the claim says, what the sentence has in its place, and where a correction would stand."""
    difference = found.difference
    value = () if difference.value is None else (_shown(difference.value, difference.known),)
    return Slot(
        property=difference.slot,
        claimed=difference.claimed,
        known=difference.known,
        cardinality="single",
        state="conflict",
        span=_place(claim, difference.claimed),
        fact=-1,
        values=value,
        answers=1,
        type=_type(found.difference),
    )


def _type(difference: Difference) -> Literal["", "date", "number"]:
    """What was compared; a date in words ("May") is no value."""
    datatype = difference.value.datatype if isinstance(difference.value, Value) else ""
    if datatype == "quantity":
        return "number"
    return "date" if datatype == "date" or difference.slot == DATE else ""


def _place(claim: Claim, words: str) -> Span | None:
    """Where the words stand in the claim, if at one place alone."""
    at = claim.text.find(words)
    if at < 0 or claim.text.find(words, at + 1) >= 0:
        return None
    return Span(claim.span.start + at, claim.span.start + at + len(words))


def _shown(known: Object, words: str) -> Object:
    return replace(known, label=words) if isinstance(known, Value) else known


def _of_source(side: Verdict) -> SourceVerdict:
    source = side.evidence.passages[0].source
    return SourceVerdict(source, side.label, side.confidence, side.evidence, side.rationale, side.checker)


def marked(verdict: Verdict, found: Sequence[Passage]) -> Verdict:
    """The verdict's passages with the words that bear on the claim, as far as these stand in the part that decides."""
    words = {passage.id: passage.marks for passage in found}

    def shown(read: Passage) -> Passage:
        marks = tuple(w for w in words[read.id] if any(part.overlaps(w) for part in read.marks))
        return replace(read, marks=marks or read.marks)

    evidence = replace(verdict.evidence, passages=tuple(map(shown, verdict.evidence.passages)))
    return replace(verdict, evidence=evidence)


def _quote(window: Window, places: Sequence[int]) -> str:
    return quoted(" ".join([window.said[at] for at in places] or window.said))


def quoted(text: str) -> str:
    """Evidence as a rationale repeats it: on one line, and the beginning alone of what is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else f"{flat[:_QUOTED].rsplit(' ', 1)[0]} …"
