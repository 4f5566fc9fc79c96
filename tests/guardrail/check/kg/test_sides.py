"""Which end answers what."""

from __future__ import annotations

from typing import Any

from guardrail.check.kg.sides import side_of


def test_four_ways_of_asking(make: Any) -> None:
    """Asked from either argument, forwards or backwards, the known end is the one that is not the anchor."""
    text = "Lyon is the capital of France."
    fact = make.fact(make.argument("Lyon", text), "is the capital of", make.argument("France", text), "^P36")
    statement = make.statement("France", "P36", "Paris")
    from_object = side_of(fact, make.answer("France", "P36", [statement], about="object"))
    assert from_object.claimed.text == "Lyon"
    assert from_object.known(statement).label == "Paris"
    assert not from_object.incoming
    backwards = make.statement("France", "P36", "Lyon")
    from_subject = side_of(fact, make.answer("Lyon", "P36", [backwards], inverse=True))
    assert from_subject.claimed.text == "France"
    assert from_subject.known(backwards).label == "France"
    assert from_subject.incoming


def test_a_symmetric_relation_is_no_incoming_list(make: Any) -> None:
    """Spouses point at each other."""
    text = "Ada married Bob."
    fact = make.fact(make.argument("Ada", text), "married", make.argument("Bob", text), "P26")
    reverse = make.statement("Bob", "P26", "Ada")
    side = side_of(fact, make.answer("Ada", "P26", [reverse], inverse=True))
    assert not side.incoming
    assert side.known(reverse).label == "Bob"
