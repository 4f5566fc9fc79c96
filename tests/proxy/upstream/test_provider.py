"""Providers behind litellm: the real library against a server that speaks Anthropic's Messages, and the SDK before the proxy."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

import openai
import orjson
import pytest

from guardrail.errors import BadRequest, ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.upstream.http import Call, Timeouts
from proxy.upstream.routing import PASSED_OVER
from tests.fakes import FakeModel, Request, Script
from tests.proxy.servers import serving
from tests.waiting import until

pytestmark = [
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra `llm`"),
    # litellm leaves its event loop's clients to the collector.
    pytest.mark.filterwarnings("ignore"),
]

JSON = (("content-type", "application/json"),)
ASK = {"messages": [{"role": "user", "content": "What is it?"}]}
TEXT = "This is true. This is wrong."


def event(kind: str, **more: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


def said(text: str = TEXT) -> list[bytes]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": []}
    counted = {"input_tokens": 5, "output_tokens": 1}
    pieces = [text[at : at + 6] for at in range(0, len(text), 6)]
    return [
        event("message_start", message={**message, "stop_reason": None, "usage": counted}),
        event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        *(event("content_block_delta", index=0, delta={"type": "text_delta", "text": p}) for p in pieces),
        event("content_block_stop", index=0),
        event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 4}),
        event("message_stop"),
    ]


def whole() -> bytes:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude"}
    content = [{"type": "text", "text": TEXT}]
    counted = {"input_tokens": 5, "output_tokens": 4}
    return orjson.dumps({**message, "content": content, "stop_reason": "end_turn", "usage": counted})


def refused(status: int, message: str, *headers: tuple[str, str]) -> Script:
    body = {"type": "error", "error": {"type": "some_error", "message": message}}
    return Script([orjson.dumps(body)], status=status, headers=(*JSON, *headers))


def claude(request: Request) -> Script:
    if request.json.get("stream"):
        return Script(said())
    return Script([whole()], headers=JSON)


@asynccontextmanager
async def provided(
    tmp_path: Path, script: object = claude, **given: object
) -> AsyncIterator[tuple[openai.AsyncOpenAI, FakeModel]]:
    """The SDK before a proxy before litellm before a scripted Anthropic server."""
    async with FakeModel(script).running() as model:  # type: ignore[arg-type]
        file = tmp_path / "upstreams.yaml"
        url = model.url.removesuffix("/v1")
        file.write_text(
            f"upstreams:\n  - {{provider: anthropic, url: '{url}', timeouts: {{first: 30, read: 30}}}}\n"
        )
        with serving(tmp_path, upstreams=file, **given) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="sk-mine", max_retries=0) as client:
                yield client, model


@asynccontextmanager
async def upstream(script: object, **given: object):
    from proxy.upstream.provider import Provider

    async with FakeModel(script).running() as model:  # type: ignore[arg-type]
        opened = Provider("anthropic", base=model.url.removesuffix("/v1"), key="sk-k", **given)  # type: ignore[arg-type]
        await opened.open()
        yield opened, model
        await opened.close()


def call(body: object, target: str = "/chat/completions", method: str = "POST") -> Call:
    return Call(method, target, [], body if isinstance(body, bytes) else orjson.dumps(body))


async def test_an_answer_is_checked_whole_and_streamed(tmp_path: Path) -> None:
    """The SDK sees OpenAI's form with report and usage; the provider gets its own form and the client's key."""
    async with provided(tmp_path) as (client, model):
        answer = await client.chat.completions.create(model="claude-x", **ASK)  # type: ignore[call-overload]
        assert answer.choices[0].message.content == TEXT
        assert answer.choices[0].message.guardrail["outcome"] == "flagged"
        assert (answer.choices[0].finish_reason, answer.usage.total_tokens) == ("stop", 9)
        async with client.chat.completions.stream(
            model="anthropic/claude-x", stream_options={"include_usage": True}, **ASK
        ) as stream:
            final = await stream.get_final_completion()
        assert final.choices[0].message.content == TEXT
        assert final.choices[0].message.guardrail["outcome"] == "flagged"
        assert final.usage.total_tokens == 9
    for request in model.requests:
        assert request.path == "/v1/messages"
        assert request.headers["x-api-key"] == "sk-mine"
        assert request.json["model"] == "claude-x"


async def test_hold_shows_nothing_that_is_blocked(tmp_path: Path) -> None:
    """A provider's stream is held and blocked as any other."""
    async with provided(tmp_path, policy="block") as (client, _):
        stream = await client.chat.completions.create(model="c", stream=True, **ASK)  # type: ignore[call-overload]
        text = "".join([c.choices[0].delta.content or "" async for c in stream if c.choices])
    assert "withheld" in text
    assert "wrong" not in text


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("status", "message", "kind", "words"),
    [
        (400, "max_tokens: too large", openai.BadRequestError, "max_tokens: too large"),
        (401, "invalid x-api-key sk-mine", openai.AuthenticationError, "refused the key"),
        (403, "not for you", openai.PermissionDeniedError, "does not allow"),
        (404, "no such model", openai.NotFoundError, "no such model"),
        (500, "stack trace sk-mine", openai.InternalServerError, "the provider failed"),
        (529, "Overloaded", openai.InternalServerError, "the provider failed"),
    ],
)
async def test_errors_are_those_of_openai(
    tmp_path: Path, stream: bool, status: int, message: str, kind: type[openai.APIStatusError], words: str
) -> None:
    """A provider's error keeps its status; its words go through where they speak of the request, keys never do."""
    async with provided(tmp_path, refused(status, message)) as (client, _):
        with pytest.raises(kind) as caught:
            await client.chat.completions.create(model="c", stream=stream, **ASK)  # type: ignore[call-overload]
    assert words in caught.value.message
    assert "sk-mine" not in caught.value.message
    assert "litellm" not in caught.value.message


async def test_a_rate_limit_says_when_to_come_again(tmp_path: Path) -> None:
    """429 with Retry-After, as from OpenAI."""
    async with provided(tmp_path, refused(429, "slow down", ("retry-after", "7"))) as (client, _):
        with pytest.raises(openai.RateLimitError) as caught:
            await client.chat.completions.create(model="c", **ASK)  # type: ignore[call-overload]
    assert caught.value.code == "rate_limit_exceeded"
    assert int(caught.value.response.headers["retry-after"]) >= 1


async def test_a_client_that_leaves_ends_the_providers_stream(tmp_path: Path) -> None:
    """The connection to the provider is closed, and nothing runs on."""
    async with provided(tmp_path, Script(said()[:5], hang=True)) as (client, model):
        stream = await client.chat.completions.create(model="c", stream=True, **ASK)  # type: ignore[call-overload]
        await anext(aiter(stream))
        await stream.close()
        await until(lambda: model.closed == 1)


async def test_a_stream_that_breaks_off_or_stops_is_told() -> None:
    """A cut connection and silence are errors that say that the answer had begun."""
    for script, kind in (
        (Script(said()[:4], cut=True), UpstreamBroken),
        (Script(said()[:4], hang=True), UpstreamError),
    ):
        async with upstream(script, timeouts=Timeouts(first=20, read=0.3)) as (provider, _):
            answer = await provider.send(call({"model": "c", "stream": True, **ASK}))
            with pytest.raises(kind) as caught:
                async for _ in answer.body():
                    pass
            answer.close()
        assert caught.value.begun


async def test_a_provider_that_cannot_be_reached_or_is_silent() -> None:
    """No connection, or no answer in time: the next server may be asked."""
    from proxy.upstream.provider import Provider

    down = Provider("anthropic", base="http://127.0.0.1:9", key="k")
    answer = await down.send(call({"model": "c", **ASK}))
    assert answer.status in PASSED_OVER
    assert b"127.0.0.1" not in b"".join([data async for data in answer.body()])
    async with upstream(Script([0.0], hang=True), timeouts=Timeouts(first=0.3, read=0.3)) as (provider, _):
        with pytest.raises(UpstreamUnreachable, match="in time"):
            await provider.send(call({"model": "c", **ASK}))


async def test_a_request_that_says_where_it_goes_calls_nobody() -> None:
    """What is not passed on is refused before anything is called."""
    async with upstream(claude) as (provider, model):
        with pytest.raises(BadRequest, match="api_base"):
            await provider.send(call({"model": "c", **ASK, "api_base": "http://127.0.0.1:9/"}))
        assert model.requests == []


async def test_pictures_with_their_bytes_pass() -> None:
    """A data: URL reaches the provider; what changes no answer is left out quietly."""
    picture = "data:image/png;base64,iVBORw0KGgo="
    content = [
        {"type": "text", "text": "see http://host"},
        {"type": "image_url", "image_url": {"url": picture}},
    ]
    async with upstream(claude) as (provider, model):
        body = {"model": "c", "messages": [{"role": "user", "content": content}], "metadata": {"a": "b"}}
        assert (await provider.send(call(body))).status == 200
    assert "iVBORw0KGgo=" in model.requests[0].body.decode()
    assert "metadata" not in model.requests[0].json


@pytest.mark.parametrize(
    ("target", "method"), [("/completions", "POST"), ("/models", "GET"), ("/chat/completions", "GET")]
)
async def test_other_paths_are_told(target: str, method: str) -> None:
    """What litellm is not used for is a 404 in OpenAI's shape."""
    async with upstream(claude) as (provider, _):
        answer = await provider.send(call({}, target, method))
        body = orjson.loads(b"".join([data async for data in answer.body()]))
    assert (answer.status, body["error"]["code"]) == (404, "not_found")


def test_unknown_providers_are_refused_at_start() -> None:
    """A name that litellm does not know is an error of the settings."""
    from proxy.upstream.provider import Provider

    with pytest.raises(ConfigError, match="knows no such provider"):
        Provider("nonsense")


def test_without_litellm_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    from proxy.upstream import provider

    monkeypatch.setattr(provider, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"claim-guardrail\[llm\]"):
        provider.Provider("anthropic")
