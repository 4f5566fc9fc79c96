"""A generative checker's wire, against a server that speaks OpenAI's chat completions with log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from guardrail.errors import ModelMalformed, ModelRefused, ModelUnavailable
from guardrail.models.minicheck import MiniCheck
from tests.model_server import Fault, ModelServer

PAIRS = [("Rome is old.", "Rome is old."), ("Bread is sold.", "Rome is old.")]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def first(*tokens: tuple[str, float]) -> Fault:
    """A completion whose first token could have been these."""
    told = [{"token": token, "logprob": math.log(share)} for token, share in tokens]
    content = [{**told[0], "top_logprobs": told}]
    return Fault(body={"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": content}}]})


def test_yes_supports_and_no_leaves_open(server: ModelServer) -> None:
    """The share of Yes is the probability of Attributable, the share of No that of Extrapolatory; nothing is refuted."""
    rows = MiniCheck(f"{server.root}/v1", "mini").ask(PAIRS, 5)
    assert np.allclose(rows[0], (0.96, 0.04, 0), atol=0.01)
    assert np.allclose(rows[1], (0.02, 0.98, 0), atol=0.01)


def test_the_request_is_minichecks(server: ModelServer) -> None:
    """One token is asked for, at temperature 0, with log-probabilities; document and claim stand as the model was tuned on."""
    MiniCheck(f"{server.root}/v1", "mini").ask(PAIRS[:1], 5)
    ((path, body),) = server.requests
    assert path == "/v1/chat/completions"
    assert body["messages"][1]["content"] == "Document: Rome is old.\nClaim: Rome is old."
    assert body["messages"][0]["content"].endswith('responding with either "Yes" or "No".')
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("mini", 1, 0.0)
    assert (body["logprobs"], body["top_logprobs"]) == (True, 5)


def test_all_spellings_of_yes_count_once_each(server: ModelServer) -> None:
    """Yes, yes and YES add up, and the token that was chosen, which stands among the alternatives, is not counted twice."""
    server.fault = first(("Yes", 0.4), (" yes", 0.2), ("YES", 0.1), ("No", 0.1), ("Maybe", 0.1))
    rows = MiniCheck(f"{server.root}/v1", "mini").ask(PAIRS[:1], 5)
    assert rows[0, 0] == pytest.approx(0.7 / 0.8)


def test_another_answer_is_no_verdict(server: ModelServer) -> None:
    """Where the model says neither Yes nor No, there is no row."""
    server.fault = first(("Sure", 0.7), ("Yes", 0.2), ("No", 0.1))
    with pytest.raises(ModelRefused):
        MiniCheck(f"{server.root}/v1", "mini").ask(PAIRS[:1], 5)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": []},
        {"choices": [{"message": {"content": "Yes"}}]},
        {"choices": [{"message": {"content": "Yes"}, "logprobs": None}]},
        {"choices": [{"logprobs": {"content": []}}]},
        {"choices": [{"logprobs": {"content": [{"token": "Yes", "logprob": float("nan")}]}}]},
        {"choices": [{"logprobs": {"content": [{"token": "Yes", "logprob": 3.0}]}}]},
    ],
)
def test_without_log_probabilities_there_is_no_row(server: ModelServer, body: object) -> None:
    """A text that says Yes is not enough."""
    server.fault = Fault(body=body)
    with pytest.raises(ModelMalformed):
        MiniCheck(f"{server.root}/v1", "mini").ask(PAIRS[:1], 5)


def test_a_prompt_that_is_too_long_is_about_the_request(server: ModelServer) -> None:
    """vLLM answers 400."""
    server.fault = Fault(status=400, body={"error": {"message": "This model's maximum context length is 10"}})
    with pytest.raises(ModelUnavailable, match="maximum context") as raised:
        MiniCheck(f"{server.root}/v1", "mini").ask(PAIRS[:1], 5)
    assert raised.value.about_the_request
