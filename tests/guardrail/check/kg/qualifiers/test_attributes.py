"""Extended triples: the slots beside the object."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.qualifiers.attributes import with_attributes
from guardrail.types import Argument, Attribute, Evidence, Node, Qualifier, Triplet, Value


def agreeing(make: Any, *triplets: Triplet) -> FactFinding:
    return FactFinding(
        0,
        "agree",
        "position held",
        make.argument("president", "president"),
        triplets=triplets,
        confidence=0.97,
    )


def test_a_rank_is_compared_with_the_series_ordinal(make: Any) -> None:
    """The 44th is not the 45th."""
    base = make.statement("Obama", "P39", "president")
    rank = Qualifier(Node("P1545", "series ordinal"), Value("44", "44", "string"))
    statement = Triplet(base.subject, base.predicate, base.object, (rank,))
    for words, state in (("44th", "agree"), ("45th", "conflict")):
        attribute = Attribute("ordinal", make.argument(words, words))
        assert with_attributes(agreeing(make, statement), [attribute], Evidence()).state == state


def test_one_statement_that_agrees_is_enough(make: Any) -> None:
    """Two terms: a year in the second agrees, though the first had ended."""
    first = make.statement("Ada", "P39", "president", P580="1990", P582="1994")
    second = make.statement("Ada", "P39", "president", P580="2000", P582="2004")
    attribute = Attribute("time", make.argument("2002", "2002"))
    assert with_attributes(agreeing(make, first, second), [attribute], Evidence()).state == "agree"
    between = Attribute("time", make.argument("1997", "1997"))
    assert with_attributes(agreeing(make, first, second), [between], Evidence()).state == "conflict"


def test_a_place_among_the_qualifiers_agrees_and_another_proves_nothing(make: Any) -> None:
    """An event has more than one place."""
    base = make.statement("Ada", "P26", "Bob")
    statement = Triplet(
        base.subject, base.predicate, base.object, (Qualifier(Node("P276", "location"), make.node("Rome")),)
    )
    for place, state in (("Rome", "agree"), ("Paris", "unknown")):
        attribute = Attribute("place", make.argument(place, place))
        assert with_attributes(agreeing(make, statement), [attribute], Evidence()).state == state


def test_without_attributes_nothing_changes(make: Any) -> None:
    """A flat triple keeps its finding."""
    finding = agreeing(make, make.statement("Ada", "P39", "president"))
    assert with_attributes(finding, [], Evidence()) == finding


@pytest.mark.parametrize(("age", "state"), [("95", "agree"), ("94", "conflict")])
def test_an_age_at_an_event_is_reckoned(make: Any, age: str, state: str) -> None:
    """From the birth to the death, of which both days are known."""
    birth = make.statement("Ada", "P569", make.date("1918-07-18"))
    death = make.statement("Ada", "P570", make.date("2013-12-05"))
    attribute = Attribute("age", Argument(f"age of {age}"))
    finding = with_attributes(agreeing(make, death), [attribute], Evidence(triplets=(birth, death)))
    assert finding.state == state
    if state == "conflict":
        assert (finding.slot.claimed, finding.slot.known) == (f"age of {age}", "95")
    assert with_attributes(agreeing(make, death), [attribute], Evidence()).state == "unknown"


def test_an_age_at_a_time_in_the_qualifiers(make: Any) -> None:
    """Born in 1900, president from 1942: 41 or 42, as the months are not known."""
    birth = make.statement("Ada", "P569", make.date("1900"))
    office = make.statement("Ada", "P39", "president", P580="1942")
    for age, state in (("41", "agree"), ("42", "agree"), ("43", "conflict")):
        attribute = Attribute("age", make.argument(f"{age} years old", f"{age} years old"))
        finding = with_attributes(agreeing(make, office), [attribute], Evidence(triplets=(birth, office)))
        assert finding.state == state


@pytest.mark.parametrize(("year", "state"), [("1918", "agree"), ("1919", "conflict")])
def test_until_is_the_end(make: Any, year: str, state: str) -> None:
    """It lasted from 1914 to 1918: the end is a statement of its own."""
    start = make.statement("War", "P580", make.date("1914-07-28"))
    end = make.statement("War", "P582", make.date("1918-11-11"))
    attribute = Attribute("time", make.argument(year, year, modifier="to"))
    finding = with_attributes(agreeing(make, start), [attribute], Evidence(triplets=(start, end)))
    assert finding.state == state
