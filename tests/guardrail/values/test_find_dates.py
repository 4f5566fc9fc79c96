"""Reading dates in the forms that people and models write."""

from __future__ import annotations

from guardrail.values import find_values
from guardrail.values.find_dates import find_days


def test_a_short_range_end_is_completed() -> None:
    """1990-95 ends in 1995."""
    assert [a.value.value for a in find_values("1990-95") if a.value] == ["1990", "1995"]


def test_a_day_without_a_year_is_found_apart() -> None:
    """It is no date, and "may 5" is no day; the full stop behind it is not a part of it."""
    text = "Due by June 20th or the 3rd of May. They may 5 times."
    assert [(span.of(text), day) for span, day in find_days(text)] == [
        ("June 20th", "--06-20"),
        ("3rd of May", "--05-03"),
    ]
    assert find_days("Due by 20 June 2031.") == []
