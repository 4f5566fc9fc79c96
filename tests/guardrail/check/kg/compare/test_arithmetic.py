"""Ages and counts."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.compare.arithmetic import by_absence, by_age, by_count, of_any
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.sides import side_of


@pytest.mark.parametrize(
    ("birth", "age", "state"),
    [
        ("1989-12-13", "34 years old", "agree"),
        ("1989-06-01", "35 years old", "agree"),
        ("1989-06-02", "35 years old", "conflict"),
        ("1989", "34 years old", "agree"),
        ("1989", "35 years old", "agree"),
        ("1989", "33 years old", "conflict"),
    ],
)
def test_age_today(make: Any, birth: str, age: str, state: str) -> None:
    """Full years; a birth known by its year leaves one year of doubt."""
    fact = make.fact(make.argument("Ada", "Ada"), "is", make.argument(age, age), "P569")
    answer = make.answer("Ada", "P569", [make.statement("Ada", "P569", make.date(birth))])
    side = side_of(fact, answer)
    blank = FactFinding(0, "unknown", "date of birth", side.claimed)
    finding = by_age(blank, fact, side, answer.statements, date(2024, 6, 1))
    assert finding is not None
    assert (finding.state, finding.note) == (state, "age")


def test_a_past_age_is_left_open(make: Any) -> None:
    """Nobody says when "she was 30 years old" was."""
    words = make.argument("30 years old", "30 years old")
    fact = make.fact(make.argument("Ada", "Ada"), "was", words, "P569", tense="past")
    answer = make.answer("Ada", "P569", [make.statement("Ada", "P569", make.date("1989"))])
    side = side_of(fact, answer)
    finding = by_age(
        FactFinding(0, "unknown", "", side.claimed), fact, side, answer.statements, date(2024, 6, 1)
    )
    assert finding is not None
    assert finding.state == "unknown"


def test_what_is_no_count_is_not_counted(make: Any) -> None:
    """Names and measures are left to others."""
    for words in ("Bob", "3 metres", "1990"):
        fact = make.fact(make.argument("Ada", "Ada"), "has", make.argument(words, words), "P40")
        answer = make.answer("Ada", "P40", [make.statement("Ada", "P40", "Bob")])
        side = side_of(fact, answer)
        assert by_count(FactFinding(0, "unknown", "", side.claimed), answer, side, answer.statements) is None


@pytest.mark.parametrize(
    ("words", "modifier", "state"),
    [("2", "", "conflict"), ("0", "", "agree"), ("2", "at most", "agree"), ("1", "at least", "conflict")],
)
def test_a_list_that_is_whole_and_empty_has_no_member(
    make: Any, words: str, modifier: str, state: str
) -> None:
    """Of no children at all every number but nought is wrong."""
    text = f"Ada has {words} children."
    fact = make.fact(
        make.argument("Ada", text), "has children", make.argument(words, text, modifier=modifier), "P40"
    )
    answer = make.answer("Ada", "P40", complete=True)
    found = by_absence(FactFinding(0, "unknown", "child", fact.object), fact, answer, side_of(fact, answer))
    assert found is not None
    assert (found.state, found.note) == (state, "none")


def test_an_empty_list_that_may_go_on_says_nothing(make: Any) -> None:
    """That no child is known does not mean that there is none."""
    fact = make.fact(make.argument("Ada", "Ada"), "has children", make.argument("2", "2"), "P40")
    answer = make.answer("Ada", "P40")
    assert (
        by_absence(FactFinding(0, "unknown", "child", fact.object), fact, answer, side_of(fact, answer))
        is None
    )


def test_that_there_is_any_is_denied_without_a_number(make: Any) -> None:
    """ "Has no children": the fact of the count, denied, with no value; denying Bob is another thing."""
    text = "Ada has no children."
    none = make.fact(
        make.argument("Ada", text),
        "has child",
        make.unknown("no children", text),
        "P40",
        negated=True,
        object_type="quantity",
    )
    assert of_any(none, side_of(none, make.answer("Ada", "P40")))
    bob = make.fact(
        make.argument("Ada", "Ada"), "has child", make.argument("Bob", "Bob"), "P40", negated=True
    )
    assert not of_any(bob, side_of(bob, make.answer("Ada", "P40")))
