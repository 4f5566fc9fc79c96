"""Verdicts where values are compared: dates, quantities, words and ages."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import Evidence, Label, Node, Value

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(today=lambda: date(2024, 6, 1))


@pytest.mark.parametrize(
    ("words", "label"),
    [("13 December 1989", ATT), ("1989", ATT), ("1990", CON), ("the 1980s", ATT), ("14 December 1989", CON)],
)
def test_dates_are_compared_at_their_precision(make: Any, words: str, label: Label) -> None:
    """A year agrees with a day in it; another day conflicts."""
    text = f"Swift was born on {words}."
    words = words.removeprefix("the ")
    fact = make.fact(make.argument("Swift", text), "was born on", make.argument(words, text), "P569")
    answer = make.answer("Swift", "P569", [make.statement("Swift", "P569", make.date("1989-12-13"))])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


@pytest.mark.parametrize(
    ("words", "modifier", "label"),
    [("1,250 ft", "", ATT), ("400 m", "", CON), ("400 m", "about", ATT), ("300 m", "more than", ATT)],
)
def test_quantities_convert_and_hedge(make: Any, words: str, modifier: str, label: Label) -> None:
    """Units convert, "about" widens, "more than" bounds."""
    text = f"The tower is {words} tall."
    fact = make.fact(
        make.argument("tower", text), "is tall", make.argument(words, text, modifier=modifier), "P2048"
    )
    height = Value("381 m", "381", "quantity", unit=Node("Q11573", "metre"))
    answer = make.answer("tower", "P2048", [make.statement("tower", "P2048", height)])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


def test_strings_are_compared_as_written(make: Any) -> None:
    """The symbol of gold is Au, not Ag."""
    for symbol, label in (("Au", ATT), ("Ag", CON)):
        text = f"The symbol of gold is {symbol}."
        fact = make.fact(make.argument("gold", text), "symbol", make.unknown(symbol, text), "P246")
        known = make.statement("gold", "P246", Value("Au", "Au", "string"))
        verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("gold", "P246", [known])))
        assert verdict.label is label


@pytest.mark.parametrize(("age", "label"), [("34 years old", ATT), ("30 years old", CON)])
def test_an_age_is_reckoned_from_the_birth(make: Any, age: str, label: Label) -> None:
    """Born on 13 December 1989 is 34 on 1 June 2024: FLEEK's example."""
    text = f"Swift is {age}."
    fact = make.fact(make.argument("Swift", text), "is", make.argument(age, text), "P569", object_type="age")
    known = make.statement("Swift", "P569", make.date("1989-12-13"))
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Swift", "P569", [known])))
    assert verdict.label is label
    assert "34" in verdict.rationale


def test_the_dead_have_no_age(make: Any) -> None:
    """With a date of death in the evidence an age today is neither right nor wrong."""
    text = "Swift is 30 years old."
    fact = make.fact(make.argument("Swift", text), "is", make.argument("30 years old", text), "P569")
    known = make.statement("Swift", "P569", make.date("1989-12-13"))
    evidence = make.evidence(make.answer("Swift", "P569", [known]))
    dead = make.statement("Swift", "P570", make.date("2020"))
    verdict = CHECKER.check(
        make.claim(text, fact), Evidence((*evidence.triplets, dead), answers=evidence.answers)
    )
    assert verdict.label is EXT
