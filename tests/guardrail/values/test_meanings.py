"""Words that name two units."""

from __future__ import annotations

import pytest

from guardrail.types import Value
from guardrail.values import compare, find_values, render
from guardrail.values.meanings import meant, other_reading, read_as
from guardrail.values.units import unit_named


def _value(text: str) -> Value:
    value = find_values(text)[0].value
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("It costs 31 pounds.", ["pound sterling"]),
        ("31 pounds is the price.", ["pound sterling"]),
        ("It weighs 31 pounds.", ["pound"]),
        ("It costs £4 and weighs 31 pounds.", ["pound"]),
        ("It has 31 pounds.", ["pound", "pound sterling"]),
    ],
)
def test_the_sentence_tells_which_unit_is_meant(text: str, units: list[str]) -> None:
    """Pounds are money where something costs so many, a mass where it weighs that, and else may be either."""
    assert [unit.node.label for unit in meant("pounds", text, text.index("31"))] == units
    assert meant("kg", text, text.index("31"))[0].node.label == "kilogram"


def test_a_value_of_no_told_unit_has_another_reading() -> None:
    """Only where nothing in the text tells which unit is meant."""
    text = "It has 31 pounds."
    other = other_reading(find_values(text)[0], text)
    assert other is not None
    assert other.unit is not None
    assert other.unit.label == "pound sterling"
    told = "It costs 31 pounds."
    assert other_reading(find_values(told)[0], told) is None


def test_a_value_is_read_in_the_unit_of_the_known_one() -> None:
    """The known value tells which unit is meant; a unit that is written for one thing stays."""
    assert compare(_value("nine pounds"), _value("£9")) == "agree"
    assert compare(_value("ten pounds"), _value("£9")) == "conflict"
    assert compare(_value("6.6 pounds"), _value("3 kg")) == "agree"
    assert compare(_value("9 lb"), _value("£9")) == "unknown"
    assert read_as(_value("9 lb"), _value("£9")) == _value("9 lb")


def test_just_under_a_number_is_not_above_it() -> None:
    """What is a little more, as a rounded number may stand for, is left open."""
    assert compare(_value("£5 million"), _value("£4.9 million"), modifier="nearly") == "agree"
    assert compare(_value("£5 million"), _value("£5.1 million"), modifier="nearly") == "unknown"
    assert compare(_value("£5 million"), _value("£6 million"), modifier="nearly") == "conflict"


def test_a_sum_is_written_in_the_words_of_the_sentence() -> None:
    """Pounds stand for pounds sterling."""
    assert render(_value("£9"), "ten pounds") == "nine pounds"
    assert unit_named("pounds") is unit_named("lb")
