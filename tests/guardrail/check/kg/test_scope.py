"""Conflicts that the words around take back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.scope import scoped
from guardrail.types import Evidence, Fact, Node, Span, Value


def conflict(fact: Fact, property_id: str, relation: str, *known: Value, note: Any = "") -> FactFinding:
    reading = fact.subject.mentions[0].candidates[0].entity.id
    return FactFinding(
        0, "conflict", relation, fact.object, known, reading=reading, property_id=property_id, note=note
    )


def state(make: Any, text: str, fact: Fact, finding: FactFinding) -> str:
    return scoped(finding, fact, make.claim(text, fact), Evidence()).state


@pytest.mark.parametrize(
    ("text", "years", "expected"),
    [
        ("Ragtime (1975)", "1981", "unknown"),  # a book, before its film
        ("Ragtime (1979)", "1981", "conflict"),  # so near it is a mistake
        ("Ragtime (1990)", "1981", "conflict"),
        ("Ragtime (2010)", "1981", "unknown"),  # a remake
        ("Ragtime came out in 1975.", "1981", "conflict"),
    ],
)
def test_a_year_in_brackets_tells_works_of_one_name_apart(
    make: Any, text: str, years: str, expected: str
) -> None:
    """Far from the known year it is that of another work; a sentence that states the year states it of the known one."""
    year = next(word.strip("().") for word in text.split() if word.strip("().").isdigit())
    fact = make.fact(make.argument("Ragtime", text), "is from", make.argument(year, text), "P577")
    assert state(make, text, fact, conflict(fact, "P577", "publication date", make.date(years))) == expected


@pytest.mark.parametrize(
    ("lead", "expected"),
    [
        ("1967 animated film ", "unknown"),
        ("2015 film ", "conflict"),  # so near it is a mistake
        ("1814 film ", "conflict"),  # no film is as old
        ('1967 "', "unknown"),
        ("1967 the author of ", "conflict"),
    ],
)
def test_a_year_before_the_name_tells_likewise(make: Any, lead: str, expected: str) -> None:
    """ "The 1967 film The Jungle" is not the one of 2016."""
    text = f"It is in the {lead}The Jungle."
    fact = make.fact(make.argument("The Jungle", text), "is from", make.argument(lead[:4], text), "P577")
    assert state(make, text, fact, conflict(fact, "P577", "publication date", make.date("2016"))) == expected


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (("1751", "1834"), "unknown"),
        (("1952", "1990"), "conflict"),  # so near it is a mistake
        (("1751", "1994"), "conflict"),  # nobody lives as long
        (("1951", "1834"), "conflict"),
        (("1751", ""), "conflict"),  # "born 1751" states it
    ],
)
def test_life_dates_of_another_age_are_of_a_namesake(
    make: Any, dates: tuple[str, str], expected: str
) -> None:
    """A whole life two hundred years before the known one is another's; a date that makes no life is wrong."""
    first, last = dates
    text = f"Ann Lee ({first}-{last})"
    name = make.argument("Ann Lee", text)
    facts = [
        make.fact(name, "born", replace(make.values(first)[0], span=Span(9, 13)), "P569"),
        *(make.fact(name, "died", replace(value, span=Span(14, 18)), "P570") for value in make.values(last)),
    ]
    finding = conflict(facts[0], "P569", "date of birth", make.date("1962"))
    assert scoped(finding, facts[0], make.claim(text, *facts), Evidence()).state == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Utopia has 8 states.", "conflict"), ("Utopia has 8 states in the north.", "unknown")],
)
def test_a_count_of_a_part_refutes_nothing(make: Any, text: str, expected: str) -> None:
    """More words behind the noun make it another list."""
    fact = make.fact(make.argument("Utopia", text), "has state", make.argument("8", text), "P150")
    finding = conflict(fact, "P150", "contains", Value("9", "9", "quantity"), note="count")
    assert state(make, text, fact, finding) == expected


def test_what_does_not_conflict_stays(make: Any) -> None:
    """Agreement is never taken back here."""
    text = "Ragtime (1975)"
    fact = make.fact(make.argument("Ragtime", text), "is from", make.argument("1975", text), "P577")
    finding = replace(conflict(fact, "P577", "publication date", make.date("1975")), state="agree")
    assert scoped(finding, fact, make.claim(text, fact), Evidence()) is finding


def test_a_range_behind_a_name_may_be_no_life(make: Any) -> None:
    """Who was not born in 1921 did not die in 1947 either: the bracket gives the time of something else."""
    text = "Ann Lee (1921-1947)"
    name = make.argument("Ann Lee", text)
    born = make.fact(name, "born", replace(make.values("1921")[0], span=Span(9, 13)), "P569")
    died = make.fact(name, "died", replace(make.values("1947")[0], span=Span(14, 18)), "P570")
    birth = make.statement("Ann Lee", "P569", make.date("1869"))
    finding = conflict(died, "P570", "date of death", make.date("1948"))
    claim = make.claim(text, born, died)
    assert scoped(finding, died, claim, Evidence(triplets=(birth,))).state == "unknown"
    near = make.statement("Ann Lee", "P569", make.date("1920"))
    assert scoped(finding, died, claim, Evidence(triplets=(near,))).state == "conflict"


def test_a_range_behind_a_club_is_the_time_of_a_member(make: Any) -> None:
    """ "Rovers (1987-1990)" does not say that the club was founded in 1987."""
    text = "Rovers (1987-1990)"
    name = make.argument("Rovers", text)
    founded = make.fact(name, "founded", replace(make.values("1987")[0], span=Span(8, 12)), "P571")
    ended = make.fact(name, "dissolved", replace(make.values("1990")[0], span=Span(13, 17)), "P576")
    finding = conflict(founded, "P571", "inception", make.date("1878"))
    assert scoped(finding, founded, make.claim(text, founded, ended), Evidence()).state == "unknown"
    assert scoped(finding, founded, make.claim(text, founded), Evidence()).state == "conflict"


@pytest.mark.parametrize(
    ("first", "last", "expected"), [("1975", "2000", "unknown"), ("1957", "2000", "conflict")]
)
def test_a_range_within_a_life_is_the_time_of_something_else(
    make: Any, first: str, last: str, expected: str
) -> None:
    """Who was a man by then was not born then; a range from about the year of birth is a life with a mistake."""
    text = f"Ann Lee ({first}-{last})"
    name = make.argument("Ann Lee", text)
    born = make.fact(name, "born", replace(make.values(first)[0], span=Span(9, 13)), "P569")
    died = make.fact(name, "died", replace(make.values(last)[0], span=Span(14, 18)), "P570")
    birth = make.statement("Ann Lee", "P569", make.date("1955"))
    finding = replace(conflict(born, "P569", "date of birth", make.date("1955")), reading=birth.subject.id)
    assert scoped(finding, born, make.claim(text, born, died), Evidence(triplets=(birth,))).state == expected


@pytest.mark.parametrize(
    ("figure", "expected"), [("land area", "unknown"), ("total area", "conflict"), ("area", "conflict")]
)
def test_a_part_of_a_figure_is_another_figure(make: Any, figure: str, expected: str) -> None:
    """The land area leaves the lakes out."""
    text = f"Utopia has a {figure} of 540 km²."
    fact = make.fact(make.argument("Utopia", text), figure, make.argument("540 km²", text), "P2046")
    known = Value("700 km²", "700", "quantity", unit=Node("Q712226", "square kilometre"))
    assert state(make, text, fact, conflict(fact, "P2046", "area", known)) == expected
