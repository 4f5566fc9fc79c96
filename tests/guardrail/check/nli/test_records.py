"""Statements that are near in meaning are read together, and the one that decides is shown."""

from dataclasses import replace

import pytest

from guardrail.check.nli.records import RecordsChecker
from guardrail.types import Evidence, Kind, Label, Node, Reason, Triplet
from tests.scripted_nli import Scripted, claim

SURE, AGAINST = (0.97, 0.02, 0.01), (0.01, 0.02, 0.97)
CLAIM = claim("You can cancel two days before.")


def near(*values: str) -> Evidence:
    return Evidence(
        nearest=tuple(
            Triplet(Node("h", "Hotel"), Node("p", f"rule {n}"), Node("", v)) for n, v in enumerate(values)
        )
    )


def test_the_statement_that_decides_by_itself_is_shown() -> None:
    """Of all that were read together."""
    verdict = RecordsChecker(Scripted({"48 hours": SURE})).check(CLAIM, near("breakfast", "48 hours", "dogs"))
    assert verdict is not None
    assert (verdict.label, verdict.confidence) == (Label.ATTRIBUTABLE, pytest.approx(0.97))
    assert verdict.rationale == "The statement “Hotel: rule 1: 48 hours.” supports the claim."
    assert [one.object.label for one in verdict.evidence.triplets] == ["48 hours"]


def test_what_only_several_tell_is_shown_with_these_alone() -> None:
    """No statement has both words, the first two together do; the third adds nothing."""
    checker = RecordsChecker(Scripted({"rule 0: one; rule 1: two": AGAINST}))
    verdict = checker.check(CLAIM, near("one", "two", "three"))
    assert verdict is not None
    assert verdict.label is Label.CONTRADICTORY
    assert verdict.rationale == "The statements “Hotel: rule 0: one; rule 1: two.” contradict the claim."
    assert len(verdict.evidence.triplets) == 2


def test_it_says_nothing_where_the_model_is_not_sure() -> None:
    """Nor where nothing is near, nor of what is no fact or was said with doubt."""
    sure = RecordsChecker(Scripted({"48 hours": SURE}))
    assert RecordsChecker(Scripted({"48 hours": (0.5, 0.4, 0.1)})).check(CLAIM, near("48 hours")) is None
    assert sure.check(CLAIM, Evidence()) is None
    assert sure.check(replace(CLAIM, kind=Kind.OPINION), near("48 hours")) is None
    assert sure.check(replace(CLAIM, reason=Reason.HEDGED), near("48 hours")) is None


def test_nothing_is_confirmed_while_evidence_went_unread() -> None:
    """What a limit left out may say otherwise; it does not undo a contradiction."""
    unread = replace(near("48 hours"), unread=("300 more statements",))
    assert RecordsChecker(Scripted({"48 hours": SURE})).check(CLAIM, unread) is None
    against = RecordsChecker(Scripted({"48 hours": AGAINST})).check(CLAIM, unread)
    assert against is not None
    assert against.label is Label.CONTRADICTORY


def test_what_does_not_fit_beside_the_claim_is_left_out() -> None:
    """The farthest first."""
    model = Scripted({"long": SURE})
    assert RecordsChecker(model).check(CLAIM, near("short", " ".join(["long"] * 60))) is None
    assert all("long" not in premise for premise, _ in model.asked)
