"""Statements of a graph that contradict each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.compare.disputes import rivals
from guardrail.check.kg.sides import side_of
from guardrail.types import Property

TODAY = date(2025, 1, 1)


@pytest.mark.parametrize(
    ("relation", "cardinality", "values", "expected"),
    [
        ("year of foundation", "single", ("1999", "2001"), 1),
        ("year of foundation", "single", ("1999", "1999-05-01"), 0),
        ("year of foundation", "list", ("1999", "2001"), 0),
        ("P112", "single", ("1999", "2001"), 0),
    ],
)
def test_only_what_has_one_value_is_contradicted(
    make: Any, relation: str, cardinality: str, values: tuple[str, str], expected: int
) -> None:
    """A date within another is the same one; a list, or what names a few that are all true, contradicts nothing."""
    first, second = (make.statement("Acme", "P26", make.date(value)) for value in values)
    asked = Property(relation, relation, cardinality=cardinality)  # type: ignore[arg-type]
    answer = replace(make.answer("Acme", "P26", [first, second]), property=asked)
    fact = make.fact(make.argument("Acme", "Acme"), relation, make.argument("1999", "1999"), "P26")
    known = side_of(fact, answer).known
    assert len(rivals([first], answer, known, today=TODAY, now=True)) == expected


def test_what_was_once_so_contradicts_nothing(make: Any) -> None:
    """Of what changes with time only values of today exclude each other, where today is spoken of."""
    first, second = (make.statement("Acme", "P26", who) for who in ("Ann", "Bo"))
    asked = Property("keeper", "keeper", cardinality="single", temporal=True)
    answer = replace(make.answer("Acme", "P26", [first, second]), property=asked)
    fact = make.fact(make.argument("Acme", "Acme"), "is", make.argument("Ann", "Ann"), "P26")
    known = side_of(fact, answer).known
    assert rivals([first], answer, known, today=TODAY, now=True) == (second,)
    assert rivals([first], answer, known, today=TODAY, now=False) == ()
