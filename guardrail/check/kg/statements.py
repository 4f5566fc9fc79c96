"""A claim beside statements: by the words that the lexicon knows, and where these leave it open by the graph's own."""

from __future__ import annotations

from dataclasses import replace

from guardrail.check.cascade import FINAL
from guardrail.check.kg.aligned.words import former
from guardrail.check.kg.ends import exchanged
from guardrail.types import Checker, Claim, Evidence, Label, Verdict

__all__ = ["StatementsChecker"]


class StatementsChecker:
    """Implements `Checker`. `exact` reads relations that the lexicon knows, `aligned` any property of the graph at hand.

    What `exact` refutes by words that no lexicon knows ("closes at half past ten"), or of what is over, stands only where
    `aligned` does not find the claim supported: "a former director" of a graph that has former directors is one.
    """

    name = "statements"

    def __init__(self, exact: Checker, aligned: Checker) -> None:
        self._exact, self._aligned = exact, aligned

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        """The verdict of the one that decides, else that of `exact`, which says why it is open."""
        first = self._exact.check(claim, evidence)
        if first is None or first.reason in FINAL or first.label is Label.ATTRIBUTABLE or first.conflict:
            return first
        if first.label is Label.CONTRADICTORY and _worded(first) and not former(claim.text):
            return first
        second = self._aligned.check(claim, evidence)
        return first if second is None or _is_exchanged(second, evidence) else _of_both(first, second)


def _is_exchanged(verdict: Verdict, evidence: Evidence) -> bool:
    return verdict.label is Label.ATTRIBUTABLE and exchanged(
        verdict.claim, verdict.evidence.triplets, evidence
    )


def _of_both(first: Verdict, second: Verdict) -> Verdict:
    """The second one, unless it does not support what the first refutes."""
    if first.label is Label.CONTRADICTORY:
        return second if second.label is Label.ATTRIBUTABLE else first
    return replace(second, claim=first.claim)


def _worded(verdict: Verdict) -> bool:
    """Whether the fact that decided was read by a relation of the lexicon."""
    slot, facts = verdict.slot, verdict.claim.facts
    return slot is not None and slot.fact < len(facts) and bool(facts[slot.fact].relations)
