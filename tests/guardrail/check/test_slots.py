"""One fact against one answer."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.slots import judge, match
from guardrail.types import Argument, Reason, Value

TODAY = date(2024, 6, 1)


def test_no_statement_says_nothing(make: Any) -> None:
    """The subject is known and the property is not."""
    fact = make.fact(make.argument("Ada", "Ada"), "born in", make.argument("Bonn", "Bonn"), "P19")
    finding = judge(3, fact, make.answer("Ada", "P19"), today=TODAY)
    assert (finding.fact, finding.state, finding.reason, finding.note) == (
        3,
        "unknown",
        Reason.NO_PROPERTY,
        "nothing",
    )


@pytest.mark.parametrize(("tense", "state"), [("present", "conflict"), ("past", "unknown")])
def test_one_capital_at_a_time(make: Any, tense: str, state: str) -> None:
    """Sydney is not the capital; whether it ever was is another question."""
    text = "Sydney is the capital of Australia."
    fact = make.fact(
        make.argument("Sydney", text), "capital of", make.argument("Australia", text), "^P36", tense=tense
    )
    statements = [make.statement("Australia", "P36", "Canberra")]
    assert (
        judge(0, fact, make.answer("Australia", "P36", statements, about="object"), today=TODAY).state
        == state
    )


def test_a_number_and_a_name_exclude_nothing(make: Any) -> None:
    """A claimed year is no other place than the known place."""
    fact = make.fact(make.argument("Ada", "Ada"), "born in", make.argument("1990", "1990"), "P19")
    answer = make.answer("Ada", "P19", [make.statement("Ada", "P19", "Bonn")])
    assert judge(0, fact, answer, today=TODAY).state == "unknown"


def test_match_by_kind(make: Any) -> None:
    """Names with nodes, values with values, words with strings."""
    assert match(make.argument("Bonn", "Bonn"), make.node("Bonn")) == "same"
    assert match(make.argument("1990", "1990"), make.date("1990-05-01")) == "same"
    assert match(make.argument("1990", "1990"), make.node("Bonn")) == "unknown"
    assert match(make.argument("Bonn", "Bonn"), make.date("1990")) == "unknown"
    assert match(Argument("Au"), Value("Au", "Au", "string")) == "same"


def test_of_many_figures_the_nearest_are_shown(make: Any) -> None:
    """A population has one figure a year; the three nearest to the claim are evidence enough."""
    heights = [Value(str(n), str(n), "quantity") for n in range(380, 390)]
    fact = make.fact(
        make.argument("tower", "tower"), "is", make.argument("384", "384", modifier="about"), "P2048"
    )
    answer = make.answer("tower", "P2048", [make.statement("tower", "P2048", height) for height in heights])
    finding = judge(0, fact, answer, today=TODAY)
    assert finding.state == "agree"
    assert sorted(known.label for known in finding.known) == ["383", "384", "385"]
