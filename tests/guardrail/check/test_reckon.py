"""Ages and counts."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.finding import Finding
from guardrail.check.orient import side_of
from guardrail.check.reckon import by_age, by_count


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
    blank = Finding(0, "unknown", "date of birth", side.claimed)
    finding = by_age(blank, fact, side, answer.statements, date(2024, 6, 1))
    assert finding is not None
    assert (finding.state, finding.note) == (state, "age")


def test_a_past_age_is_left_open(make: Any) -> None:
    """Nobody says when "she was 30 years old" was."""
    words = make.argument("30 years old", "30 years old")
    fact = make.fact(make.argument("Ada", "Ada"), "was", words, "P569", tense="past")
    answer = make.answer("Ada", "P569", [make.statement("Ada", "P569", make.date("1989"))])
    side = side_of(fact, answer)
    finding = by_age(Finding(0, "unknown", "", side.claimed), fact, side, answer.statements, date(2024, 6, 1))
    assert finding is not None
    assert finding.state == "unknown"


def test_what_is_no_count_is_not_counted(make: Any) -> None:
    """Names and measures are left to others."""
    for words in ("Bob", "3 metres", "1990"):
        fact = make.fact(make.argument("Ada", "Ada"), "has", make.argument(words, words), "P40")
        answer = make.answer("Ada", "P40", [make.statement("Ada", "P40", "Bob")])
        side = side_of(fact, answer)
        assert by_count(Finding(0, "unknown", "", side.claimed), answer, side, answer.statements) is None
