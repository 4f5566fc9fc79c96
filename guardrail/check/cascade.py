"""Asks one checker after another until the claim is decided: the exact and cheap ones first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from guardrail.types import Checker, Claim, Evidence, Label, Reason, Verdict
from guardrail.values.comparisons import orders

__all__ = ["FINAL", "Cascade"]

# No statement decides what was never said for certain, or of whom; passages are read with what stands before it.
FINAL = frozenset({Reason.HEDGED, Reason.AMBIGUOUS_REFERENCE})
_OVER = re.compile(r"\b(?:no longer|any ?more|not yet)\b", re.IGNORECASE)
_DECIDING = frozenset({Label.ATTRIBUTABLE, Label.CONTRADICTORY})


class Cascade:
    """Implements `Checker`: the first verdict that decides wins, else the first one given.

    A checker passes a claim on by returning None or an Extrapolatory verdict, unless that shows passages or statements which
    disagree. What the first verdict has compared slot by slot a later checker may decide only by a passage, or by statements that
    are read together: another member of a list refutes nothing, nor does the place of a birth whose date the graph does not know.
    Where a part of the claim is not known, a later checker's support must rest on one of them too.
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
            still = _open(first)
            if not still and not _of_text(evidence):
                continue  # it need not be asked: nothing that it could say would be taken
            verdict = checker.check(claim, evidence)
            if verdict is None or not _is_taken(verdict, still):
                continue
            if _is_last(verdict, evidence):
                return _with_slots(verdict, first)
            if first is None or _says_more(verdict, first):
                first = verdict
        return first or _undecided(claim)


def _is_taken(verdict: Verdict, still: frozenset[Label]) -> bool:
    """Whether it decides nothing, or what is still open, or is read off texts."""
    return verdict.label not in _DECIDING - still or _of_text(verdict.evidence)


def _is_last(verdict: Verdict, evidence: Evidence) -> bool:
    """Whether no checker is asked after it: it decides, nothing can, or what it rests on disagrees."""
    disputed = verdict.conflict and (bool(verdict.evidence.passages) or verdict.slot is not None)
    final = verdict.reason in FINAL and not evidence.passages
    return verdict.label is not Label.EXTRAPOLATORY or final or disputed


def _of_text(evidence: Evidence) -> bool:
    """Whether something is there that is read as a whole and not compared slot by slot."""
    return bool(evidence.passages or evidence.nearest)


def _says_more(verdict: Verdict, first: Verdict) -> bool:
    """Whether passages were read where nothing could be compared: that they do not tell is the better reason."""
    return bool(verdict.evidence.passages) and not any(slot.known for slot in first.slots)


def _with_slots(verdict: Verdict, first: Verdict | None) -> Verdict:
    """The verdict with what was compared slot by slot, and its statements, where the checker that decides compared nothing."""
    if first is None or verdict.slots or not first.slots:
        return verdict
    triplets = dict.fromkeys((*verdict.evidence.triplets, *first.evidence.triplets))
    return replace(verdict, slots=first.slots, evidence=replace(verdict.evidence, triplets=tuple(triplets)))


def _open(first: Verdict | None) -> frozenset[Label]:
    """The labels that a later checker may still give on statements alone, after they were compared."""
    if first is None:
        return _DECIDING
    if orders(first.claim.text) or _OVER.search(first.claim.text):
        return frozenset()  # what comes first, is larger or is over is reckoned from values or not known
    compared = any(slot.known for slot in first.slots)
    refutable = not compared and first.reason not in (Reason.OPEN_LIST, Reason.AMBIGUOUS_ENTITY)
    found = {Label.CONTRADICTORY} if refutable else set()
    return frozenset(found | {Label.ATTRIBUTABLE} if _supportable(first) else found)


def _supportable(first: Verdict) -> bool:
    if any(slot.state == "unknown" and slot.known for slot in first.slots):
        return False
    facts = first.claim.facts
    if facts and all(fact.relations for fact in facts) and not any(s.state == "agree" for s in first.slots):
        return (
            False  # the graph was asked for just these relations, and other statements do not stand for them
        )
    # A part of the claim that no statement knows, "the largest", is not known for reading the rest again.
    slot = first.slot
    left_out = slot is not None and slot.state == "unknown" and not slot.known
    return not (first.reason is Reason.INSUFFICIENT and left_out)


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
