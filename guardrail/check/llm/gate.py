"""Whether a claim still needs a language model. The share of claims kept from it is a metric.

A proof is not put to the vote: what the symbolic checker has settled on aligned slots, no model may overturn. Where there
is no evidence a model could only tell what it remembers, which is what is being checked.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from guardrail.types import Claim, Evidence, Kind, Label, Reason, Verdict

__all__ = ["Case", "Gate", "settled"]

_CERTAIN = 0.98  # calibrated probability from which a model's second opinion is not worth a call

_UNDECIDABLE = {
    Reason.AMBIGUOUS_REFERENCE: "ambiguous",  # nobody knows of whom it speaks, so no evidence is about it
    Reason.HEDGED: "hedged",  # neither Attributable nor Contradictory, whatever the evidence
}


@dataclass(frozen=True, slots=True)
class Case:
    """One claim with what was found for it and what the embedded tier made of it; None if that has said nothing."""

    claim: Claim
    evidence: Evidence
    verdict: Verdict | None = None


def settled(case: Case) -> str:
    """Why no model needs to look at it: "proven", "sources disagree", "no evidence", "not checkable", "ambiguous",
    "hedged", "certain"; "" if one should.
    """
    claim, verdict = case.claim, case.verdict
    if not claim.kind.checkable:
        return "not checkable"
    if not case.evidence:
        return "no evidence"
    return "" if verdict is None else _settled_by(verdict, claim)


def _settled_by(verdict: Verdict, claim: Claim) -> str:
    if verdict.slot is not None and verdict.slot.state in ("agree", "conflict") and verdict.reason is None:
        return "proven"
    if verdict.conflict and verdict.label is not Label.EXTRAPOLATORY:
        return "sources disagree"  # their order of precedence decides, which is the policy's word
    if verdict.reason in _UNDECIDABLE:
        return _UNDECIDABLE[verdict.reason]
    if claim.kind is Kind.HEDGED:
        return "hedged"
    if verdict.label is not Label.EXTRAPOLATORY and verdict.confidence >= _CERTAIN:
        return "certain"
    return ""


@dataclass(slots=True)
class Gate:
    """Counts what it lets through. Thread-safe."""

    passed: int = 0
    kept: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def needs_model(self, case: Case) -> bool:
        reason = settled(case)
        with self._lock:
            if reason:
                self.kept[reason] = self.kept.get(reason, 0) + 1
            else:
                self.passed += 1
        return not reason

    @property
    def saved(self) -> float:
        """Share of claims that needed no model, in [0, 1]; 0 before the first one."""
        with self._lock:
            kept = sum(self.kept.values())
            return kept / (kept + self.passed) if kept + self.passed else 0.0
