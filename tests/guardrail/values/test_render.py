"""A known value in the manner of the claimed words."""

from __future__ import annotations

import pytest

from guardrail.types import Node, Value
from guardrail.values import compare, find_values, render
from guardrail.values.render import as_sentence, shown

SWIFT = Value("13 December 1989", "1989-12-13", "date", 11)
EMPIRE = Value("381 m", "381", "quantity", unit=Node("Q11573", "metre"))
BIKE = Value("24.5 kg", "24.5", "quantity", unit=Node("Q11570", "kilogram"))
INDIA = Value("1,411,778,724", "1411778724", "quantity")


@pytest.mark.parametrize(
    ("known", "like", "written"),
    [
        (SWIFT, "March 3, 1990", "December 13, 1989"),
        (SWIFT, "3 March 1990", "13 December 1989"),
        (SWIFT, "3 Mar 1990", "13 Dec 1989"),
        (SWIFT, "3rd of March 1990", "13th of December 1989"),
        (SWIFT, "March 1990", "December 1989"),
        (SWIFT, "1990", "1989"),
        (SWIFT, "1990-03-03", "1989-12-13"),
        (SWIFT, "3/25/1990", "12/13/1989"),
        (SWIFT, "the 1990s", "the 1980s"),
        (SWIFT, "twenty-first century", "twentieth century"),
        (SWIFT, "19th-century", "20th-century"),
        (Value("1989", "1989", "date", 9), "March 3, 1990", "1989"),
        (Value("44 BC", "-0044", "date", 9), "45 BC", "44 BC"),
        (Value("bad", "bad", "date", 9), "1990", "bad"),
        (EMPIRE, "400 m", "381 m"),
        (EMPIRE, "400 metres", "381 metres"),
        (EMPIRE, "1,300 ft", "1,250 ft"),
        (EMPIRE, "1300-foot", "1250-foot"),
        (EMPIRE, "between 5 and 10 m", "381 m"),
        (EMPIRE, "5 kg", "381 m"),
        (BIKE, "22 kg", "24.5 kg"),
        (BIKE, "twenty kilograms", "24.5 kilograms"),
        (BIKE, "22.75 kg", "24.50 kg"),
        (BIKE, "50 pounds", "54 pounds"),
        (INDIA, "1.3 billion", "1.4 billion"),
        (INDIA, "1,300,000,000", "1,411,778,724"),
        (Value("33", "33", "quantity"), "30 years old", "33 years old"),
        (Value("33", "33", "quantity"), "thirty", "thirty-three"),
        (Value("33", "33", "quantity"), "Thirty years old", "Thirty-three years old"),
        (Value("44", "44", "string"), "43rd", "44th"),
        (Value("3", "3", "quantity"), "second", "third"),
        (
            Value("5000000", "5000000", "quantity", unit=Node("Q4917", "US dollar")),
            "$4 million",
            "$5 million",
        ),
        (Value("ISBN", "ISBN", "string"), "anything", "ISBN"),
    ],
)
def test_surface_form_is_kept(known: Value, like: str, written: str) -> None:
    """Order, abbreviations, units, separators and words of the claim are kept, and all digits of what is known in its own unit."""
    assert render(known, like) == written


@pytest.mark.parametrize("like", ["March 3, 1990", "1990", "the 1970s", "19th century", "3 Mar 1990"])
def test_what_is_rendered_agrees_with_what_is_known(like: str) -> None:
    """Reading a rendered date again never conflicts with the value it came from."""
    [argument] = find_values(render(SWIFT, like))
    assert argument.value is not None
    assert compare(argument.value, SWIFT) == "agree"


def test_a_quantity_is_shown_with_its_unit_once() -> None:
    """A label that names the unit in short needs it no more; a bare number does."""
    metre = Node("Q11573", "metre")
    assert shown(Value("74 m", "74", "quantity", unit=metre)) == "74 m"
    assert shown(Value("74", "74", "quantity", unit=metre)) == "74 metre"
    assert (
        shown(Value("1.4 million", "1400000", "quantity", unit=Node("x", "inhabitant")))
        == "1.4 million inhabitant"
    )
    assert shown(Node("Q1", "Ulm")) == "Ulm"


def test_a_year_that_is_kept_as_text_is_no_number_with_a_comma() -> None:
    """Beside a date it is a year."""
    year = Value("2011", "2011", "string")
    assert (render(year, "3 May 2012"), render(year, "2,400")) == ("2011", "2,011")


def test_a_sentence_ends_with_one_full_stop() -> None:
    """Also behind an abbreviation."""
    assert as_sentence("It opens at 9") == "It opens at 9."
    assert as_sentence("It opens at 8 a.m.") == "It opens at 8 a.m."
