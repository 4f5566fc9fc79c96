"""States on two continents."""

from __future__ import annotations

import pytest

from guardrail.types import Label
from guardrail.values.continents import reaches
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Turkey is in Europe.", Label.ATTRIBUTABLE),
        ("Turkey is in Asia.", Label.ATTRIBUTABLE),
        ("Denmark is in North America.", Label.EXTRAPOLATORY),  # Greenland, of which the graph says nothing
        ("France is in South America.", Label.EXTRAPOLATORY),
        ("France is in Asia.", Label.CONTRADICTORY),
        ("Turkey is located in Africa.", Label.CONTRADICTORY),
        ("Japan is in Europe.", Label.CONTRADICTORY),
    ],
)
def test_a_continent_that_a_state_reaches_is_never_a_conflict(
    verifier: Verifier, text: str, label: Label
) -> None:
    """One that it does not reach is."""
    (verdict,) = verifier.check(text).verdicts
    assert verdict.label is label


def test_only_the_continents_of_the_state_itself_count() -> None:
    """An unknown state reaches none."""
    assert reaches("Q159", ["Q48"])
    assert not reaches("Q159", ["Q15"])
    assert not reaches("", ["Q15"])
    assert not reaches("Q159", [])
