"""A value of a sentence beside a known one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from guardrail.check.kg.aligned.fillers import Filler, read
from guardrail.check.kg.aligned.fit import affirmed, family, match, match_days, said
from guardrail.language import parser
from guardrail.types import Claim, Node, Object, Property, Span, Triplet, Value
from guardrail.values.units import unit_named


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
        ("It costs €5.", number("6", "week"), "period", "unfit"),
        ("It costs 0.40 euros.", number("0.40", "euro"), "late fee", "same"),
        ("It costs 40 euros.", number("0.40", "euro"), "late fee", "other"),
        ("It opens at 9 am.", text("09:00-17:30"), "opening hours", "same"),
        ("It closes at 5 pm.", text("09:00-17:30"), "opening hours", "other"),
        ("It runs version 4.7.", text("4.8"), "version", "other"),
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


@pytest.mark.parametrize(
    ("sentence", "known", "label", "expected"),
    [
        ("It is open on Tuesdays.", ["Tue", "Thu"], "days", "same"),
        ("It is open on Mondays.", ["Tue", "Thu"], "days", "other"),
        ("It is closed on Mondays.", ["Tue-Sun"], "days", "same"),
        ("It isn't open at weekends.", ["Mon-Fri"], "days", "same"),
        ("It is open at weekends.", ["Mon-Sat"], "days", "unknown"),
        ("It is closed on Mondays.", ["Tuesday"], "closed on", "other"),
        ("It is open on Mondays.", ["09:00-17:00"], "hours", "unfit"),
        ("It is open on Mondays.", ["every day except Monday"], "days", "unfit"),
    ],
)
def test_days_of_the_week_are_compared_with_all_that_are_known(
    sentence: str, known: Sequence[str], label: str, expected: str
) -> None:
    """ "Closed" and "not" turn what is said round, and so does a property of the days on which it is closed."""
    statements = [Triplet(Node("s", "It"), Node("p", label), text(one)) for one in known]
    found = match_days(filler(sentence).days, statements, Property("p", label), sentence)
    assert {one for one, _ in found} == {expected}


@pytest.mark.parametrize(
    ("sentence", "known", "expected"),
    [
        ("You don't pay anything to join.", number("0", "USD"), "same"),
        ("Joining is free of charge.", number("20", "USD"), "other"),
        ("Joining is free of charge.", number("42", "day"), "unfit"),
    ],
)
def test_that_nothing_is_to_be_paid_is_a_sum(sentence: str, known: Object, expected: str) -> None:
    """It says nothing of what is no money."""
    triplet = Triplet(Node("s", "It"), Node("p", "joining fee"), known)
    assert match(filler(sentence), triplet, Property("p", "joining fee"), sentence) == expected


def test_a_limit_is_compared_with_the_limit_that_is_told() -> None:
    """ "Up to £8,000" is not so of an annual limit of £3,000, though up to £8,000 may be £3,000."""
    triplet = Triplet(Node("s", "It"), Node("p", "annual limit"), number("3000", "USD"))
    found = match(
        filler("It pays up to $8,000."), triplet, Property("p", "annual limit"), "It pays up to $8,000."
    )
    assert found == "other"


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
