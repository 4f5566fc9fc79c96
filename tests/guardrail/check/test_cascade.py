"""One checker after another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrail.check.cascade import Cascade
from guardrail.types import (
    Argument,
    Claim,
    Evidence,
    Fact,
    Label,
    Node,
    Passage,
    Reason,
    Slot,
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


def test_statements_that_were_read_together_may_decide_what_comparing_left_open() -> None:
    """Another member of a list refutes nothing when it is compared; read with all that is near, it may."""
    listed = Says("a", EXT, Reason.OPEN_LIST)
    read = replace(TRIPLET, nearest=TRIPLET.triplets)
    assert Cascade([listed, Says("b", CON)]).check(CLAIM, read).checker == "a"
    assert Cascade([listed, Says("b", CON, evidence=read)]).check(CLAIM, read).checker == "b"


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


def test_an_open_list_is_not_refuted_by_its_other_members() -> None:
    """A model that contradicts on the list alone is overruled; a passage may contradict."""
    first = Says("a", EXT, Reason.OPEN_LIST)
    assert Cascade([first, Says("b", CON)]).check(CLAIM, TRIPLET).label is EXT
    assert Cascade([first, Says("b", CON, evidence=PASSAGE)]).check(CLAIM, PASSAGE).label is CON
    assert Cascade([first, Says("b", ATT)]).check(CLAIM, TRIPLET).label is ATT


def test_there_is_always_a_verdict() -> None:
    """If no checker says anything the claim is Extrapolatory for lack of evidence."""
    verdict = Cascade([Says("a", None)]).check(CLAIM, TRIPLET)
    assert (verdict.label, verdict.reason) == (EXT, Reason.NO_EVIDENCE)
    with pytest.raises(ValueError, match="at least one"):
        Cascade([])


def test_a_part_that_no_statement_knows_is_not_supported_by_the_rest() -> None:
    """ "the largest planet" of what is known to be a planet: a model may support it on a passage, not on that statement."""
    first = Says("a", EXT, Reason.INSUFFICIENT)
    assert first._verdict is not None
    first._verdict = replace(first._verdict, slot=Slot("instance of", "largest", "", "list", "unknown"))
    assert Cascade([first, Says("b", ATT)]).check(CLAIM, TRIPLET).label is EXT
    assert Cascade([first, Says("b", ATT, evidence=PASSAGE)]).check(CLAIM, PASSAGE).label is ATT
    assert Cascade([first, Says("b", CON)]).check(CLAIM, TRIPLET).label is CON


@pytest.mark.parametrize("label", [ATT, CON])
@pytest.mark.parametrize(("state", "stays"), [("unknown", True), ("agree", False)])
def test_what_was_compared_is_not_for_a_model(label: Label, state: str, stays: bool) -> None:
    """Where a slot was compared and left open a model decides only by a passage; where it agreed it may not refute."""
    slot = Slot("place", "Berlin", "Ulm", "single", state, values=(Node("", "Ulm"),), fact=0, span=None)  # type: ignore[arg-type]
    first = Says("symbolic", EXT, Reason.INSUFFICIENT)
    assert first._verdict is not None
    first._verdict = replace(first._verdict, slots=(slot,))
    by_triplets = Cascade([first, Says("nli", label)]).check(CLAIM, TRIPLET)
    kept = stays or label is CON
    assert by_triplets.label is (EXT if kept else label)
    by_passage = Cascade([first, Says("nli", label, evidence=PASSAGE)]).check(CLAIM, PASSAGE)
    assert by_passage.label is label


def test_other_relations_do_not_stand_for_those_that_were_asked() -> None:
    """That she is a citizen of India does not make a model right that takes her for its prime minister."""
    asked = replace(CLAIM, facts=(Fact(Argument("a"), "leads", Argument("c"), relations=("P6",)),))
    open_ = Says("symbolic", EXT, Reason.NO_PROPERTY)
    model = Says("nli", ATT)
    for checker in (open_, model):
        assert checker._verdict is not None
        checker._verdict = replace(checker._verdict, claim=asked)
    assert Cascade([open_, model]).check(asked, TRIPLET).label is EXT
    assert (
        Cascade([Says("symbolic", EXT, Reason.NO_PROPERTY), Says("nli", ATT)]).check(CLAIM, TRIPLET).label
        is ATT
    )


def test_a_checker_that_could_say_nothing_new_is_not_asked() -> None:
    """A model costs more than comparing: where neither label would be taken from it, it is spared, unless there is text."""
    slot = Slot("place", "Berlin", "Ulm", "list", "unknown", values=(Node("", "Ulm"),), fact=0, span=None)  # type: ignore[arg-type]
    first, model = Says("symbolic", EXT, Reason.OPEN_LIST), Says("nli", ATT, evidence=PASSAGE)
    assert first._verdict is not None
    first._verdict = replace(first._verdict, slots=(slot,))
    assert Cascade([first, model]).check(CLAIM, TRIPLET).label is EXT
    assert model.asked == 0
    assert Cascade([first, model]).check(CLAIM, PASSAGE).label is ATT
    assert model.asked == 1


@pytest.mark.parametrize(
    "text", ["Ada was born before Bob was.", "Ada is taller than Bob.", "Ada is the oldest of them."]
)
def test_an_order_is_reckoned_and_never_read_from_statements(text: str) -> None:
    """What comes first follows from values; a model may still read it in a passage."""
    ordered = replace(CLAIM, text=text)
    open_ = Says("a", EXT, Reason.NO_PROPERTY)
    assert Cascade([open_, Says("b", CON)]).check(ordered, TRIPLET).label is EXT
    assert Cascade([open_, Says("b", CON, evidence=PASSAGE)]).check(ordered, PASSAGE).label is CON
