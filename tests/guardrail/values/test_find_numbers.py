"""Reading quantities: number, scale, unit, bounds, and the words that soften them."""

from __future__ import annotations

import pytest

from guardrail.types import Value
from guardrail.values import find_values
from guardrail.values.find_numbers import read_quantity


def only(text: str) -> Value:
    [argument] = find_values(text)
    assert argument.value is not None
    return argument.value


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("381 m", "381", "metre"),
        ("1,250 ft", "1250", "foot"),
        ("a 30-metre wall", "30", "metre"),
        ("8,849 metres", "8849", "metre"),
        ("357,022 km²", "357022", "square kilometre"),
        ("-40 °C", "-40", "degree Celsius"),
        ("299,792 km/s", "299792", "kilometre per second"),
        ("186,282 miles per second", "186282", "mile per second"),
        ("9.81 m/s²", "9.81", "metre per second squared"),
        ("19.3 grams per cubic centimeter", "19.3", "gram per cubic centimetre"),
        ("250 ml", "250", "millilitre"),
        ("5 km/minute", "5", None),
        ("twenty-five percent", "25", "percent"),
        ("7.5%", "7.5", "percent"),
        ("$2.5 million", "2500000", "United States dollar"),
        ("€3bn", "3000000000", "euro"),
        ("30 years old", "30", "years old"),
        ("a 30-year-old man", "30", "years old"),
        ("at the age of 14", "14", "years old"),
        ("aged 64", "64", "years old"),
        ("the 44th president", "44", "ordinal"),
        ("the third president", "3", "ordinal"),
        ("2 hours 30 minutes", "2.5", "hour"),
        ("1.4 billion people", "1400000000", None),
        ("**999** million", "999000000", None),
        ("three hundred and five ships", "305", None),
        ("half a million", "500000", None),
        ("a dozen eggs", "12", None),
        ("50 states", "50", None),
        ("1,000,000", "1000000", None),
    ],
)
def test_forms(text: str, value: str, unit: str | None) -> None:
    """Each form gives a decimal and its unit."""
    found = only(text)
    assert (found.value, found.unit.label if found.unit else None) == (value, unit)


def test_a_range_has_bounds() -> None:
    """ "Between 5 and 10 km" and "10–12 kg" are one quantity each, with a lower and an upper end."""
    for text, low, high in (
        ("between 5 and 10 km", "5", "10"),
        ("10–12 kg", "10", "12"),
        ("10 to 12 kg", "10", "12"),
    ):
        found = only(text)
        assert (found.lower, found.upper) == (low, high)
        assert found.unit is not None


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("about 300 m", "about"),
        ("approximately 300 m", "about"),
        ("nearly 300 m", "nearly"),
        ("more than 300 m", "more than"),
        ("over 300 m", "more than"),
        ("at least 300 m", "at least"),
        ("up to 300 m", "at most"),
        ("fewer than 300 ships", "less than"),
        ("exactly 300 m", "exactly"),
        ("~300 m", "about"),
        ("the 300 m", ""),
    ],
)
def test_modifiers(text: str, modifier: str) -> None:
    """Words of approximation and comparison are reduced to a few."""
    [argument] = find_values(text)
    assert argument.modifier == modifier


@pytest.mark.parametrize(
    "text", ["one of them", "GPT-4", "No. 5", "chapter 7", "two thirds", "1/2", "at 5:30", "B-52"]
)
def test_what_counts_nothing_is_left_out(text: str) -> None:
    """Names, labels, clock times and fractions are no counts."""
    assert find_values(text) == []


def test_in_is_an_inch_only_where_no_phrase_follows() -> None:
    """ "1.4 billion in 2020" has no inches, "6 ft 2 in" has."""
    assert only("6 ft 2 in").unit is not None
    assert [a.text for a in find_values("1.4 billion in 2020")] == ["1.4 billion", "2020"]


def test_read_quantity_takes_the_whole_text() -> None:
    """A text with more in it is not one quantity."""
    assert read_quantity("381 m") is not None
    assert read_quantity("381 m tall") is None
