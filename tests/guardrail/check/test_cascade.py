"""One checker after another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrail.check.cascade import Cascade
from guardrail.types import (
    Claim,
    Evidence,
    Label,
    Node,
    Passage,
    Reason,
    Source,
    SourceVerdict,
    Span,
    Triplet,
    Verdict,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CLAIM = Claim(0, Span(0, 1), "x", "x")
TRIPLET = Evidence(triplets=(Triplet(Node("", "a"), Node("", "b"), Node("", "c")),))
PASSAGE = Evidence(passages=(Passage("p", "text", Source.REQUEST),))


class Says:
    """A checker that always says the same."""

    def __init__(
        self, name: str, label: Label | None, reason: Reason | None = None, evidence: Evidence = TRIPLET
    ) -> None:
        self.name, self.asked = name, 0
        self._verdict = label and Verdict(CLAIM, label, 0.9, evidence, "Because.", name, reason=reason)

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        self.asked += 1
        return self._verdict and replace(self._verdict, claim=claim)


def test_the_first_decision_wins_and_later_ones_are_not_asked() -> None:
    """What is exact and cheap settles it."""
    later = Says("b", CON)
    assert Cascade([Says("a", ATT), later]).check(CLAIM, TRIPLET).label is ATT
    assert later.asked == 0


def test_an_open_verdict_is_passed_on() -> None:
    """An Extrapolatory verdict or none asks the next; the first one stands if nobody decides."""
    assert Cascade([Says("a", EXT, Reason.NO_PROPERTY), Says("b", ATT)]).check(CLAIM, TRIPLET).checker == "b"
    assert Cascade([Says("a", None), Says("b", EXT)]).check(CLAIM, TRIPLET).checker == "b"
    assert Cascade([Says("a", EXT, Reason.NO_PROPERTY), Says("b", EXT)]).check(CLAIM, TRIPLET).checker == "a"


def test_passages_that_were_read_are_a_better_reason_than_an_unknown_name() -> None:
    """Where nothing could be compared, the open verdict is that of the checker that read something."""
    blank = Says("a", EXT, Reason.NO_ENTITY, evidence=Evidence())
    assert Cascade([blank, Says("b", EXT, evidence=PASSAGE)]).check(CLAIM, PASSAGE).checker == "b"
    assert Cascade([blank, Says("b", EXT, evidence=TRIPLET)]).check(CLAIM, TRIPLET).checker == "a"


def test_an_open_list_is_not_refuted_by_its_other_members() -> None:
    """What reads statements alone is overruled; a passage may contradict, and support stands."""
    first = Says("a", EXT, Reason.OPEN_LIST)
    assert Cascade([first, Says("b", CON)]).check(CLAIM, TRIPLET).label is EXT
    assert Cascade([first, Says("b", CON, evidence=PASSAGE)]).check(CLAIM, PASSAGE).label is CON
    assert Cascade([first, Says("b", ATT)]).check(CLAIM, TRIPLET).label is ATT


def test_passages_that_disagree_are_shown_though_they_decide_nothing() -> None:
    """Of two open verdicts the one that has a passage for the claim and one against it tells a reader more."""

    class Torn(Says):
        def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
            sides = tuple(SourceVerdict(Source.REQUEST, one, 0.9, evidence, "", "b") for one in (ATT, CON))
            return Verdict(claim, EXT, 0.1, evidence, "They disagree.", "b", by_source=sides)

    cascade = Cascade([Says("a", EXT, Reason.NO_PROPERTY), Torn("b", EXT)])
    verdict = cascade.check(CLAIM, PASSAGE)
    assert (verdict.checker, verdict.label, verdict.conflict) == ("b", EXT, True)
    assert cascade.check(CLAIM, TRIPLET).checker == "a"


@pytest.mark.parametrize("reason", [Reason.HEDGED, Reason.AMBIGUOUS_REFERENCE])
def test_what_nobody_said_for_certain_is_not_decided_by_a_model(reason: Reason) -> None:
    """Hedges and unclear references are final."""
    assert Cascade([Says("a", EXT, reason), Says("b", ATT)]).check(CLAIM, TRIPLET).reason is reason


def test_there_is_always_a_verdict() -> None:
    """If no checker says anything the claim is Extrapolatory for lack of evidence."""
    verdict = Cascade([Says("a", None)]).check(CLAIM, TRIPLET)
    assert (verdict.label, verdict.reason) == (EXT, Reason.NO_EVIDENCE)
    with pytest.raises(ValueError, match="at least one"):
        Cascade([])
