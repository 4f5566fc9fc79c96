"""Amounts told by fractions of a unit."""

from __future__ import annotations

from guardrail.values.fractions import find_fractions


def test_half_of_a_thing_is_none() -> None:
    """A unit is needed, and "a year" alone is a rate."""
    assert find_fractions("half of the budget, 24 places a year") == []
