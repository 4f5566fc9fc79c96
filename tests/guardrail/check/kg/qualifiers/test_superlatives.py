"""The place that a claim gives its subject, against the place that it has."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.qualifiers.superlatives import ranked
from guardrail.types import Evidence, Ranking, Triplet
from guardrail.values import State
from guardrail.verifier import Verifier


def size(make: Any, name: str, metres: int) -> Triplet:
    (argument,) = make.values(f"{metres} metres")
    return make.statement(name, "P2048", argument.value)  # type: ignore[no-any-return]


def claim(make: Any, text: str) -> Any:
    return make.claim(text, make.fact(make.argument("A", text), "is", make.argument("B", text)))


@pytest.mark.parametrize(
    ("ahead", "wanted", "whole", "state"),
    [
        (0, 1, True, "agree"),
        (0, 1, False, "unknown"),
        (1, 1, True, "conflict"),
        (1, 1, False, "conflict"),
        (1, 2, True, "agree"),
        (0, 2, True, "conflict"),
        (0, 2, False, "unknown"),
        (2, 2, False, "conflict"),
    ],
)
def test_one_ahead_refutes_and_only_a_whole_set_supports(
    make: Any, ahead: int, wanted: int, whole: bool, state: State
) -> None:
    """An open set may hold a greater member that nobody wrote down."""
    others = tuple((size(make, f"X{i}", 100 + i),) for i in range(ahead))
    ranking = Ranking(0, size(make, "A", 50), others, wanted, whole)
    found = ranked(claim(make, "A is the tallest B."), Evidence(rankings=(ranking,)))[0]
    assert found.state == state
    assert (found.reason is None) == (state != "unknown")


def test_measures_that_disagree_decide_nothing(make: Any) -> None:
    """Larger in area and smaller in population: "larger" alone is open."""
    own, other = size(make, "A", 50), size(make, "B", 60)
    one = Ranking(0, own, (), whole=True, beside=(other,))
    two = Ranking(0, own, ((other,),), whole=True, beside=(other,))
    text = claim(make, "A is larger than B.")
    assert ranked(text, Evidence(rankings=(one, two)))[0].state == "unknown"
    assert ranked(text, Evidence(rankings=(one, one)))[0].state == "agree"
    assert ranked(text, Evidence(rankings=(two,)))[0].state == "conflict"


def test_both_values_are_shown_and_no_nonsense_offered(verifier: Verifier) -> None:
    """The proof is both statements; no number is put in the place of a name."""
    (verdict,) = verifier.check("China is larger than Russia.").verdicts
    assert {t.subject.label for t in verdict.evidence.triplets} >= {"China", "Russia"}
    assert "17,098,242" in verdict.rationale
    assert verdict.revisions == ()


def test_the_one_ahead_is_the_correction(verifier: Verifier) -> None:
    """Who is the largest instead is offered in the place of the subject."""
    (verdict,) = verifier.check("Canada is the largest country in the world.").verdicts
    assert verdict.slot is not None
    assert verdict.slot.known == "Russia"


@pytest.mark.parametrize(("since", "state"), [({}, "unknown"), ({"P585": "2020"}, "conflict")])
def test_figures_of_no_year_refute_no_place_further_down(
    make: Any, since: dict[str, str], state: State
) -> None:
    """Of two populations without a year one may be older than the other; with a year they are compared."""
    (number,) = make.values("50")
    own = make.statement("A", "P1082", number.value, **since)
    others = tuple((make.statement(f"X{i}", "P1082", number.value, **since),) for i in range(2))
    found = ranked(
        claim(make, "A is the 2nd most populous B."), Evidence(rankings=(Ranking(0, own, others, 2),))
    )
    assert found[0].state == state
