"""Readings that can have a relation, and those that cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guardrail.check.kg.domains import in_domain
from guardrail.types import Argument, Candidate, Entity, Fact, Label, Mention, Span
from guardrail.verifier import Verifier


def two_readings(make: Any, relation: str) -> Fact:
    span = Span(0, 5)
    company, person = Entity("Q:Tesla, Inc.", "Tesla, Inc.", types=("Q4830453",)), Entity(
        "Q:Nikola Tesla", "Nikola Tesla", types=("Q5",)
    )  # fmt: skip
    mention = Mention(span, "Tesla", (Candidate(company, 0.0), Candidate(person, -0.1)))
    return make.fact(Argument("Tesla", span, (mention,)), "is", make.argument("X", "Tesla is X"), relation)


def test_a_silent_reading_of_the_wrong_kind_is_left_out(make: Any) -> None:
    """A person has no inception; a company has no date of birth."""
    for relation, holder, silent in (
        ("P571", "Tesla, Inc.", "Nikola Tesla"),
        ("P569", "Nikola Tesla", "Tesla, Inc."),
    ):
        known = make.answer(holder, relation, [make.statement(holder, relation, make.date("1900"))])
        empty = make.answer(silent, relation)
        assert in_domain(two_readings(make, relation), [known, empty]) == [known]


def test_what_might_have_it_stays(make: Any) -> None:
    """Either may have a height; nobody is dismissed where nothing would be left, or whose kind is not known."""
    known = make.answer("Tesla, Inc.", "P2048", [make.statement("Tesla, Inc.", "P2048", make.date("1900"))])
    empty = make.answer("Nikola Tesla", "P2048")
    assert in_domain(two_readings(make, "P2048"), [known, empty]) == [known, empty]
    alone = make.answer("Nikola Tesla", "P571")
    assert in_domain(two_readings(make, "P571"), [alone]) == [alone]
    stranger = replace(alone, subject=make.node("Somebody"))
    holder = make.answer("Tesla, Inc.", "P571", [make.statement("Tesla, Inc.", "P571", make.date("1900"))])
    assert in_domain(two_readings(make, "P571"), [holder, stranger]) == [holder, stranger]


def test_an_inventor_has_no_headquarters(verifier: Verifier) -> None:
    """Two readings of Tesla, of which only the company can be based anywhere."""
    (verdict,) = verifier.check("Tesla is headquartered in Detroit.").verdicts
    assert verdict.label is Label.CONTRADICTORY
