"""Terms of office."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from guardrail.check.kg.qualifiers.terms_of_office import termed
from guardrail.types import Evidence, Profile, Qualifier, Triplet


def term(make: Any, who: str, start: str, end: str, office: str = "Mayor of Ulm") -> Triplet:
    """Who held the office from when to when."""
    dates = [(name, date) for name, date in (("start time", start), ("end time", end)) if date]
    held: Triplet = make.statement(who, "P39", office)
    return replace(
        held, qualifiers=tuple(Qualifier(make.node(name), make.date(date)) for name, date in dates)
    )


def known(*statements: Triplet) -> Evidence:
    return Evidence(profiles=tuple(Profile(one.subject, (one,)) for one in statements))


@pytest.mark.parametrize(
    ("start", "state"),
    [
        ("2005-11-22", "agree"),
        ("2005-12-01", "agree"),
        ("2006-05-01", "unknown"),
        ("2010", "conflict"),
        ("1990", "conflict"),
    ],
)
def test_the_next_holder_begins_within_a_month(make: Any, start: str, state: str) -> None:
    """Who begins a year later follows somebody else, who begins earlier follows nobody that came later."""
    text = "Ada succeeded Bob."
    fact = make.fact(make.argument("Ada", text), "succeeded", make.argument("Bob", text), "P1365")
    found = termed(0, [fact], known(term(make, "Bob", "1998", "2005-11-22"), term(make, "Ada", start, "")))
    assert found is not None
    assert found.state == state


def test_holders_of_two_offices_are_not_compared(make: Any) -> None:
    """Nobody knows which of their offices is meant."""
    text = "Ada succeeded Bob."
    fact = make.fact(make.argument("Ada", text), "succeeded", make.argument("Bob", text), "P1365")
    other = term(make, "Ada", "2010", "", office="Mayor of Bonn")
    assert termed(0, [fact], known(term(make, "Bob", "1998", "2005"), other)) is None


@pytest.mark.parametrize(
    ("verb", "date", "modifier", "state"),
    [
        ("served until", "2005", "until", "agree"),
        ("served until", "2006", "until", "conflict"),
        ("served until", "2050", "until", "unknown"),
        ("served in", "2001", "", "agree"),
        ("served from", "1998", "from", "agree"),
    ],
)
def test_a_date_of_a_term_is_compared_with_its_end(
    make: Any, verb: str, date: str, modifier: str, state: str
) -> None:
    """A date that is far from all terms may be that of another office."""
    text = f"Bob {verb} {date}."
    when = replace(make.argument(date, text), value=make.date(date), modifier=modifier)
    fact = make.fact(make.argument("Bob", text), verb, when)
    found = termed(0, [fact], known(term(make, "Bob", "1998", "2005-11-22")))
    assert found is not None
    assert found.state == state
