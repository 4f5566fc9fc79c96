"""How surely another value is wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.orient import side_of
from guardrail.check.wrongness import wrongness
from guardrail.types import Answer, Argument, Candidate, Entity, Fact, Mention, Property, Span

TODAY = date(2024, 6, 1)


def surely(fact: Fact, answer: Answer) -> float:
    return wrongness(fact, answer, side_of(fact, answer), answer.statements, TODAY)


@pytest.mark.parametrize(("years", "wrong"), [(("1901",), True), (("1479", "1812"), False)])
def test_what_was_founded_again_and_again_has_no_one_date(
    make: Any, years: tuple[str, ...], wrong: bool
) -> None:
    """Of several known beginnings a further one is possible."""
    text = "Utopia was founded in 1895."
    fact = make.fact(make.argument("Utopia", text), "was founded in", make.argument("1895", text), "P571")
    answer = make.answer("Utopia", "P571", [make.statement("Utopia", "P571", make.date(y)) for y in years])
    assert (surely(fact, answer) > 0) is wrong


@pytest.mark.parametrize(
    ("kings", "since", "wrong"),
    [(("Ann",), {}, True), (("Ann", "Bob"), {}, False), (("Ann", "Bob"), {"P580": "2020"}, True)],
)
def test_heads_of_all_times_do_not_tell_the_present_one(
    make: Any, kings: tuple[str, ...], since: dict[str, str], wrong: bool
) -> None:
    """Several heads without dates may all be over; a date says which one it is."""
    text = "Carl is the king of Utopia."
    fact = make.fact(
        make.argument("Utopia", text), "head of state", make.argument("Carl", text), "P35", tense="present"
    )
    heads = Property("P35", "head of state", cardinality="list", temporal=True)
    statements = tuple(make.statement("Utopia", "P35", king, **since) for king in kings)
    assert (surely(fact, Answer(0, make.node("Utopia"), heads, statements)) > 0) is wrong


@pytest.mark.parametrize(("predicate", "wrong"), [("is in", False), ("is headquartered in", True)])
def test_a_body_is_in_many_places_and_has_one_seat(make: Any, predicate: str, wrong: bool) -> None:
    """ "The company in Ireland" says nothing of its headquarters."""
    text = "The company is in Ireland."
    seats = Property("P159", "headquarters location", cardinality="single")
    fact = make.fact(make.argument("company", text), predicate, make.argument("Ireland", text), "P159")
    answer = Answer(0, make.node("company"), seats, (make.statement("company", "P159", "Oslo"),), apart=True)
    assert (surely(fact, answer) > 0) is wrong


@pytest.mark.parametrize(("known", "wrong"), [("NBC", False), ("pop music", True)])
def test_a_word_for_a_kind_is_no_other_name(make: Any, known: str, wrong: bool) -> None:
    """ "TV drama" is not another broadcaster; it may be another genre."""
    text = "Their show is a drama."
    one = Property("P449", "original broadcaster", cardinality="single")
    fact = make.fact(make.argument("show", text), "is on", make.argument("drama", text), "P449")
    answer = Answer(0, make.node("show"), one, (make.statement("show", "P449", known),))
    assert (surely(fact, answer) > 0) is wrong


@pytest.mark.parametrize(("words", "wrong"), [("is capital of", True), ("was painted in", False)])
def test_a_person_is_no_capital(make: Any, words: str, wrong: bool) -> None:
    """Where the relation is named outright, somebody in the place of a city is wrong whatever the graph knows of him."""
    text = "Jane Doe is the capital of Utopia."
    span = Span(0, 8)
    person = Candidate(Entity("Q9", "Jane Doe", types=("Q5",)), 0.0)
    jane = Argument("Jane Doe", span, (Mention(span, "Jane Doe", (person,)),))
    fact = make.fact(jane, words, make.argument("Utopia", text))
    answer = make.answer("Utopia", "P36", [make.statement("Utopia", "P36", "Amaurot")], about="object")
    assert (surely(fact, answer) > 0) is wrong
    place = replace(person, entity=replace(person.entity, types=("Q515",)))
    city = replace(jane, mentions=(replace(jane.mentions[0], candidates=(place,)),))
    assert not surely(replace(fact, subject=city), answer)
