"""Probabilities as verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from guardrail.check.llm.checker import LlmChecker
from guardrail.check.llm.probabilities import DecisionJudge
from guardrail.llm.endpoint import Decider
from guardrail.types import Label, Verdict
from tests.llm_cases import CAPITAL, CAPITAL_TEXT, RIVER, capital_cases, sentence
from tests.scripted_llm import Reply, Request, Script, ScriptedLlm

NAMES = ("attributable", "extrapolatory", "contradictory")


def answering(*shares: tuple[float, float, float]) -> Reply:
    return Reply(
        body={
            "answers": [
                {"probabilities": [{"value": n, "probability": p} for n, p in zip(NAMES, row, strict=True)]}
                for row in shares
            ]
        }
    )


@contextmanager
def checking(script: Script) -> Iterator[tuple[ScriptedLlm, LlmChecker]]:
    with ScriptedLlm(script) as server:
        judge = DecisionJudge(Decider(server.url, "m", attempts=1))
        yield server, LlmChecker(judge)
        judge.close()


def verdicts(checker: LlmChecker) -> list[Verdict]:
    found = checker.review(sentence(CAPITAL_TEXT), capital_cases()).findings
    assert all(isinstance(item, Verdict) for item in found)
    return [item for item in found if isinstance(item, Verdict)]


def test_one_call_for_all_claims_with_their_probabilities() -> None:
    """The label's probability is the confidence, and the evidence that speaks of the claim is what it rests on."""
    with checking([answering((0.02, 0.03, 0.95), (0.9, 0.08, 0.02))]) as (server, checker):
        first, second = verdicts(checker)
        assert (first.label, first.confidence) == (Label.CONTRADICTORY, 0.95)
        assert (second.label, second.confidence) == (Label.ATTRIBUTABLE, 0.9)
        assert CAPITAL in first.evidence.triplets
        assert second.evidence.triplets == (RIVER,)
        assert "95%" in first.rationale
        assert first.checker == "decisions:m"
        assert server.calls == checker.measures()["guardrail.reviewer.calls"] == 1


def test_below_the_threshold_nothing_is_decided() -> None:
    """Sixty percent is an abstention, and the confidence is that of the label given."""
    with checking([answering((0.1, 0.3, 0.6), (0.1, 0.8, 0.1))]) as (_, checker):
        first, second = verdicts(checker)
        assert (first.label, first.confidence) == (Label.EXTRAPOLATORY, 0.3)
        assert "too little" in first.rationale
        assert second.confidence == 0.8


@pytest.mark.parametrize("reply", [Reply(status=500, body={}), answering((1.0, 0.0, 0.0)), Reply(raw=b"no")])
def test_a_failure_leaves_the_embedded_verdict(reply: Reply) -> None:
    """As with every other judge."""
    with checking([reply]) as (_, checker):
        for verdict in verdicts(checker):
            assert verdict.checker == "symbolic"
            assert "The embedded one stands" in verdict.rationale


def test_the_text_under_check_is_not_shown() -> None:
    """Only evidence and claims go out: an instruction elsewhere in the answer reaches no model."""

    def record(request: Request) -> Reply:
        assert "on the Rhone" in str(request.body)
        assert CAPITAL_TEXT not in str(request.body)
        return answering((0.0, 1.0, 0.0), (0.0, 1.0, 0.0))

    with checking([record]) as (server, checker):
        verdicts(checker)
        assert server.calls == 1
