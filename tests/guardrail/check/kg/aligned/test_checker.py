"""The verdict on a claim that only the words of the graph at hand can decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from guardrail.check.kg.aligned import AlignedChecker
from guardrail.language import parser
from guardrail.models.embed import PropertyEmbedder
from guardrail.types import Claim, Evidence, Kind, Label, Span

Made = Callable[[str], tuple[Claim, Evidence]]
CHECKER = AlignedChecker(PropertyEmbedder(), parser().read, today=lambda: date(2025, 1, 1))


def test_a_wrong_value_is_shown_with_what_was_asked_and_what_is_known(claim_of: Made) -> None:
    """The slot has the property, both values and the place of the claimed words; the rationale says what was asked."""
    verdict = CHECKER.check(*claim_of("Parking at Elm Clinic costs £5."))
    assert verdict is not None
    assert verdict.slot is not None
    assert verdict.label is Label.CONTRADICTORY
    slot = verdict.slot
    assert (slot.property, slot.claimed, slot.known) == ("parking fee", "£5", "£3")
    assert slot.span == Span(28, 30)
    assert 'read as one about "parking fee" of Elm Clinic' in verdict.rationale
    assert [t.predicate.label for t in verdict.evidence.triplets] == ["parking fee"]


def test_support_cites_every_statement_that_it_rests_on(claim_of: Made) -> None:
    """A person and a year of one sentence rest on the statement that holds both."""
    verdict = CHECKER.check(*claim_of("Bo Kay was the director of Elm Clinic until 2019."))
    assert verdict is not None
    assert verdict.label is Label.ATTRIBUTABLE
    assert [slot.state for slot in verdict.slots] == ["agree", "agree"]


def test_a_graph_that_disagrees_with_itself_is_shown_from_both_sides(claim_of: Made) -> None:
    """Two sources give one height differently: the claim that repeats one of them is neither confirmed nor refuted."""
    verdict = CHECKER.check(*claim_of("The ceilings of Fir Hall are 9 m high."))
    assert verdict is not None
    assert verdict.label is Label.EXTRAPOLATORY
    assert [(side.label, side.evidence.triplets[0].source) for side in verdict.by_source] == [
        (Label.ATTRIBUTABLE, "plans.csv"),
        (Label.CONTRADICTORY, "site.csv"),
    ]
    assert "disagrees with itself" in verdict.rationale


def test_nothing_is_said_of_what_is_hedged_or_of_nobody(claim_of: Made) -> None:
    """A guess is not decided, nor a claim about what the graph does not have."""
    claim, evidence = claim_of("Parking at Elm Clinic costs £5.")
    assert CHECKER.check(replace(claim, kind=Kind.HEDGED), evidence) is None
    assert CHECKER.check(claim, Evidence()) is None
