"""How probabilities become a verdict: thresholds, disagreement, and what was not read."""

from dataclasses import replace
from typing import Any

import pytest

from guardrail.check.nli.checker import NliChecker, _can_support
from guardrail.check.nli.premises import Premise
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    Node,
    Reason,
    Triplet,
)
from tests.scripted_nli import Scripted, claim, passages


def triplets(*objects: str) -> Evidence:
    return Evidence(
        triplets=tuple(Triplet(Node("Q1", "Rome"), Node("P1", "age"), Node("", o)) for o in objects)
    )


def test_support_and_contradiction_above_the_threshold_decide() -> None:
    """The statements that decide are the verdict's evidence, and are quoted in the rationale."""
    checker = NliChecker(Scripted({"ancient": (0.75, 0.2, 0.05), "new": (0.02, 0.03, 0.95)}))
    old, young = (
        checker.check(claim("Rome is ancient."), triplets("ancient")),
        checker.check(claim(), triplets("new")),
    )
    assert old is not None
    assert young is not None
    assert (old.label, old.confidence) == (Label.ATTRIBUTABLE, pytest.approx(0.75))
    assert old.rationale == "The statement “Rome: age: ancient.” supports the claim."
    assert (young.label, young.checker) == (Label.CONTRADICTORY, "nli:scripted")


def test_between_the_thresholds_it_abstains() -> None:
    """A probability below the threshold is Extrapolatory: insufficient."""
    verdict = NliChecker(Scripted({"ancient": (0.65, 0.3, 0.05)})).check(claim(), triplets("ancient"))
    assert verdict is not None
    assert (verdict.label, verdict.reason) == (Label.EXTRAPOLATORY, Reason.INSUFFICIENT)


def test_support_is_not_clean_while_statements_went_unread() -> None:
    """What the retriever left out forbids Attributable, not Contradictory."""
    checker = NliChecker(Scripted({"ancient": (0.99, 0.01, 0.0), "new": (0.01, 0.04, 0.95)}))
    for word, label in (("ancient", Label.EXTRAPOLATORY), ("new", Label.CONTRADICTORY)):
        evidence = replace(triplets(word), unread=("300 more statements",))
        verdict = checker.check(claim(f"Rome is {word}."), evidence)
        assert verdict is not None
        assert verdict.label is label


@pytest.mark.parametrize(
    ("asked", "evidence"),
    [
        (claim(), Evidence()),
        (claim(), passages("Rome is ancient.")),
        (claim(kind=Kind.HEDGED), triplets("ancient")),
        (claim(kind=Kind.QUESTION), triplets("ancient")),
        (claim(reason=Reason.AMBIGUOUS_REFERENCE), triplets("ancient")),
    ],
)
def test_it_says_nothing_where_reading_decides_nothing(asked: Claim, evidence: Evidence) -> None:
    """No statements, a hedge, a question or an unclear reference: no verdict."""
    assert NliChecker(Scripted({"ancient": (1.0, 0.0, 0.0)})).check(asked, evidence) is None


def test_a_claim_that_fills_the_window_says_that_nothing_was_read() -> None:
    """Where no statement fits beside the claim, the verdict is not_read."""
    verdict = NliChecker(Scripted({})).check(claim("word " * 60), triplets("ancient"))
    assert verdict is not None
    assert (verdict.label, verdict.reason) == (Label.EXTRAPOLATORY, Reason.NOT_READ)


def test_what_others_have_supports_nothing() -> None:
    """A statement about somebody else cannot support the claim, however sure the model is."""
    checker = NliChecker(Scripted({"old": (0.99, 0.01, 0.0)}))
    stranger = Triplet(Node("Q2", "Paris"), Node("P1", "age"), Node("", "old"))
    own = Triplet(Node("Q1", "Rome"), Node("P1", "age"), Node("", "old"))
    verdict = checker.check(claim(), Evidence(triplets=(stranger,)))
    assert verdict is not None
    assert (verdict.label, verdict.reason) == (Label.EXTRAPOLATORY, Reason.INSUFFICIENT)
    supported = checker.check(claim(), Evidence(triplets=(own,)))
    assert supported is not None
    assert supported.label is Label.ATTRIBUTABLE


def test_only_what_bears_on_the_claim_is_its_evidence() -> None:
    """Of the statements read together, the verdict keeps those that join what the claim names."""
    own = Triplet(Node("Q1", "Rome"), Node("P1", "age"), Node("", "old"))
    other = Triplet(Node("Q1", "Rome"), Node("P2", "river"), Node("", "Tiber"))
    verdict = NliChecker(Scripted({"old": (0.99, 0.01, 0.0)})).check(claim(), Evidence(triplets=(other, own)))
    assert verdict is not None
    assert verdict.evidence.triplets == (own,)


@pytest.mark.parametrize(
    ("text", "predicate", "relation", "says"),
    [
        ("Ada wrote Bonn.", "wrote", "place of death", False),
        ("Ada wrote Bonn.", "wrote", "author", True),
        ("Ada hangs in Bonn.", "hangs in", "location", True),
        ("Ada received Bonn.", "received", "location", False),
    ],
)
def test_a_statement_of_another_relation_supports_nothing(
    make: Any, text: str, predicate: str, relation: str, says: bool
) -> None:
    """However sure the model is: that somebody died in a town does not make her write it."""
    fact = make.fact(make.argument("Ada", text), predicate, make.argument("Bonn", text))
    known = Triplet(Node("Q:Ada", "Ada"), Node("P0", relation), Node("Q:Bonn", "Bonn"), id="t")
    premise = Premise(f"Ada: {relation}: Bonn.", Evidence(triplets=(known,)), 1.0)
    assert _can_support(premise, make.claim(text, fact)) is says
    assert _can_support(premise, replace(make.claim(text, fact), facts=()))
