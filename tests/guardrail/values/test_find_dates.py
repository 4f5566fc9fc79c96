"""Reading dates in the forms that people and models write."""

from __future__ import annotations

import pytest

from guardrail.values import find_values


@pytest.mark.parametrize(
    ("text", "value", "precision"),
    [
        ("December 13, 1989", "1989-12-13", 11),
        ("Dec. 13, 1989", "1989-12-13", 11),
        ("13 December 1989", "1989-12-13", 11),
        ("the 13th of December 1989", "1989-12-13", 11),
        ("13/12/1989", "1989-12-13", 11),
        ("13.12.1989", "1989-12-13", 11),
        ("04/05/1990", "1990", 9),
        ("1969-07-20", "1969-07-20", 11),
        ("May 2004", "2004-05", 10),
        ("in 1945", "1945", 9),
        ("44 BC", "-0044", 9),
        ("15 March 44 BC", "-0044-03-15", 11),
        ("AD 79", "0079", 9),
        ("in 476.", "0476", 9),
        ("the 1990s", "1990", 8),
        ("the '80s", "1980", 8),
        ("19th century", "1801", 7),
        ("the nineteenth century", "1801", 7),
        ("5th century BC", "-0500", 7),
        ("the 2nd millennium", "1001", 6),
        ("a 1995 film", "1995", 9),
        ("the 2008 elections", "2008", 9),
    ],
)
def test_forms(text: str, value: str, precision: int) -> None:
    """Each form gives its canonical value at its own precision."""
    found = [a.value for a in find_values(text) if a.value and a.value.datatype == "date"]
    assert [(v.value, v.precision) for v in found] == [(value, precision)]


@pytest.mark.parametrize(
    ("text", "modifiers"),
    [
        ("in the early 1990s", ["early"]),
        ("mid-2004", ["mid"]),
        ("before 1900", ["before"]),
        ("around 1850", ["about"]),
        ("c. 1850", ["about"]),
        ("since 2001", ["since"]),
        ("from 1990 to 1995", ["from", "to"]),
        ("between 1990 and 1995", ["between", "and"]),
        ("1914–1918", ["from", "to"]),
        ("1990-95", ["from", "to"]),
        ("in 1945", [""]),
        ("in 1945 and 1950", ["", ""]),
    ],
)
def test_modifiers(text: str, modifiers: list[str]) -> None:
    """The words that bound a date are kept apart from it."""
    assert [a.modifier for a in find_values(text)] == modifiers


@pytest.mark.parametrize("text", ["1500 people", "1200 employees", "1969 kg", "more than 2000 men", "$1999"])
def test_four_digits_that_count_are_no_year(text: str) -> None:
    """What stands after a number, or before it, tells a count from a year."""
    assert [a.value.datatype for a in find_values(text) if a.value] == ["quantity"]


def test_a_short_range_end_is_completed() -> None:
    """1990-95 ends in 1995."""
    assert [a.value.value for a in find_values("1990-95") if a.value] == ["1990", "1995"]
