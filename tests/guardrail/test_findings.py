"""Findings for text that was not read."""

from __future__ import annotations

import pytest

from guardrail.claims.checkable.coverage import Stretch
from guardrail.errors import ModelTimeout, ModelUnavailable
from guardrail.findings import (
    language_unchecked,
    open_verdict,
    unchecked_after_error,
    unchecked_stretch,
    unchecked_without_answer,
    with_unread,
)
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    NotChecked,
    Reason,
    Sentence,
    Span,
    Unchecked,
    Verdict,
)

SENTENCE = Sentence(Span(3, 9), "Hallo!")
STRETCH = Stretch(SENTENCE, NotChecked.LANGUAGE, "German")


def verdict(label: Label) -> Verdict:
    return Verdict(Claim(0, SENTENCE.span, "Hallo!", "Hallo!"), label, 0.9, Evidence(), "so", "symbolic")


def test_a_stretch_that_is_given_up_says_why() -> None:
    """Its reason and its language stand in the finding."""
    assert unchecked_stretch(STRETCH) == Unchecked(SENTENCE.span, "Hallo!", NotChecked.LANGUAGE, "German")


def test_what_no_model_judges_is_not_checked() -> None:
    """A verdict that is still open when the review is over was none."""
    open_ = open_verdict(STRETCH, 4, ())
    assert (open_.claim.id, open_.reason) == (4, Reason.NOT_READ)
    judged = verdict(Label.CONTRADICTORY)
    assert language_unchecked([open_, judged]) == [unchecked_stretch(STRETCH), judged]


def test_what_is_unread_replaces_what_says_nothing() -> None:
    """A non-claim and an open verdict give way, a verdict that decides stands; what is new comes in the order of the text."""
    unread = Unchecked(SENTENCE.span, "Hallo!", NotChecked.UNREAD)
    other = Unchecked(Span(0, 2), "so", NotChecked.UNREAD)
    skipped = Claim(0, SENTENCE.span, "Hallo!", "Hallo!", kind=Kind.HEADING)
    assert with_unread([skipped], [unread, other]) == [other, unread]
    assert with_unread([verdict(Label.EXTRAPOLATORY)], [unread]) == [unread]
    refuted = verdict(Label.CONTRADICTORY)
    assert with_unread([refuted], [unread]) == [refuted]


def test_a_model_without_an_answer_leaves_its_claim_unchecked() -> None:
    """What is late is so by its deadline, any other failure is an error; the message of a server is not told."""
    claim = Claim(0, SENTENCE.span, "Hallo!", "Hallo!")
    late = unchecked_without_answer(claim, ModelTimeout("no answer within 2 s"))
    assert late == Unchecked(claim.span, "Hallo!", NotChecked.DEADLINE, "no answer within 2 s")
    away = unchecked_without_answer(claim, ModelUnavailable("https://internal.host said no"))
    assert away == Unchecked(claim.span, "Hallo!", NotChecked.ERROR, "ModelUnavailable")


def test_a_sentence_whose_check_breaks_is_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    """The log has the kind of the error and where it came from, and not its message."""
    with pytest.raises(RuntimeError) as raised:
        raise RuntimeError(SENTENCE.text)
    found = unchecked_after_error(SENTENCE, raised.value)
    assert found == Unchecked(SENTENCE.span, "Hallo!", NotChecked.ERROR, "RuntimeError")
    (record,) = caplog.records
    assert "RuntimeError in a check" in record.getMessage()
    assert "raise RuntimeError" in record.getMessage().split("\n", 1)[1]
    assert SENTENCE.text not in record.getMessage()
