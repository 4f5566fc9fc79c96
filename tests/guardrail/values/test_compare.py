"""Agree, conflict or unknown."""

from __future__ import annotations

from decimal import Decimal

import pytest

from guardrail.types import Node, Value
from guardrail.values import compare, find_values, near
from guardrail.values.compare import rounds

METRE, YEAR, DOLLAR = Node("Q11573", "metre"), Node("Q577", "year"), Node("Q4917", "United States dollar")


def day(text: str, calendar: str = "") -> Value:
    precision = 9 + text.lstrip("-").count("-")
    return Value(text, text, "date", precision, calendar)


def quantity(
    number: str, unit: Node | None = None, lower: str | None = None, upper: str | None = None
) -> Value:
    return Value(number, number, "quantity", unit=unit, lower=lower, upper=upper)


def check(words: str, known: Value) -> str:
    argument = find_values(words)[0]
    assert argument.value is not None
    return compare(argument.value, known, modifier=argument.modifier)


@pytest.mark.parametrize(
    ("words", "known", "state"),
    [
        ("13 December 1989", day("1989-12-13"), "agree"),
        ("1989", day("1989-12-13"), "agree"),
        ("December 1989", day("1989-12-13"), "agree"),
        ("1990", day("1989-12-13"), "conflict"),
        ("13 December 1989", day("1989"), "unknown"),
        ("14 December 1990", day("1989"), "conflict"),
        ("the 1980s", day("1989-12-13"), "agree"),
        ("the 1970s", day("1989-12-13"), "conflict"),
        ("the late 1980s", day("1989-12-13"), "agree"),
        ("until the end of 2027", day("2027-12-31"), "agree"),
        ("until the end of 2027", day("2027-06-30"), "conflict"),
        ("by the end of 2027", day("2027-10-20"), "agree"),
        ("by the end of 2027", day("2026-05-01"), "agree"),
        ("by the end of 2027", day("2028-05-01"), "conflict"),
        ("before the end of 2027", day("2027-02-01"), "agree"),
        ("before the start of 2027", day("2026-11-01"), "agree"),
        ("before the start of 2027", day("2027-02-01"), "conflict"),
        ("no later than the end of June 2027", day("2027-06-03"), "agree"),
        ("after the end of 2020", day("2021-02-01"), "agree"),
        ("at the end of 2027", day("2027-10-20"), "unknown"),
        ("at the beginning of May 2027", day("2027-05-01"), "agree"),
        ("at the beginning of May 2027", day("2027-05-31"), "conflict"),
        ("the early 1980s", day("1989-12-13"), "unknown"),
        ("20th century", day("1989"), "agree"),
        ("20th century", day("2000"), "agree"),
        ("21st century", day("2000"), "conflict"),
        ("before 1990", day("1989-12-13"), "agree"),
        ("before 1989", day("1989-12-13"), "conflict"),
        ("after 1989", day("1989-12-13"), "conflict"),
        ("by 1989", day("1989-12-13"), "agree"),
        ("around 1850", day("1852"), "agree"),
        ("around 1850", day("1890"), "conflict"),
        ("44 BC", day("-0044-03-15"), "agree"),
        ("1st century BC", day("-0044-03-15"), "agree"),
        ("44 BC", day("0044"), "conflict"),
    ],
)
def test_dates(words: str, known: Value, state: str) -> None:
    """Coarser agrees, finer is unknown, disjoint conflicts."""
    assert check(words, known) == state


def test_julian_and_gregorian_days_do_not_conflict() -> None:
    """The October Revolution began on 25 October or 7 November; two named equal calendars do conflict."""
    assert check("7 November 1917", day("1917-10-25")) == "unknown"
    assert check("8 October 1917", day("1917-10-25")) == "conflict"
    gregorian = Value("7 November 1917", "1917-11-07", "date", 11, "gregorian")
    assert compare(gregorian, day("1917-10-25", "gregorian")) == "conflict"


@pytest.mark.parametrize(
    ("words", "known", "state"),
    [
        ("381 metres", quantity("381", METRE), "agree"),
        ("1,250 ft", quantity("381", METRE), "agree"),
        ("1,300 ft", quantity("381", METRE), "conflict"),
        ("400 m", quantity("381", METRE), "conflict"),
        ("about 400 m", quantity("381", METRE), "agree"),
        ("exactly 380 m", quantity("381", METRE), "conflict"),
        ("8.8 km", quantity("8849", METRE), "agree"),
        ("more than 300 m", quantity("381", METRE), "agree"),
        ("more than 381 m", quantity("381", METRE), "conflict"),
        ("at least 381 m", quantity("381", METRE), "agree"),
        ("less than 300 m", quantity("381", METRE), "conflict"),
        ("up to 400 m", quantity("381", METRE), "agree"),
        ("nearly 400 m", quantity("381", METRE), "agree"),
        ("between 300 and 400 m", quantity("381", METRE), "agree"),
        ("between 400 and 500 m", quantity("381", METRE), "conflict"),
        ("381 kg", quantity("381", METRE), "unknown"),
        ("$381", quantity("381", METRE), "unknown"),
        ("1.4 billion", quantity("1411778724"), "agree"),
        ("1.3 billion", quantity("1411778724"), "conflict"),
        ("68 million", quantity("68512806"), "agree"),
        ("68 million", quantity("69100000"), "conflict"),
        ("1 million", quantity("1900000"), "conflict"),
        ("380.9 m", quantity("381", METRE), "agree"),
        ("379 m", quantity("381", METRE), "conflict"),
        ("25,000", quantity("25012"), "agree"),
        ("300", quantity("340"), "conflict"),
        ("three", quantity("4"), "conflict"),
        ("four", quantity("4"), "agree"),
        ("30 years old", quantity("33", YEAR), "conflict"),
        ("33 years old", quantity("33", YEAR), "agree"),
        ("the 44th", Value("44", "44", "string"), "agree"),
        ("the 45th", Value("44", "44", "string"), "conflict"),
        ("$5 million", quantity("5000000", DOLLAR), "agree"),
        ("$20", quantity("20", DOLLAR), "agree"),
        ("$20", quantity("19.80", DOLLAR), "unknown"),
        ("about $20", quantity("19.80", DOLLAR), "agree"),
        ("$20", quantity("25", DOLLAR), "conflict"),
        ("$25,000", quantity("25012", DOLLAR), "agree"),
        ("€5 million", quantity("5000000", DOLLAR), "unknown"),
        ("0 °C", quantity("273.15", Node("Q11579", "kelvin")), "agree"),
        ("300 people", quantity("300", Node("Q33659", "inhabitant")), "agree"),
    ],
)
def test_quantities(words: str, known: Value, state: str) -> None:
    """Units convert, hedges widen, comparators bound; what cannot be converted is unknown."""
    assert check(words, known) == state


def test_bounds_of_the_source_are_honoured() -> None:
    """A known quantity of 42 to 44 agrees with 44 and not with 50."""
    known = quantity("43", METRE, "42", "44")
    assert check("44 m", known) == "agree"
    assert check("50 m", known) == "conflict"


def test_unlike_things_are_unknown() -> None:
    """A date and a quantity, or a damaged value, say nothing about each other."""
    assert compare(day("1989"), quantity("1989")) == "unknown"
    assert compare(Value("x", "x", "date"), day("1989")) == "unknown"
    assert compare(quantity("x"), quantity("1")) == "unknown"
    assert compare(quantity("1"), Value("a", "a", "string")) == "unknown"
    assert compare(Value("A-b", "A-b", "string"), Value("ab", "ab", "string")) == "agree"


@pytest.mark.parametrize(
    ("words", "state", "may_be"),
    [
        ("25 kg", "unknown", True),
        ("24 kg", "unknown", True),
        ("about 25 kg", "agree", True),
        ("nearly 25 kg", "agree", True),
        ("24.5 kg", "agree", False),
        ("24.4 kg", "conflict", False),
        ("27 kg", "conflict", False),
    ],
)
def test_a_whole_number_is_no_finer_figure_rounded_far(words: str, state: str, may_be: bool) -> None:
    """24.5 kg confirm 25 kg only where it is said to be about so much; `rounds` tells that it may be meant."""
    bike = quantity("24.5", Node("Q11570", "kilogram"))
    found = find_values(words)[0].value
    assert found is not None
    assert (check(words, bike), rounds(found, bike)) == (state, may_be)


def test_a_small_part_of_a_figure_may_be_left_out() -> None:
    """At most a hundredth of it, or what "million" leaves out."""
    assert check("42 km", quantity("42.195", Node("Q828224", "kilometre"))) == "agree"
    assert check("331 million people", quantity("331449281", Node("Q33659", "inhabitant"))) == "agree"


def test_near_is_a_share_of_the_claimed_figure() -> None:
    """In the claimed unit; what cannot be converted is near nothing."""
    miles = find_values("2,341 miles")[0].value
    assert miles is not None
    river = quantity("3726", Node("Q828224", "kilometre"))
    assert near(miles, river, Decimal("0.02"))
    assert not near(miles, river, Decimal("0.01"))
    assert not near(miles, quantity("3726", YEAR), Decimal("0.5"))


@pytest.mark.parametrize(
    ("words", "metres", "state"),
    [
        ("2 km", "1950", "agree"),
        ("2 km", "1600", "unknown"),
        ("1 km", "590", "unknown"),
        ("2 km", "1400", "conflict"),
    ],
)
def test_a_few_whole_units_confirm_only_what_is_near(words: str, metres: str, state: str) -> None:
    """1.6 km may be rounded to two, but that is no reason to confirm it."""
    assert check(words, quantity(metres, METRE)) == state


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("1,538 °C", "agree"),
        ("2,800 °F", "agree"),
        ("1,535 °C", "unknown"),
        ("1,500 °C", "conflict"),
        ("1,200 °C", "conflict"),
    ],
)
def test_books_tell_temperatures_a_little_differently(words: str, state: str) -> None:
    """Half a percent from absolute zero is neither confirmed nor refuted."""
    celsius = Node("Q25267", "degree Celsius")
    assert check(words, quantity("1538", celsius)) == state
