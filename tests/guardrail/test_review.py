"""The language model's second look within the pipeline: calls per answer, deadlines, amendments, and what stays proven."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from guardrail.check.llm.checker import LlmChecker
from guardrail.check.llm.verdicts import VerdictsJudge
from guardrail.llm import LlmSettings, open_llm
from guardrail.segment import segment
from guardrail.types import Label, NotChecked, Report, Verdict
from guardrail.verifier import Verifier
from tests.scripted_llm import Reply, Request, Script, ScriptedLlm, refusal

# Each sentence names something of the starter knowledge and says something that it does not hold.
OPEN = "Australia exports a lot of wool. Vienna hosts a famous opera ball in Austria."
GERMAN = "Canberra ist die Hauptstadt von Australien."
PROVEN = "Lyon is the capital of France."
REFERENCES = ["Australia is known for its wool.", "The opera ball is held in Vienna, Austria."]


def approve(request: Request) -> Reply:
    """A model that supports everything with the first passage that shares a word with the claim."""
    claims = request.prompt.rsplit("\nClaims:\n", 1)[1].strip().splitlines()
    entries = [
        {"claim": n, "prediction": "Attributable", "evidence": ["P1", "P2"], "rationale": "It says so."}
        for n in range(1, len(claims) + 1)
    ]
    return Reply(json.dumps({"claims": entries}))


@contextmanager
def reviewing(verifier: Verifier, script: Script) -> Iterator[tuple[ScriptedLlm, Verifier]]:
    with ScriptedLlm(script) as server:
        llm = open_llm(LlmSettings("m", server.url, attempts=1))
        yield server, verifier.reviewed_by(LlmChecker(VerdictsJudge(llm)))
        llm.close()


def streamed(verifier: Verifier, text: str, *, wait_s: float | None = None) -> Report:
    from guardrail.given import given_references

    session = verifier.session(references=given_references(REFERENCES))
    for sentence in segment(text):
        deadline = None if wait_s is None else time.monotonic() + wait_s
        session.check(sentence, deadline=deadline)
    return session.report(text)


def test_one_call_for_a_whole_answer(verifier: Verifier) -> None:
    """Buffered: all open claims of all sentences in one call, and the model's verdicts in the report."""
    with reviewing(verifier, [approve]) as (server, reviewed):
        report = reviewed.check(OPEN, references=REFERENCES)
        assert server.calls == 1
        assert [verdict.label for verdict in report.verdicts] == [Label.ATTRIBUTABLE] * len(report.verdicts)
        assert all(verdict.checker == "llm:m" and verdict.score == 2 for verdict in report.verdicts)
        assert all(verdict.tms > 0 for verdict in report.verdicts)
        assert report.versions["reviewer"] == "llm:m"


def test_at_most_one_call_for_a_sentence_streamed(verifier: Verifier) -> None:
    """Two sentences, two calls; the second is asked with the first as context."""
    with reviewing(verifier, [approve]) as (server, reviewed):
        report = streamed(reviewed, OPEN)
        assert server.calls == 2
        assert "lot of wool" in server.requests[1].prompt.split("Text before:")[1].split("Triplets:")[0]
        assert {verdict.checker for verdict in report.verdicts} == {"llm:m"}


def test_the_same_answer_again_costs_nothing(verifier: Verifier) -> None:
    """Zero calls for repeated text, and the same report but for its id and timing."""
    with reviewing(verifier, [approve]) as (server, reviewed):
        first = reviewed.check(OPEN, references=REFERENCES)
        second = reviewed.check(OPEN, references=REFERENCES)
        assert server.calls == 1
        assert first.verdicts == second.verdicts


def test_a_proof_costs_no_call_and_stands(verifier: Verifier) -> None:
    """A claim that the graph refutes is not put to the model."""
    with reviewing(verifier, [approve]) as (server, reviewed):
        (verdict,) = reviewed.check(PROVEN).verdicts
        assert (verdict.label, verdict.checker) == (Label.CONTRADICTORY, "symbolic")
        assert server.calls == 0
        assert verdict == verifier.check(PROVEN).verdicts[0]


def test_a_slow_model_takes_no_revision_away(verifier: Verifier) -> None:
    """What the graph refutes is corrected in time, however long the model looks at the rest."""
    mixed = "Lyon is the capital of France. Australia exports a lot of wool."
    late = Reply("{}", delay_s=8.0)
    with reviewing(verifier, [late]) as (_, reviewed):
        from guardrail.given import given_references

        session = reviewed.session(references=given_references(REFERENCES))
        for sentence in segment(mixed):
            started = time.monotonic()
            session.check(sentence, deadline=started + 2.0)
            assert time.monotonic() - started < 7.0
        first, second = session.report(mixed).verdicts
        assert first.revisions
        assert second.label is Label.EXTRAPOLATORY
        assert "ModelTimeout" in second.rationale


def test_a_refusing_model_leaves_the_embedded_report(verifier: Verifier) -> None:
    """Labels as without a model; every rationale says that it is missing."""
    plain = verifier.check(OPEN, references=REFERENCES)
    with reviewing(verifier, [refusal()]) as (_, reviewed):
        report = reviewed.check(OPEN, references=REFERENCES)
        assert [v.label for v in report.verdicts] == [v.label for v in plain.verdicts]
        assert all("The embedded one stands" in verdict.rationale for verdict in report.verdicts)
        assert report.gaps == plain.gaps


def test_a_late_answer_amends_the_report(verifier: Verifier) -> None:
    """The embedded verdicts stand at the deadline; what has come when the report is made replaces them."""

    answering = threading.Event()

    def slowly(request: Request) -> Reply:
        answering.wait(30.0)
        return approve(request)

    with reviewing(verifier, [slowly]) as (_, reviewed):
        from guardrail.given import given_references

        session = reviewed.session(references=given_references(REFERENCES))
        first = segment(OPEN)[0]
        findings = session.check(first, deadline=time.monotonic() + 2.0)
        assert [item.label for item in findings if isinstance(item, Verdict)] == [Label.EXTRAPOLATORY]
        answering.set()
        (late,) = session._reviews._late  # type: ignore[union-attr]
        assert late.amendment(wait_s=20.0)
        (amended,) = session.report(first.text).verdicts
        assert (amended.label, amended.checker) == (Label.ATTRIBUTABLE, "llm:m")


def test_without_a_reviewer_nothing_changes(verifier: Verifier) -> None:
    """The embedded tier does not know of any of this."""
    assert verifier.reviewer is None
    assert "reviewer" not in verifier.check(PROVEN).versions


@pytest.mark.parametrize("whole", [True, False])
def test_a_sentence_in_another_language_goes_to_the_model(verifier: Verifier, whole: bool) -> None:
    """The model's verdict stands for what no rule has read; where it gives none, the sentence is not checked."""
    from guardrail.given import given_references

    references = given_references(["Canberra is the capital of Australia."])
    for script, wanted in ((approve, [Label.ATTRIBUTABLE]), (refusal(), [])):
        with reviewing(verifier, [script]) as (server, reviewed):
            session = reviewed.session(references=references, whole=whole)
            for sentence in segment(GERMAN):
                session.check(sentence)
            report = session.report(GERMAN)
            assert server.calls >= 1
            assert [verdict.label for verdict in report.verdicts] == wanted
            unread = [(one.reason, one.detail[:6]) for one in report.unchecked]
            assert unread == ([] if wanted else [(NotChecked.LANGUAGE, "German")])
