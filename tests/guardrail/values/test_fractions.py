"""Amounts told by fractions of a unit."""

from __future__ import annotations

import pytest

from guardrail.values.fractions import find_fractions


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("half a year", "0.5", "year"),
        ("three quarters of an hour", "0.75", "hour"),
        ("a year and a half", "1.5", "year"),
        ("two and a half hours", "2.5", "hour"),
        ("a fortnight", "2", "week"),
    ],
)
def test_a_fraction_of_a_unit_is_an_amount(text: str, number: str, unit: str) -> None:
    """With its unit."""
    (found,) = find_fractions(text)
    assert found.value is not None
    assert found.value.unit is not None
    assert (found.text, found.value.value, found.value.unit.label) == (text, number, unit)


def test_half_of_a_thing_is_none() -> None:
    """A unit is needed, and "a year" alone is a rate."""
    assert find_fractions("half of the budget, 24 places a year") == []
