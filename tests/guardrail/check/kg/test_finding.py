"""The noun that the checks hand on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guardrail.check.kg.finding import FactFinding


def test_the_slot_is_the_proof(make: Any) -> None:
    """The slot names claimed and known; what is known is material for a revision unless it is denied."""
    claimed = make.argument("Nairobi", "in Nairobi")
    triplets = [make.statement("Obama", "P19", f"Place {i}") for i in range(5)]
    finding = FactFinding(2, "unknown", "place of birth", claimed, cardinality="single")
    finding = finding.with_statements(lambda t: t.object, triplets, "conflict", confidence=0.9)
    slot = finding.slot
    assert (slot.property, slot.claimed, slot.state, slot.fact) == (
        "place of birth",
        "Nairobi",
        "conflict",
        2,
    )
    assert slot.known == "Place 0; Place 1; Place 2; Place 3 …"
    assert len(slot.values) == 5
    assert replace(finding, negated=True).slot.values == ()
