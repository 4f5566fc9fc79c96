"""Reviewers' words: in the chain, as data, compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.audit.chain import read_public_key
from guardrail.audit.reviews import agreement, cohens_kappa, labelled, review
from guardrail.audit.store import AuditLog
from guardrail.audit.verify import verify
from guardrail.errors import AuditError
from tests.records import record

Opener = Callable[[], AuditLog]


def test_a_review_is_an_entry_of_the_chain(open_log: Opener, tmp_path: Path) -> None:
    """It is found with its record, and the log verifies."""
    log = open_log()
    log.append_now(record(1))
    made = review(
        log, "grd_1", 0, reviewer="ada", judgement="wrong_label", label="attributable", comment="see p. 3"
    )
    assert list(log.reviews("grd_1")) == [made]
    assert verify(log, read_public_key(tmp_path / "audit.key.pub")).ok


def test_reviews_become_calibration_data(open_log: Opener) -> None:
    """Agreeing keeps the verdict's label as truth; the last word of a reviewer counts; wrong spans are left out."""
    log = open_log()
    for number in (1, 2, 3):
        log.append_now(record(number))
    review(log, "grd_1", 0, reviewer="ada", judgement="agree")
    review(log, "grd_2", 0, reviewer="ada", judgement="agree")
    review(log, "grd_2", 0, reviewer="ada", judgement="wrong_label", label="extrapolatory")
    review(log, "grd_3", 0, reviewer="ada", judgement="wrong_span")
    found = list(labelled(log))
    assert [(one.record, one.label, one.truth, one.confidence) for one in found] == [
        ("grd_1", "contradictory", "contradictory", 0.9),
        ("grd_2", "contradictory", "extrapolatory", 0.9),
    ]


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"record_id": "none"}, "no record"),
        ({"claim": 7}, "has no claim 7; it has 0"),
        ({"judgement": "meh"}, "no judgement"),
        ({"judgement": "wrong_label"}, "needs the right one"),
        ({"judgement": "wrong_label", "label": "contradictory"}, "needs the right one"),
        ({"judgement": "wrong_label", "label": "true"}, "labels: attributable"),
        ({"reviewer": " "}, "reviewer's name"),
    ],
)
def test_a_review_that_makes_no_sense_is_refused(
    open_log: Opener, given_: dict[str, str], words: str
) -> None:
    """Nothing is written."""
    log = open_log()
    log.append_now(record(1))
    asked = {"record_id": "grd_1", "claim": 0, "reviewer": "ada", "judgement": "agree"} | given_
    with pytest.raises(AuditError, match=words):
        review(log, asked.pop("record_id"), asked.pop("claim"), **asked)  # type: ignore[arg-type]
    assert not log.reviews("grd_1")


def test_agreement_of_two_reviewers(open_log: Opener) -> None:
    """Over the claims that both labelled."""
    log = open_log()
    for number in range(4):
        log.append_now(record(number))
        review(log, f"grd_{number}", 0, reviewer="ada", judgement="agree")
    for number, label in enumerate(["", "", "attributable"]):
        judgement = "wrong_label" if label else "agree"
        review(log, f"grd_{number}", 0, reviewer="bo", judgement=judgement, label=label)  # type: ignore[arg-type]
    assert agreement(log) == {("ada", "bo"): (3, 0.0)}


def test_kappa_of_a_textbook_table() -> None:
    """50 grant proposals read by two people: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no give 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohens_kappa(pairs) == pytest.approx(0.4)


def test_kappa_where_it_says_nothing() -> None:
    """No pairs, or one label only: undefined, not one."""
    assert cohens_kappa([]) is None
    assert cohens_kappa([("a", "a")] * 9) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    """One only for full agreement."""
    kappa = cohens_kappa(pairs)
    mirrored = cohens_kappa([(right, left) for left, right in pairs])
    if kappa is None:
        assert mirrored is None
    else:
        assert mirrored == pytest.approx(kappa)
        assert kappa <= 1
        assert (kappa == 1) is all(left == right for left, right in pairs)
