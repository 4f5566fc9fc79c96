"""How surely another value is wrong."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.compare.comparison import Comparison
from guardrail.check.kg.compare.exclusion import exclusion
from guardrail.check.kg.sides import side_of
from guardrail.types import Answer, Fact, Property, Value

TODAY = date(2024, 6, 1)


def surely(fact: Fact, answer: Answer) -> float:
    return exclusion(Comparison(fact, answer, side_of(fact, answer), answer.statements, TODAY))


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


@pytest.mark.parametrize(("predicate", "wrong"), [("belonged to", False), ("was located in", True)])
def test_what_held_a_place_once_is_not_refuted_by_who_holds_it(
    make: Any, predicate: str, wrong: bool
) -> None:
    """It "belonged to" another before; where it lay, it lies."""
    text = "The island belonged to Arcadia."
    fact = make.fact(
        make.argument("island", text), predicate, make.argument("Arcadia", text), "P17", tense="past"
    )
    known = make.answer("island", "P17", [make.statement("island", "P17", "Utopia")], apart=True)
    assert (surely(fact, known) > 0) is wrong


@pytest.mark.parametrize(
    ("predicate", "tense", "wrong"),
    [
        ("is broadcast on", "present", False),
        ("was broadcast on", "past", True),
        ("is originally broadcast on", "present", True),
    ],
)
def test_a_show_may_have_gone_to_another_broadcaster(
    make: Any, predicate: str, tense: str, wrong: bool
) -> None:
    """The original one says nothing of where it is seen now."""
    text = "The show is broadcast on Fox."
    one = Property("P449", "original broadcaster", cardinality="single")
    fact = make.fact(make.argument("show", text), predicate, make.argument("Fox", text), "P449", tense=tense)
    answer = Answer(0, make.node("show"), one, (make.statement("show", "P449", "NBC"),))
    assert (surely(fact, answer) > 0) is wrong


@pytest.mark.parametrize(("predicate", "wrong"), [("of", False), ("was written by", True)])
def test_what_is_somebodys_need_not_be_by_him(make: Any, predicate: str, wrong: bool) -> None:
    """A film by Olof of a book by Berta is Olof's film, and refutes nothing."""
    text = "Olof's Velmora was a success."
    fact = make.fact(
        make.argument("Velmora", text), predicate, make.argument("Olof", text), "P50", tense="past"
    )
    one = Property("P50", "author", cardinality="single")
    answer = Answer(0, make.node("Velmora"), one, (make.statement("Velmora", "P50", "Berta"),))
    assert (surely(fact, answer) > 0) is wrong


@pytest.mark.parametrize(("relation", "wrong"), [("P50", True), ("P915", False)])
def test_a_property_that_was_not_asked_for_refutes_nothing(make: Any, relation: str, wrong: bool) -> None:
    """Where the graph has no filming locations, a word in common with "director" asks for no director."""
    text = "The film was filmed in Oslo."
    fact = make.fact(make.argument("film", text), "was filmed in", make.argument("Oslo", text), relation)
    answer = make.answer("film", "P50", [make.statement("film", "P50", "Ann")])
    assert (surely(fact, answer) > 0) is wrong


@pytest.mark.parametrize(("known", "wrong"), [("We-Mo 09:00-19:00", False), ("6", True)])
def test_a_number_is_another_one_than_a_number(make: Any, known: str, wrong: bool) -> None:
    """Of a text that is more than a number, another number says nothing."""
    text = "The café opens at nine."
    hours = Property("urn:hours", "opening hours", datatype="string", cardinality="single")
    fact = make.fact(make.argument("café", text), "opens at", make.values(text)[0], text)
    told = make.statement("café", "urn:hours", Value(known, known, "string"))
    assert (surely(fact, Answer(0, make.node("café"), hours, (told,))) > 0) is wrong


@pytest.mark.parametrize(("known", "wrong"), [("22:30:00", False), ("late in the evening", True)])
def test_a_word_and_a_figure_are_not_of_a_kind(make: Any, known: str, wrong: bool) -> None:
    """What was read of "half past ten" is no other hour than the known one."""
    text = "The reading room closes at half past ten."
    closing = Property("urn:closing", "closing time", datatype="string", cardinality="single")
    fact = make.fact(make.argument("reading room", text), "closes at", make.unknown("half", text))
    hour = make.statement("reading room", "urn:closing", Value(known, known, "string"))
    assert (surely(fact, Answer(0, make.node("reading room"), closing, (hour,))) > 0) is wrong
