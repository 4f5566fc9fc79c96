"""Numbers in digits and words."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.values.numbers import plain, read_number, step, write_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,250", "1250"),
        ("1.4 billion", "1400000000"),
        ("three hundred and five", "305"),
        ("twenty-one", "21"),
        ("two million five hundred thousand", "2500000"),
        ("a hundred", "100"),
        ("half a million", "500000"),
        ("2 000", None),
        ("2\u00a0000", "2000"),
        ("-7", "-7"),
        ("", None),
        ("and", None),
        ("seven apples", None),
    ],
)
def test_read(text: str, number: str | None) -> None:
    """What is no number as a whole gives None."""
    assert read_number(text) == (None if number is None else Decimal(number))


@given(st.integers(0, 100))
def test_words_round_trip(number: int) -> None:
    """Every count up to a hundred is written and read in words."""
    assert read_number(write_number(Decimal(number), like="seven")) == number


@given(st.decimals(min_value=0, max_value=10**12, places=3))
def test_digits_round_trip(number: Decimal) -> None:
    """Digits with separators are read as they were written."""
    assert read_number(write_number(number, like="1,234.567")) == number


@pytest.mark.parametrize(
    ("text", "exact", "rounded"),
    [
        ("25,000", "1", "1000"),
        ("1.4 billion", "100000000", "100000000"),
        ("$400m", "1000000", "1000000"),
        ("400 m", "1", "100"),
        ("3.50", "0.01", "0.01"),
        ("twenty", "1", "10"),
        ("nothing", "1", "1"),
    ],
)
def test_step(text: str, exact: str, rounded: str) -> None:
    """The last digit says how finely a number is stated."""
    assert step(text) == (Decimal(exact), Decimal(rounded))


def test_magnitude_is_dropped_where_it_would_lie() -> None:
    """350,000 is not written in millions; 5 million keeps its word."""
    assert write_number(Decimal(350000), like="2 million") == "350,000"
    assert write_number(Decimal(5000000), like="2 million") == "5 million"


def test_plain_has_no_exponent_and_no_idle_zeros() -> None:
    """Canonical decimals compare as text."""
    assert [plain(Decimal(t)) for t in ("1E+3", "2.500", "-0.0", "100")] == ["1000", "2.5", "0", "100"]
