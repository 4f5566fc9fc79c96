"""Codes are told from dates, measures and names, and compared where they have one form."""

from __future__ import annotations

import pytest

from guardrail.values.codes import find_codes, is_code, same_form


@pytest.mark.parametrize(
    "text", ["AB-1042", "LX 20/7", "2000-100", "SW1A 1AA", "IP67", "40063813", "555-0142", "10.4432.B"]
)
def test_codes(text: str) -> None:
    """Capital letters, digits and signs; digits alone only where there are many."""
    assert is_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "1042",
        "2020-01-05",
        "2020-2024",
        "2023/24",
        "24/7",
        "3-1",
        "08:30-18:00",
        "40 KM/H",
        "Room 101",
        "Q",
        "A4",
        "AB",
        "e27x",
        "",
    ],
)
def test_what_is_no_code(text: str) -> None:
    """Numbers, dates, ranges, names, and what has too few digits to be told from a word."""
    assert not is_code(text)


def test_codes_are_found_as_wholes_and_by_their_form() -> None:
    """Neither part of a longer code nor one of another form."""
    text = "AB-1043, AB-10444, AB-1045/2, (XY-1046) and E27"
    assert [one.of(text) for one in find_codes(text, "AB-1042")] == ["AB-1043", "XY-1046"]
    assert same_form("AB-1042", "AB-1043")
    assert not same_form("AB-1042", "AB 1043")
