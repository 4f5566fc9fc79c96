"""Endpoints that give probabilities: five protocols on a real port, and everything that can go wrong with them."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import pytest

from guardrail.errors import ConfigError, ModelMalformed, ModelTimeout, ModelUnavailable
from guardrail.llm.endpoint import Decider
from guardrail.types import Label
from tests.scripted_llm import Reply, Request, ScriptedLlm

A, E, C = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
EVIDENCE = "('France', 'capital', 'Paris')"
CLAIMS = ["Paris is the capital of France.", "Lyon is the capital of France."]
SHARES = [(0.9, 0.08, 0.02), (0.01, 0.04, 0.95)]
NAMES = ("attributable", "extrapolatory", "contradictory")


def decisions(request: Request) -> Reply:
    answers = [
        {
            "type": "choice",
            "name": question["name"],
            "choice": "attributable",
            "confidence": 0.9,
            "probabilities": [
                {"value": name, "probability": share} for name, share in zip(NAMES, shares, strict=True)
            ],
        }
        for question, shares in zip(request.body["questions"], SHARES, strict=False)
    ]
    usage = {"input_tokens": 3, "output_tokens": 0, "total_tokens": 3}
    return Reply(body={"model": "m", "answers": answers, "usage": usage})


def systemone(request: Request) -> Reply:
    answers = {
        name: {
            "type": "choice",
            "choice": "x",
            "confidence": 0.9,
            "probabilities": dict(zip(NAMES, shares, strict=True)),
        }
        for name, shares in zip(request.body["questions"], SHARES, strict=False)
    }
    return Reply(body={"model": "m", "answers": answers, "usage": {}})


def classify(request: Request) -> Reply:
    rows = [
        {"index": index, "label": "x", "probs": list(shares), "num_classes": 3}
        for index, shares in enumerate(SHARES[: len(request.body["input"])])
    ]
    return Reply(body={"data": rows[::-1]})


def predict(request: Request) -> Reply:
    labels = ("ENTAILMENT", "neutral", "LABEL_2")
    rows = [[{"label": n, "score": s} for n, s in zip(labels, shares, strict=True)] for shares in SHARES]
    return Reply(body=rows)


def score(request: Request) -> Reply:
    return Reply(body={"data": [{"index": 1, "score": 0.1}, {"index": 0, "score": 0.9}]})


SERVERS: dict[str, Any] = {
    "decisions": decisions,
    "systemone": systemone,
    "classify": classify,
    "predict": predict,
}


@pytest.mark.parametrize("kind", SERVERS)
def test_every_protocol_gives_the_same_probabilities(kind: Any) -> None:
    """One request, two claims, three probabilities each, in order."""
    with ScriptedLlm([SERVERS[kind]]) as server:
        first, second = Decider(server.url, "m", kind, api_key="k").decide(EVIDENCE, CLAIMS)
        assert server.calls == 1
        assert server.requests[0].authorization == "Bearer k"
    assert [round(first[label], 3) for label in (A, E, C)] == [0.9, 0.08, 0.02]
    assert [round(second[label], 3) for label in (A, E, C)] == [0.01, 0.04, 0.95]


def test_a_one_label_scorer_never_contradicts() -> None:
    """Support is all that such a model can tell."""
    with ScriptedLlm([score]) as server:
        first, second = Decider(server.root, "m", "score").decide(EVIDENCE, CLAIMS)
    assert (round(first[A], 3), first[C]) == (0.9, 0.0)
    assert (round(second[E], 3), second[C]) == (0.9, 0.0)


@pytest.mark.parametrize("root", ["", "/", "/v1", "/v1/", "/gateway/v1"])
def test_the_root_may_be_given_in_any_form(root: str) -> None:
    """A trailing "/v1" is not doubled; a path in front of it is kept."""
    with ScriptedLlm([decisions]) as server:
        Decider(server.root + root, "m").decide(EVIDENCE, CLAIMS)
        assert server.requests[0].path == root.rstrip("/").removesuffix("/v1") + "/v1/decisions"


def test_many_claims_are_asked_in_batches() -> None:
    """Servers limit the questions of a call; the order stays."""

    def any_number(request: Request) -> Reply:
        number = len(request.body["questions"])
        names = [question["name"] for question in request.body["questions"]]
        answers = [
            {"name": name, "probabilities": [{"value": n, "probability": 1 / 3} for n in NAMES]}
            for name in names
        ]
        assert number <= 64
        return Reply(body={"answers": answers})

    with ScriptedLlm([any_number]) as server:
        assert len(Decider(server.url, "m").decide(EVIDENCE, ["x"] * 130)) == 130
        assert server.calls == 3


def test_temperature_softens_without_changing_the_order() -> None:
    """Calibration keeps the likeliest label and adds up to one."""
    with ScriptedLlm([decisions]) as server:
        raw = Decider(server.url, "m").decide(EVIDENCE, CLAIMS)[0]
        soft = Decider(server.url, "m", temperature=2.0).decide(EVIDENCE, CLAIMS)[0]
    assert raw[A] > soft[A] > soft[E] > soft[C]
    assert math.isclose(sum(soft.values()), 1.0)


BAD: dict[str, Any] = {
    "no answers": {"model": "m"},
    "too few": {"answers": []},
    "other names": {"answers": [{"probabilities": [{"value": "yes", "probability": 1.0}]}] * 2},
    "no probabilities": {"answers": [{"probabilities": [{"value": "attributable", "probability": 7.0}]}] * 2},
    "not a number": {"answers": [{"probabilities": [{"value": "attributable", "probability": "high"}]}] * 2},
    "a refusal": {"answers": [{"type": "refusal", "name": "0"}] * 2},
    "a list": [1, 2],
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_an_answer_in_another_form_is_an_error(body: Any) -> None:
    """No label is guessed from what is not understood."""
    with ScriptedLlm([Reply(body=body)]) as server, pytest.raises(ModelMalformed):
        Decider(server.url, "m").decide(EVIDENCE, CLAIMS)


def test_what_is_no_json_is_an_error() -> None:
    """A gateway's page with status 200."""
    with (
        ScriptedLlm([Reply(raw=b"<html>")]) as server,
        pytest.raises(ModelMalformed, match="not answer with JSON"),
    ):
        Decider(server.url, "m").decide(EVIDENCE, CLAIMS)


def test_an_overloaded_server_is_asked_again() -> None:
    """503, then the answer."""
    with ScriptedLlm([Reply(status=503, body={}), decisions]) as server:
        Decider(server.url, "m").decide(EVIDENCE, CLAIMS)
        assert server.calls == 2


@pytest.mark.parametrize("status", [400, 404, 501])
def test_a_server_that_cannot_says_so(status: int) -> None:
    """404: no such endpoint; 501: no such ability. The status is in the message."""
    reply = Reply(status=status, body={"error": "x"})
    with ScriptedLlm([reply]) as server, pytest.raises(ModelUnavailable, match=str(status)):
        Decider(server.url, "m", attempts=1).decide(EVIDENCE, CLAIMS)


@pytest.mark.parametrize("reply", [Reply(hang_up=True), Reply(delay_s=3.0)])
def test_silence_is_an_error_in_time(reply: Reply) -> None:
    """A closed socket is ModelUnavailable, a slow one ModelTimeout."""
    with ScriptedLlm([reply]) as server, pytest.raises((ModelUnavailable, ModelTimeout)):
        Decider(server.url, "m", attempts=1, timeout_s=0.2).decide(EVIDENCE, CLAIMS)


def test_nobody_at_the_port() -> None:
    """No connection."""
    with ScriptedLlm([decisions]) as server:
        url = server.url
    with pytest.raises(ModelUnavailable):
        Decider(url, "m", attempts=1).decide(EVIDENCE, CLAIMS)


@pytest.mark.skipif(find_spec("litellm") is None, reason="the extra `llm` is not installed")
def test_a_providers_decisions_go_through_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a URL the provider's own endpoint is asked; here OpenAI's, moved to the scripted server."""
    with ScriptedLlm([decisions]) as server, ThreadPoolExecutor(1) as threads:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        decider = Decider(None, "openai/gpt-x", api_key="k", attempts=1)
        first, second = threads.submit(decider.decide, EVIDENCE, CLAIMS).result()
        assert (round(first[A], 3), round(second[C], 3)) == (0.9, 0.95)
        assert (server.requests[0].path, server.requests[0].authorization) == ("/v1/decisions", "Bearer k")


@pytest.mark.parametrize(
    "options",
    [{"url": None, "kind": "score"}, {"url": "localhost:8000"}, {"url": "http://"}, {"temperature": 0.0}],
)
def test_a_senseless_setting_is_refused(options: dict[str, Any]) -> None:
    """At once, not at the first call."""
    with pytest.raises(ConfigError):
        Decider(**{"url": "http://127.0.0.1:1", "model": "m", **options})
