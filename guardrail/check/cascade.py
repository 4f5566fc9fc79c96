"""Asks one checker after another until the claim is decided: the exact and cheap ones first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guardrail.types import Checker, Claim, Evidence, Label, Reason, Verdict

__all__ = ["FINAL", "Cascade"]

# No statement decides what was never said for certain, or of whom; passages are read with what stands before it.
FINAL = frozenset({Reason.HEDGED, Reason.AMBIGUOUS_REFERENCE})


class Cascade:
    """Implements `Checker`: the first verdict that decides wins, else the first one given.

    A checker passes a claim on by returning None or an Extrapolatory verdict, unless that shows passages or statements which
    disagree. A further member of a list that may go on is refuted by passages alone.
    """

    name = "cascade"

    def __init__(self, checkers: Sequence[Checker]) -> None:
        if not checkers:
            raise ValueError("a cascade needs at least one checker")
        self._checkers = tuple(checkers)

    def check(self, claim: Claim, evidence: Evidence) -> Verdict:
        """Never None: without any verdict the claim is Extrapolatory for lack of evidence."""
        first: Verdict | None = None
        for checker in self._checkers:
            verdict = checker.check(claim, evidence)
            if verdict is None or _refutes_one_more(verdict, first):
                continue
            if _is_last(verdict, evidence):
                return _with_slots(verdict, first)
            if first is None or _says_more(verdict, first):
                first = verdict
        return first or _undecided(claim)


def _refutes_one_more(verdict: Verdict, first: Verdict | None) -> bool:
    """Whether statements that were read refute what comparing found to be a further member of a list that may go on."""
    listed = first is not None and first.reason is Reason.OPEN_LIST
    return listed and verdict.label is Label.CONTRADICTORY and not verdict.evidence.passages


def _is_last(verdict: Verdict, evidence: Evidence) -> bool:
    """Whether no checker is asked after it: it decides, nothing can, or what it rests on disagrees."""
    disputed = verdict.conflict and (bool(verdict.evidence.passages) or verdict.slot is not None)
    final = verdict.reason in FINAL and not evidence.passages
    return verdict.label is not Label.EXTRAPOLATORY or final or disputed


def _says_more(verdict: Verdict, first: Verdict) -> bool:
    """Whether passages were read where nothing could be compared: that they do not tell is the better reason."""
    return bool(verdict.evidence.passages) and not any(slot.known for slot in first.slots)


def _with_slots(verdict: Verdict, first: Verdict | None) -> Verdict:
    """The verdict with what was compared slot by slot, and its statements, where the checker that decides compared nothing."""
    if first is None or verdict.slots or not first.slots:
        return verdict
    triplets = dict.fromkeys((*verdict.evidence.triplets, *first.evidence.triplets))
    return replace(verdict, slots=first.slots, evidence=replace(verdict.evidence, triplets=tuple(triplets)))


def _undecided(claim: Claim) -> Verdict:
    return Verdict(
        claim=claim,
        label=Label.EXTRAPOLATORY,
        confidence=0.5,
        evidence=Evidence(),
        rationale="No evidence was found that bears on this claim, so it is neither confirmed nor refuted.",
        checker=Cascade.name,
        reason=claim.reason or Reason.NO_EVIDENCE,
    )
