"""Extended triples: the slots beside the object."""

from __future__ import annotations

from typing import Any

from guardrail.check.attributes import with_attributes
from guardrail.check.finding import Finding
from guardrail.types import Attribute, Evidence, Node, Qualifier, Triplet, Value


def agreeing(make: Any, *triplets: Triplet) -> Finding:
    return Finding(
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
