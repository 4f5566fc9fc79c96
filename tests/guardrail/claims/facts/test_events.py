from __future__ import annotations

import pytest

from guardrail.claims.facts.events import MOST, distinct, extended, implied, related, tense
from guardrail.claims.reading.chunks import VG
from guardrail.types import Argument, Attribute, Fact, Span, Value

FOUNDED = Fact(
    Argument("Jobs", Span(0, 4)),
    "founded",
    Argument("Apple", Span(13, 18)),
    (Attribute("time", Argument("1976", Span(22, 26), value=Value("1976", "1976", "date", 9))),),
    ("^P112",),
)


def test_founding_implies_the_date() -> None:
    """The date of a founding is the inception of what was founded; without a date nothing follows."""
    (fact,) = implied(FOUNDED)
    assert (fact.subject.text, fact.relations, fact.object.text) == ("Apple", ("P571",), "1976")
    assert list(implied(Fact(FOUNDED.subject, "founded", FOUNDED.object, relations=("^P112",)))) == []


def test_siblings_become_attributes() -> None:
    """Each complement of one verb carries the others, named by what they are."""
    place = Fact(FOUNDED.subject, "moved to", Argument("Rome", Span(5, 9)), object_type="place")
    year = Fact(FOUNDED.subject, "moved in", Argument("1990", Span(13, 17)), object_type="year")
    first, second = extended([place, year])
    assert [(one.name, one.object.text) for one in first.attributes] == [("time", "1990")]
    assert [(one.name, one.object.text) for one in second.attributes] == [("place", "Rome")]


def test_a_long_list_does_not_cost_its_square() -> None:
    """Of a hundred complements a fact carries the first few."""
    facts = [
        Fact(FOUNDED.subject, "moved in", Argument(str(year), Span(5 * year, 5 * year + 4)))
        for year in range(100)
    ]
    told = list(extended(facts))
    assert {len(one.attributes) for one in told} == {MOST}
    assert [one.object.text for one in told[0].attributes] == [str(year) for year in range(1, MOST + 1)]


def test_no_fact_twice() -> None:
    """A fact that is said again is left out."""
    assert list(distinct([FOUNDED, FOUNDED])) == [FOUNDED]
    assert related([FOUNDED])
    assert not related([])


@pytest.mark.parametrize(
    ("past", "former", "expected"), [(True, False, "past"), (False, False, "present"), (True, True, "former")]
)
def test_tense(past: bool, former: bool, expected: str) -> None:
    """ "Formerly" outweighs the form of the verb."""
    assert tense(VG(0, 0, 0, "be", "finite", past=past, former=former)) == expected
