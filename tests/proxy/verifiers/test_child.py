"""What a process that checks says to the questions that it is asked."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

from guardrail.segment import segment
from guardrail.types import NotChecked, Report, Sentence, Unchecked
from proxy.verifiers.child import Answering
from proxy.verifiers.messages import Ask, Known
from tests.fakes import FakeVerifier

TEXT = "This is true. This is wrong. It is true again."
FIRST, SECOND, THIRD = segment(TEXT)


@pytest.fixture
def verifier() -> FakeVerifier:
    return FakeVerifier()


@pytest.fixture
def lane(verifier: FakeVerifier) -> Iterator[Connection]:
    here, there = multiprocessing.Pipe()
    thread = threading.Thread(target=Answering(verifier).along, args=(there,), daemon=True)
    thread.start()
    yield here
    here.close()
    thread.join(30)
    assert not thread.is_alive()


def ask(lane: Connection, work: Sentence | str, **given: object):
    lane.send(Ask(7, work, **given))  # type: ignore[arg-type]
    return lane.recv()


def test_an_answer_is_checked_sentence_by_sentence(lane: Connection, verifier: FakeVerifier) -> None:
    """The first question opens the session, with its evidence; the last one gets the report on all of it."""
    first = ask(lane, FIRST, opening={"question": "What?"})
    second = ask(lane, SECOND)
    report = ask(lane, TEXT).found
    assert isinstance(report, Report)
    assert report.verdicts == (*first.found, *second.found)
    assert [session.given for session in verifier.sessions] == [{"question": "What?"}]


def test_a_session_is_closed_with_another_question(lane: Connection) -> None:
    """A session that is over is not there any more; it can be opened anew."""
    ask(lane, FIRST, opening={})
    assert ask(lane, SECOND, closed=(7,)).error == "KeyError"
    assert ask(lane, SECOND, opening={}).found


def test_what_another_process_found_stands(lane: Connection) -> None:
    """A session that goes on elsewhere reports what was found, in the order of the text; what was lost stays so."""
    found = ask(lane, FIRST, opening={}).found
    lost = (Unchecked(SECOND.span, SECOND.text, NotChecked.ERROR, "gone"),)
    known = (Known(FIRST, found), Known(SECOND, lost, lost=True))
    third = ask(lane, THIRD, opening={}, known=known).found
    report = ask(lane, TEXT).found
    assert report.verdicts == (*found, *third)
    assert report.unchecked == lost


def test_going_on_takes_no_longer_than_the_deadline(lane: Connection) -> None:
    """A sentence whose time is over before the earlier ones were gone through is not checked, and all are reported."""
    found = ask(lane, FIRST, opening={}).found
    late = ask(lane, SECOND, opening={}, known=(Known(FIRST, found),), deadline=time.monotonic() - 1).found
    assert [(one.text, one.reason) for one in late] == [(SECOND.text, NotChecked.DEADLINE)]
    report = ask(lane, TEXT).found
    assert (report.verdicts, report.unchecked) == (found, late)


def test_a_check_that_breaks_is_told_without_its_words(
    lane: Connection, caplog: pytest.LogCaptureFixture
) -> None:
    """The kind of error comes back, the log has the place and no text of the answer, and the process goes on."""
    (sentence,) = segment("A check breaks.")
    answer = ask(lane, sentence, opening={})
    assert (answer.found, answer.error) == (None, "ValueError")
    assert "a check broke" in caplog.text
    assert "a checker broke" not in caplog.text.replace('raise ValueError("a checker broke")', "")
    assert ask(lane, FIRST).found
