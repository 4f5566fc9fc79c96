"""The judge: verdicts, decisions and reports as the machines and clients need them."""

from __future__ import annotations

import time

import orjson
import pytest

from guardrail.segment import segment
from guardrail.types import NotChecked, Unchecked
from policies.policy import load
from policies.terms import Mode, Request
from proxy.judging.judge import Judge
from proxy.stream.events import PassOver, Summarise, Verify
from proxy.stream.exchange import Exchange
from tests.fakes import FakeVerifier

TEXT = "It is true. It is wrong. More is wrong. Is it?"
FAR = float("inf")


def judging(policy: str, mode: Mode = Mode.BUFFER) -> tuple[Judge, FakeVerifier]:
    verifier = FakeVerifier()
    exchange = Exchange(policy=load(policy), request=Request(model="m"), mode=mode, id="grd_1")
    return Judge(exchange, lambda _: verifier.session()), verifier


def whole(judge: Judge, text: str = TEXT):
    found = [judge.judge(Verify(0, sentence), FAR) for sentence in segment(text)]
    return found, judge.report(Summarise(0, text))


def test_the_body_is_the_report_with_what_the_policy_adds() -> None:
    """Id of the exchange, policy, mode and action stand beside the verdicts."""
    _, reported = whole(judging("annotate")[0])
    body = orjson.loads(reported.body)
    assert (body["id"], body["policy"], body["mode"], body["action"]) == (
        "grd_1",
        "annotate",
        "observe",
        "annotate",
    )
    assert (body["outcome"], body["flagged"], body["text"]) == ("flagged", [1, 2], TEXT)


def test_held_sentences_number_their_notes_through_the_answer() -> None:
    """In hold the second flagged sentence gets [2], and the section below lists both."""
    judge, _ = judging("attach", Mode.HOLD)
    found, reported = whole(judge)
    assert [e.replacement for one in found for e in one.edits] == [" [1]", " [2]"]
    assert [e.replacement for e in reported.edits] == [" [1]", " [2]"]
    assert "[1] “It is wrong.”" in reported.section
    assert "[2] “More is wrong.”" in reported.section


def test_annotations_point_into_the_text_as_delivered() -> None:
    """Citations are counted in the text that the client has."""
    for mode in (Mode.HOLD, Mode.BUFFER):
        _, reported = whole(judging("attach", mode)[0])
        delivered = TEXT.replace("wrong. More", "wrong. [1] More").replace(
            "More is wrong.", "More is wrong. [2]"
        )
        cited = [a["url_citation"] for a in orjson.loads(reported.annotations)]
        assert [
            delivered[c["start_index"] : c["end_index"]].replace(" [1]", "").replace(" [2]", "")
            for c in cited
        ] == ["It is true.", "It is wrong.", "More is wrong."]


def test_a_sentence_that_comes_too_late_is_not_looked_at() -> None:
    """After its deadline a sentence is not checked, and no session is opened for it."""
    judge, verifier = judging("annotate")
    (sentence, *_) = segment(TEXT)
    judged = judge.judge(Verify(0, sentence), time.monotonic() - 1)
    assert isinstance(judged.findings[0], Unchecked)
    assert judged.findings[0].reason is NotChecked.DEADLINE
    assert verifier.sessions == []
    body = orjson.loads(judge.report(Summarise(0, TEXT)).body)
    assert [u["reason"] for u in body["unchecked"]] == ["deadline"]
    assert body["outcome"] == "not_checked"


def test_what_nobody_judged_is_marked_once() -> None:
    """Sentences left over are marked; those that were judged meanwhile are not marked again."""
    judge, _ = judging("annotate")
    sentences = segment(TEXT)
    judge.judge(Verify(0, sentences[0]), FAR)
    body = orjson.loads(judge.report(Summarise(0, TEXT, tuple(sentences), NotChecked.CANCELLED)).body)
    assert len(body["claims"]) == 1
    assert [u["reason"] for u in body["unchecked"]] == ["cancelled"] * 3


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
def test_a_blocked_report_has_no_words(mode: Mode) -> None:
    """Of a blocked answer the client learns labels and places, no words and no sources."""
    _, reported = whole(judging("block", mode)[0])
    assert b"wrong" not in reported.body
    assert b"true." not in reported.body
    assert reported.annotations == b"[]"
    assert [c["label"] for c in orjson.loads(reported.body)["claims"]] == [
        "attributable",
        "contradictory",
        "contradictory",
    ]


def test_a_session_that_is_lost_is_not_asked_again() -> None:
    """What was found until then is reported; everything after is marked, and the report is whole without the session."""
    judge, verifier = judging("annotate")
    first, second, *_ = segment(TEXT)
    judge.judge(Verify(0, first), FAR)
    judge.give_up(NotChecked.ERROR)
    judge.judge(Verify(0, second), FAR)
    body = orjson.loads(judge.report(Summarise(0, TEXT)).body)
    assert [c["text"] for c in body["claims"]] == [first.text]
    assert [(u["text"], u["reason"]) for u in body["unchecked"]] == [(second.text, "error")]
    assert body["outcome"] == "not_checked"
    assert len(verifier.sessions[0].findings) == 1


def test_the_first_word_on_a_sentence_stands() -> None:
    """A sentence that was passed over stays not checked, whatever its check finds afterwards; one that was judged stays judged."""
    judge, verifier = judging("annotate", Mode.HOLD)
    one, two, *_ = segment(TEXT)
    assert judge.judge(Verify(0, one), FAR) is judge.overdue(PassOver(0, one))
    late = judge.overdue(PassOver(0, two))
    assert judge.judge(Verify(0, two), FAR) is late
    verifier.sessions[0].check(two)  # as if the check had been running
    body = orjson.loads(judge.report(Summarise(0, TEXT)).body)
    assert [(c["label"], c["text"]) for c in body["claims"]] == [("attributable", one.text)]
    assert [(u["reason"], u["text"]) for u in body["unchecked"]] == [("deadline", two.text)]
    assert body["outcome"] == "not_checked"
