"""A model behind a real port: what is sent, counted, cached, repaired, refused, and given up."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import pytest

from guardrail.cache import DiskCache
from guardrail.errors import BudgetSpent, ModelMalformed, ModelRefused, ModelTimeout, ModelUnavailable
from guardrail.llm import Budget, Llm, LlmSettings, Message, Question, Schema, open_llm
from guardrail.llm.provider import Provider
from guardrail.llm.reply import closed, read_json
from guardrail.llm.server import Server
from tests.scripted_llm import (
    Reply,
    Script,
    ScriptedLlm,
    cut,
    declined,
    error,
    filtered,
    not_json,
    overloaded,
    refusal,
    slow,
)

SCHEMA = closed(label={"type": "string", "enum": ["yes", "no"]})
GOOD = json.dumps({"label": "yes"})
Opened = Callable[..., AbstractContextManager[tuple[ScriptedLlm, Llm]]]


def question(text: str = "Is it?", *, sample: int = 0) -> Question[str]:
    return Question(
        (Message("user", text),),
        lambda reply: str(read_json(reply, SCHEMA)["label"]),
        Schema("l", SCHEMA),
        sample=sample,
    )


@pytest.fixture(autouse=True, params=["direct", "litellm"])
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is run over both ways to a server: ours and litellm's."""
    if request.param == "litellm" and find_spec("litellm") is None:
        pytest.skip("the extra `llm` is not installed")
    monkeypatch.setattr(sys.modules[__name__], "CLIENT", request.param)


CLIENT: Literal["direct", "litellm"] = "direct"


@contextmanager
def scripted(script: Script, **options: object) -> Iterator[tuple[ScriptedLlm, Llm]]:
    cache = options.pop("cache", None)
    with ScriptedLlm(script) as server:
        settings = LlmSettings("m", server.url, backoff_s=0.0, client=CLIENT, **options)  # type: ignore[arg-type]
        model = open_llm(settings, cache=cache)  # type: ignore[arg-type]
        yield server, model
        model.close()


def test_a_good_reply_is_read_and_counted() -> None:
    """One call goes out, with model, schema, temperature 0 and the key; tokens are counted."""
    with scripted([GOOD], api_key="secret") as (server, model):
        answer = model.ask(question())
        assert (answer.value, answer.calls) == ("yes", 1)
        body = server.requests[0].body
        assert server.requests[0].authorization == "Bearer secret"
        assert (body["model"], body["temperature"]) == ("m", 0.0)
        assert body["response_format"]["json_schema"]["strict"] is True
        assert model.usage.calls == 1
        assert model.usage.tokens == answer.prompt_tokens + answer.completion_tokens > 0


def test_a_leading_openai_is_dropped_for_a_server_of_our_own() -> None:
    """RefChecker's `openai/meta-llama/…` reaches the server under the name that it knows."""
    with ScriptedLlm([GOOD]) as server:
        model = open_llm(LlmSettings("openai/meta-llama/Llama-3-8B", server.url, client=CLIENT))
        model.ask(question())
        model.close()
        assert server.requests[0].body["model"] == "meta-llama/Llama-3-8B"


def test_repeated_text_costs_no_call() -> None:
    """The second equal question is answered from the cache; a numbered sample is a question of its own."""
    with scripted([GOOD]) as (server, model):
        model.ask(question())
        assert model.ask(question()).calls == 0
        assert server.calls == 1
        model.ask(question(sample=1))
        assert server.calls == 2
        assert server.requests[1].body["temperature"] > 0
        assert model.usage.cached == 1


def test_a_disk_cache_serves_the_next_process(tmp_path: Path) -> None:
    """What one `Llm` was told, another one over the same directory knows."""
    for expected in (1, 0):
        cache = DiskCache(tmp_path)
        with ScriptedLlm([GOOD]) as server:
            model = Llm(_Named(server), LlmSettings("m"), cache=cache)
            model.ask(question())
            model.close()
            assert server.calls == expected
        cache.close()


class _Named:
    """A provider whose name does not carry the scripted server's changing port."""

    def __init__(self, server: ScriptedLlm) -> None:
        self.name = "m"
        settings = LlmSettings("m", server.url)
        inner = Server(settings) if CLIENT == "direct" else Provider(settings)
        self.complete = inner.complete
        self.close = inner.close


def test_a_malformed_reply_is_repaired_once() -> None:
    """The second question says what was wrong and quotes the reply."""
    with scripted(['{"label": "maybe"}', GOOD]) as (server, model):
        answer = model.ask(question())
        assert (answer.value, answer.calls) == ("yes", 2)
        assert "must be one of yes, no" in server.requests[1].prompt
        assert model.usage.repairs == 1


def test_a_reply_cut_short_is_asked_again_with_more_room() -> None:
    """Truncation doubles the length limit and does not feed the torso back."""
    with scripted([cut(GOOD), GOOD], max_tokens=10) as (server, model):
        assert model.ask(question()).value == "yes"
        assert [request.body["max_tokens"] for request in server.requests] == [10, 20]
        assert server.requests[0].body["messages"] == server.requests[1].body["messages"]


@pytest.mark.parametrize("reply", ["no JSON here", "[1, 2", '{"label": 7}', '{"label": "yes", "x": 1}', ""])
def test_malformed_twice_is_an_error_and_is_not_cached(reply: str) -> None:
    """After one repair it is over; the next time the model is asked anew."""
    with scripted([reply, reply, GOOD]) as (server, model):
        with pytest.raises(ModelMalformed):
            model.ask(question())
        assert server.calls == 2
        assert model.usage.failures == 1
        assert model.ask(question()).value == "yes"


@pytest.mark.parametrize("reply", [refusal(), declined(), filtered()])
def test_a_refusal_is_not_argued_with(reply: Reply) -> None:
    """One call, no repair."""
    with scripted([reply]) as (server, model):
        with pytest.raises(ModelRefused):
            model.ask(question())
        assert server.calls == 1


def test_an_overloaded_server_is_asked_again() -> None:
    """429 and 503 are retried; every attempt is counted."""
    with scripted([overloaded(), Reply(status=503, body={"error": {"message": "x"}}), GOOD]) as (
        server,
        model,
    ):
        assert model.ask(question()).value == "yes"
        assert server.calls == 3
        assert model.usage.retries == 2


def test_a_server_that_stays_down_is_given_up() -> None:
    """After `attempts` the error says what the server said."""
    with scripted([overloaded()], attempts=2) as (server, model):
        with pytest.raises(ModelUnavailable, match="429"):
            model.ask(question())
        assert server.calls == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_cannot_get_better_is_not_repeated(status: int) -> None:
    """A wrong key or a wrong name is said at once."""
    with scripted([error(status, "no such model")]) as (server, model):
        with pytest.raises(ModelUnavailable, match="no such model"):
            model.ask(question())
        assert server.calls == 1


def test_nobody_at_the_port() -> None:
    """No connection is ModelUnavailable, not a traceback of a client library."""
    with ScriptedLlm([GOOD]) as server:
        url = server.url
    model = open_llm(LlmSettings("m", url, attempts=1, client=CLIENT))
    with pytest.raises(ModelUnavailable):
        model.ask(question())
    model.close()


@pytest.mark.parametrize("reply", [not_json(), Reply(hang_up=True), Reply(body={"choices": []})])
def test_rubbish_instead_of_a_completion(reply: Reply) -> None:
    """An error page, a closed socket and an empty completion are all ModelUnavailable."""
    with scripted([reply], attempts=1) as (_, model), pytest.raises(ModelUnavailable):
        model.ask(question())


def test_a_server_without_response_format_is_asked_without_it() -> None:
    """The refusal of the schema is remembered, so that it costs one call once."""
    refused = error(400, "response_format is not supported")
    with scripted([refused, GOOD, GOOD]) as (server, model):
        assert model.ask(question()).value == "yes"
        assert model.ask(question("And this?")).value == "yes"
        assert ["response_format" in request.body for request in server.requests] == [True, False, False]


def test_a_deadline_is_kept_and_the_late_answer_is_not_lost() -> None:
    """The caller leaves on time; once the answer has come, the same question costs nothing."""
    with scripted([slow(GOOD, 2.0)]) as (server, model):
        model.ask(question("warm up"))
        started = time.monotonic()
        with pytest.raises(ModelTimeout):
            model.ask(question(), deadline=started + 0.1)
        assert time.monotonic() - started < 1.5  # the reply takes 2 s
        time.sleep(2.5)
        assert model.ask(question()).calls == 0
        assert server.calls == 2


def test_a_slow_server_times_out() -> None:
    """`timeout_s` bounds an attempt."""
    with scripted([slow(GOOD, 5.0)], timeout_s=0.2, attempts=1) as (_, model):
        started = time.monotonic()
        with pytest.raises(ModelTimeout):
            model.ask(question())
        assert time.monotonic() - started < 4.0


@pytest.mark.parametrize("budget", [Budget(calls=1), Budget(tokens=1)])
def test_the_budget_stops_the_second_call(budget: Budget) -> None:
    """What is used up is an error that says so, before anything is sent."""
    with scripted([GOOD], budget=budget) as (server, model):
        model.ask(question())
        with pytest.raises(BudgetSpent, match="used up"):
            model.ask(question("Another?"))
        assert server.calls == 1


def test_the_cost_budget_uses_the_price_list() -> None:
    """A known model's price is counted and held against the limit; litellm knows the prices."""
    if CLIENT == "direct":
        pytest.skip("a server of one's own has no price")
    with ScriptedLlm([GOOD]) as server:
        model = open_llm(LlmSettings("gpt-4o", server.url, client="litellm", budget=Budget(cost=1e-9)))
        model.ask(question("a text long enough to cost something"))
        assert model.usage.cost > 0
        with pytest.raises(BudgetSpent, match=r"\$1e-09"):
            model.ask(question("Another?"))
        model.close()


def test_at_most_so_many_calls_at_once() -> None:
    """`concurrency` holds while many questions wait."""
    with scripted([slow(GOOD, 0.1)], concurrency=2) as (server, model):
        model.ask(question("warm up"))
        started = time.monotonic()
        futures = [model.submit(question(f"Question {number}?")) for number in range(6)]
        assert [future.result().value for future in futures] == ["yes"] * 6
        assert time.monotonic() - started >= 0.3
        assert server.calls == 7


def test_the_embedded_tier_does_not_import_litellm() -> None:
    """Neither the library's front door nor this room's imports litellm or vLLM before the first question."""
    code = (
        "import sys, guardrail, guardrail.llm, guardrail.check.llm.checker, guardrail.claims.llm.extractor\n"
        "print([name for name in ('litellm', 'vllm', 'openai') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_an_endless_reply_is_not_read() -> None:
    """A reply far beyond what was asked for is malformed, whatever is in it."""
    with (
        scripted([Reply(GOOD + " " * 300_000)]) as (_, model),
        pytest.raises(ModelMalformed, match="characters"),
    ):
        model.ask(question())
