"""States on two continents."""

from __future__ import annotations

from guardrail.values.continents import reaches


def test_only_the_continents_of_the_state_itself_count() -> None:
    """An unknown state reaches none."""
    assert reaches("Q159", ["Q48"])
    assert not reaches("Q159", ["Q15"])
    assert not reaches("", ["Q15"])
    assert not reaches("Q159", [])
