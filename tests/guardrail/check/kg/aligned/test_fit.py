"""A value of a sentence beside a known one."""

from __future__ import annotations

import pytest

from guardrail.check.kg.aligned.fillers import Filler, read
from guardrail.check.kg.aligned.fit import affirmed, family, match, said
from guardrail.language import parser
from guardrail.types import Claim, Node, Object, Property, Span, Triplet, Value
from guardrail.values.units import unit_named

WEEK, EURO = unit_named("week"), unit_named("euro")


def text(value: str) -> Value:
    return Value(value, value, "string")


def number(value: str, unit: str = "") -> Value:
    named = unit_named(unit) if unit else None
    return Value(f"{value} {unit}".strip(), value, "quantity", unit=named.node if named else None)


def filler(sentence: str) -> Filler:
    (found,) = read(Claim(0, Span(0, len(sentence)), sentence, sentence), (), parser().read).values
    return found


@pytest.mark.parametrize(
    ("sentence", "known", "label", "expected"),
    [
        ("It takes six weeks.", number("42", "day"), "period", "same"),
        ("It takes six days.", number("6", "week"), "period", "other"),
        ("It takes three months.", number("90", "day"), "period", "unknown"),
        ("It costs €5.", number("6", "week"), "period", "unfit"),
        ("It costs 0.40 euros.", number("0.40"), "late fee in euros", "same"),
        ("It costs 40 euros.", number("0.40"), "late fee in euros", "other"),
        ("It opens at 9 am.", text("09:00-17:30"), "opening hours", "same"),
        ("It closes at 5 pm.", text("09:00-17:30"), "opening hours", "other"),
        ("It runs version 4.7.", text("4.8"), "version", "other"),
        ("It is closed on Mondays.", text("Tuesday"), "closed on", "other"),
        ("It opened in 1908.", text("1908-10-02"), "opened", "same"),
        ("It has 20 rooms.", Node("q", "Ann Lee"), "director", "unfit"),
    ],
)
def test_values_are_compared_through_units_and_formats(
    sentence: str, known: Object, label: str, expected: str
) -> None:
    """What cannot be a value of the property says nothing about it."""
    triplet = Triplet(Node("s", "It"), Node("p", label), known)
    assert match(filler(sentence), triplet, Property("p", label), sentence) == expected


def test_yes_and_no_are_known_however_they_are_written() -> None:
    """A count is a yes where there is any."""
    assert affirmed(text("yes")) is True
    assert affirmed(Node("no", "no")) is False
    assert affirmed(number("0")) is False
    assert affirmed(text("diesel")) is None


def test_a_known_text_is_found_in_any_number() -> None:
    """Batteries are what battery names."""
    assert said(Node("b", "battery"), "It runs on batteries.") == Span(11, 20)
    assert said(text("diesel"), "It runs on batteries.") is None


def test_values_have_the_kind_of_their_unit() -> None:
    """A bare number is a count."""
    assert [family(filler(one)) for one in ("It costs €5.", "It has 5 rooms.", "It opens at 9 am.")] == [
        "EUR",
        "count",
        "clock",
    ]
