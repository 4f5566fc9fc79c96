"""Reading dates in the forms that people and models write."""

from __future__ import annotations

from guardrail.values import find_values


def test_a_short_range_end_is_completed() -> None:
    """1990-95 ends in 1995."""
    assert [a.value.value for a in find_values("1990-95") if a.value] == ["1990", "1995"]
