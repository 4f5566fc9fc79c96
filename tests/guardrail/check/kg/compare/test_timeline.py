"""When statements hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.compare.timeline import at_time, current, ended, qualifier_values, started
from guardrail.types import Argument

TODAY = date(2024, 6, 1)


def test_ended_and_current(make: Any) -> None:
    """An end before today is over; one in the future is not; preferred statements go first."""
    over = make.statement("A", "P39", "x", P580="2001", P582="2009")
    later = make.statement("A", "P39", "y", P580="2020", P582="2030")
    still = make.statement("A", "P39", "z", P580="2021")
    assert [ended(t, TODAY) for t in (over, later, still)] == [True, False, False]
    assert started(over)
    assert not started(make.statement("A", "P39", "x"))
    assert current([over, later, still], TODAY) == [later, still]
    assert current([over, later, replace(still, rank="preferred")], TODAY) == [
        replace(still, rank="preferred")
    ]


@pytest.mark.parametrize(
    ("when", "modifier", "qualifiers", "state"),
    [
        ("2005", "", {"P580": "2001", "P582": "2009"}, "agree"),
        ("2001", "", {"P580": "2001", "P582": "2009"}, "agree"),
        ("1999", "", {"P580": "2001"}, "conflict"),
        ("2005", "", {"P580": "2001"}, "agree"),
        ("2010", "", {"P580": "2001", "P582": "2009"}, "conflict"),
        ("2010", "", {"P582": "2009"}, "conflict"),
        ("2005", "", {"P582": "2009"}, "unknown"),
        ("2005", "", {"until": "2001"}, "conflict"),
        ("2005", "", {}, "unknown"),
        ("2001", "since", {"P580": "2001"}, "agree"),
        ("2002", "since", {"P580": "2001"}, "conflict"),
        ("2009", "until", {"P580": "2001"}, "unknown"),
        ("2009", "until", {"P582": "2009"}, "agree"),
        ("1964", "", {"P585": "1964-10-14"}, "agree"),
        ("1965", "", {"P585": "1964-10-14"}, "conflict"),
        ("1990s", "", {"P580": "1985", "P582": "2005"}, "agree"),
    ],
)
def test_at_time(make: Any, when: str, modifier: str, qualifiers: dict[str, str], state: str) -> None:
    """Within start and end holds; "since" and "until" are the start and the end themselves."""
    argument = make.argument(when, when, modifier=modifier)
    assert at_time(make.statement("A", "P39", "x", **qualifiers), argument) == state


def test_what_is_no_date_says_nothing(make: Any) -> None:
    """Only dates are compared, by id or label of the qualifier."""
    statement = make.statement("A", "P39", "x", P580="2001")
    assert at_time(statement, Argument("Paris")) == "unknown"
    assert len(qualifier_values(statement, ["p580"])) == 1
    assert qualifier_values(statement, ["P582"]) == []
