"""Several answers to one fact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guardrail.check.kg.combine import combine
from guardrail.check.kg.finding import FactFinding
from guardrail.types import Argument, Reason
from guardrail.values import State


def finding(
    make: Any, state: State, *, reading: str = "Q1", rank: int = 0, end: Any = "subject", known: bool = True
) -> FactFinding:
    triplets = (make.statement("A", "P19", reading),) if known else ()
    return FactFinding(
        0,
        state,
        "r",
        Argument("x"),
        triplets=triplets,
        end=end,
        reading=reading,
        rank=rank,
        confidence=0.9 - rank / 10,
    )


def test_nothing_comes_of_nothing() -> None:
    """No answer, no finding."""
    assert combine([]) is None


def test_agreement_of_any_relation_wins(make: Any) -> None:
    """ "from" may mean citizenship or birth; either will do."""
    found = combine([finding(make, "conflict"), finding(make, "agree", rank=1)])
    assert found is not None
    assert found.state == "agree"


def test_the_best_reading_may_agree_alone(make: Any) -> None:
    """What agrees under the best reading agrees; under a lesser one only where the best says nothing."""
    best = combine([finding(make, "agree"), finding(make, "conflict", reading="Q2")])
    lesser = combine([finding(make, "conflict"), finding(make, "agree", reading="Q2")])
    silent = combine([finding(make, "unknown", known=False), finding(make, "agree", reading="Q2")])
    assert best is not None
    assert lesser is not None
    assert silent is not None
    assert (best.state, lesser.state, silent.state) == ("agree", "unknown", "agree")
    assert lesser.reason is Reason.AMBIGUOUS_ENTITY


def test_either_end_may_decide(make: Any) -> None:
    """An open list from one end does not hide a conflict from the other."""
    found = combine([finding(make, "unknown"), finding(make, "conflict", end="object", reading="Q9")])
    assert found is not None
    assert (found.state, found.end) == ("conflict", "object")


def test_a_second_meaning_conflicts_less_surely(make: Any) -> None:
    """Only a relation of lesser rank has statements: it conflicts where there is one value, and less surely."""
    silent = finding(make, "unknown", known=False)
    second = finding(make, "conflict", rank=1)
    several = combine([silent, second])
    single = combine([silent, replace(second, cardinality="single")])
    assert several is not None
    assert single is not None
    assert (several.state, single.state) == ("unknown", "conflict")
    assert single.confidence < 0.8


def test_two_people_married_to_others(make: Any) -> None:
    """Both have spouses that are known, and neither the other: refuted, but not where one of them has none."""
    one = replace(finding(make, "unknown"), note="open", property_id="P26")
    other = replace(one, end="object", reading="Q9")
    for findings, state in (
        ([one, other], "conflict"),
        ([one], "unknown"),
        ([one, replace(other, triplets=(), note="nothing")], "unknown"),
        ([replace(one, property_id="P54"), replace(other, property_id="P54")], "unknown"),
    ):
        found = combine(findings)
        assert found is not None
        assert found.state == state


def test_a_share_in_a_work_excludes_no_other_share(make: Any) -> None:
    """ "written by" may mean the music, but who composed it does not refute who wrote the words."""
    silent = finding(make, "unknown", known=False)
    music = replace(finding(make, "conflict", rank=2), cardinality="single", property_id="P86")
    words = replace(music, rank=3, property_id="P676")
    for findings, state in (([silent, music], "unknown"), ([silent, music, words], "conflict")):
        found = combine(findings)
        assert found is not None
        assert found.state == state


def test_a_list_asked_backwards_does_not_hide_its_other_side(make: Any) -> None:
    """The moons of Saturn are a list that may go on, but a moon has one planet."""
    moons = replace(finding(make, "unknown"), note="open", backwards=True)
    planet = replace(finding(make, "conflict", rank=1), cardinality="single")
    found = combine([moons, planet])
    assert found is not None
    assert found.state == "conflict"


def test_any_maker_that_is_known_is_the_creator(make: Any) -> None:
    """A language that nobody "founded" was still created by somebody: a silent founder leaves the creator first."""
    silent = replace(finding(make, "unknown", known=False), property_id="P112")
    other = replace(finding(make, "conflict", rank=1), property_id="P170")
    found = combine([silent, other])
    assert found is not None
    assert found.state == "conflict"
    place = combine([replace(silent, property_id="P19"), other])
    assert place is not None
    assert place.state == "unknown"
