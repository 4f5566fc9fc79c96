"""Days of the week in text."""

from __future__ import annotations

import pytest

from guardrail.values.weekdays import find_weekdays, weekdays


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mondays and Sunday", {0, 6}),
        ("Mon-Sat", {0, 1, 2, 3, 4, 5}),
        ("Fri-Mon", {4, 5, 6, 0}),
        ("Mo-Fr 09:00-17:00", {0, 1, 2, 3, 4}),
        ("Tue, Thu", {1, 3}),
        ("from Tuesday to Sunday", {1, 2, 3, 4, 5, 6}),
        ("at weekends", {5, 6}),
        ("on weekdays", {0, 1, 2, 3, 4}),
        ("daily", {0, 1, 2, 3, 4, 5, 6}),
        ("hours Sun", {6}),
        ("MON-FRI", {0, 1, 2, 3, 4}),
        ("between Monday and Wednesday", {0, 1, 2}),
        ("Good Friday", set()),
        ("on the first Monday of the month", set()),
        ("every other Tuesday", set()),
        ("The Sun is a star", set()),
        ("Sat on a bench", set()),
        ("We went home", set()),
    ],
)
def test_days_are_a_set(text: str, days: set[int]) -> None:
    """However they are written; a short form alone counts only where it can be nothing else."""
    assert weekdays(text) == days


def test_a_list_of_days_has_one_place() -> None:
    """The whole of it."""
    text = "It is on Tuesdays and Thursdays at ten."
    assert [one.span.of(text) for one in find_weekdays(text)] == ["Tuesdays and Thursdays"]
