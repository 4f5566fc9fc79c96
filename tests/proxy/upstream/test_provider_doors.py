"""The other doors through litellm: Responses, Embeddings and Anthropic's Messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import aiohttp
import openai
import orjson
import pytest

from tests.fakes import FakeModel, Request, Script, completion, spoken
from tests.proxy.servers import serving
from tests.proxy.upstream.test_provider import JSON, TEXT, call, claude, provided, refused, said, upstream
from tests.waiting import until

pytestmark = [
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra `llm`"),
    pytest.mark.filterwarnings("ignore"),
]

# ── Responses and Embeddings ──────────────────────────────────────────────────────────────────────────

needs_mcp = pytest.mark.skipif(find_spec("mcp") is None, reason="needs the extra `responses`")


@needs_mcp
async def test_a_response_is_checked_whole_and_streamed(tmp_path: Path) -> None:
    """The Responses API before a provider that has none: text, usage and report are there, in the SDK's own types."""
    async with provided(tmp_path) as (client, model):
        answer = await client.responses.create(
            model="claude-x", input="What is it?", instructions="Be brief."
        )
        assert answer.output_text == TEXT
        assert answer.guardrail["outcome"] == "flagged"
        assert answer.usage.total_tokens == 9
        async with client.responses.stream(model="claude-x", input="What is it?") as stream:
            final = await stream.get_final_response()
        assert final.output_text == TEXT
        assert final.guardrail["outcome"] == "flagged"
    for request in model.requests:
        assert request.path == "/v1/messages"
        assert request.headers["x-api-key"] == "sk-mine"


@needs_mcp
async def test_a_held_response_shows_nothing_that_is_blocked(tmp_path: Path) -> None:
    """Text that comes through two translations is held and blocked as any other."""
    async with provided(tmp_path, policy="block") as (client, _):
        stream = await client.responses.create(model="c", input="?", stream=True)
        text = "".join([e.delta async for e in stream if e.type == "response.output_text.delta"])
    assert "withheld" in text
    assert "wrong" not in text


@needs_mcp
async def test_a_client_that_leaves_ends_a_streamed_response(tmp_path: Path) -> None:
    """The connection to the provider is closed."""
    async with provided(tmp_path, Script(said()[:5], hang=True)) as (client, model):
        stream = await client.responses.create(model="c", input="?", stream=True)
        await anext(aiter(stream))
        await stream.close()
        await until(lambda: model.closed == 1)


async def test_without_its_extra_a_response_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 404 that names the extra."""
    from proxy.upstream import provider as module

    async with upstream(claude) as (provider, model):
        monkeypatch.setattr(module, "find_spec", lambda _: None)
        answer = await provider.send(call({"model": "c", "input": "?"}, "/responses"))
        told = orjson.loads(b"".join([data async for data in answer.body()]))
    assert answer.status == 404
    assert "`responses`" in told["error"]["message"]
    assert model.requests == []


async def test_embeddings_come_through(tmp_path: Path) -> None:
    """Vectors and usage are the provider's; the answer is marked as not checked, as it holds no text."""
    vectors = [{"object": "embedding", "index": n, "embedding": [0.5, -0.25, float(n)]} for n in range(2)]
    body = {"object": "list", "data": vectors, "model": "e", "usage": {"prompt_tokens": 4, "total_tokens": 4}}

    async with FakeModel(Script([orjson.dumps(body)], headers=JSON)).running() as model:
        file = tmp_path / "upstreams.yaml"
        file.write_text(f"upstreams:\n  - {{provider: openai, url: '{model.url}'}}\n")
        with serving(tmp_path, upstreams=file) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="sk-mine", max_retries=0) as client:
                raw = await client.embeddings.with_raw_response.create(
                    model="e", input=["a", "b"], encoding_format="float"
                )
    found = raw.parse()
    assert [one.embedding for one in found.data] == [one["embedding"] for one in vectors]
    assert found.usage.total_tokens == 4
    assert raw.headers["x-guardrail-outcome"] == "not_checked"
    (request,) = model.requests
    assert (request.path, request.json["input"]) == ("/v1/embeddings", ["a", "b"])
    assert request.headers["authorization"] == "Bearer sk-mine"


# ── Messages ──────────────────────────────────────────────────────────────────────────────────────────

MESSAGE = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "What is it?"}]}


def gpt(request: Request) -> Script:
    assert request.path == "/v1/chat/completions"
    if request.json.get("stream"):
        return Script(spoken(TEXT, usage=True))
    return Script([completion(TEXT)], headers=JSON)


@asynccontextmanager
async def asked(
    tmp_path: Path, script: object = gpt, **given: object
) -> AsyncIterator[tuple[str, FakeModel]]:
    """The address of a proxy before litellm before a scripted server of OpenAI's form."""
    async with FakeModel(script).running() as model:  # type: ignore[arg-type]
        file = tmp_path / "upstreams.yaml"
        file.write_text(
            f"upstreams:\n  - {{provider: mistral, url: '{model.url}', timeouts: {{first: 30, read: 30}}}}\n"
        )
        with serving(tmp_path, upstreams=file, **given) as (root, _):
            yield root, model


async def post(root: str, body: object) -> tuple[int, bytes]:
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{root}/v1/messages", json=body, headers={"x-api-key": "sk-mine"}) as reply,
    ):
        return reply.status, await reply.read()


def told(stream: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line[6:]) for line in stream.splitlines() if line.startswith(b"data: ")]


async def test_a_message_is_checked_whole_and_streamed(tmp_path: Path) -> None:
    """Anthropic's form before a provider that has OpenAI's: text, stop reason and report are there, and the key is the client's."""
    async with asked(tmp_path) as (root, model):
        status, body = await post(root, MESSAGE)
        whole_one = orjson.loads(body)
        assert (status, whole_one["content"][0]["text"]) == (200, TEXT)
        assert (whole_one["stop_reason"], whole_one["guardrail"]["outcome"]) == ("end_turn", "flagged")
        status, body = await post(root, {**MESSAGE, "stream": True})
    events = told(body)
    said_there = [e["delta"]["text"] for e in events if e["type"] == "content_block_delta"]
    (last,) = [e for e in events if e["type"] == "message_delta"]
    assert (status, "".join(said_there), last["delta"]["stop_reason"]) == (200, TEXT, "end_turn")
    assert last["guardrail"]["outcome"] == "flagged"
    assert events[-1]["type"] == "message_stop"
    assert [request.headers["authorization"] for request in model.requests] == ["Bearer sk-mine"] * 2


async def test_a_held_message_shows_nothing_that_is_blocked(tmp_path: Path) -> None:
    """A translated stream is held and blocked as any other."""
    async with asked(tmp_path, policy="block") as (root, _):
        _, body = await post(root, {**MESSAGE, "stream": True})
    text = "".join(e["delta"]["text"] for e in told(body) if e["type"] == "content_block_delta")
    assert "withheld" in text
    assert "wrong" not in text


async def test_a_message_that_breaks_off_is_told(tmp_path: Path) -> None:
    """A cut connection in the middle of a message ends it with an error, and not as if it were whole."""
    cut = Script(spoken(TEXT)[:3], cut=True)
    async with asked(tmp_path, cut) as (root, _):
        _, body = await post(root, {**MESSAGE, "stream": True})
    assert [e["type"] for e in told(body)][-1] == "error"


async def test_a_client_that_leaves_ends_a_streamed_message(tmp_path: Path) -> None:
    """The connection to the provider is closed."""
    async with (
        asked(tmp_path, Script(spoken(TEXT)[:3], hang=True)) as (root, model),
        aiohttp.ClientSession() as http,
    ):
        reply = await http.post(f"{root}/v1/messages", json={**MESSAGE, "stream": True})
        await reply.content.readany()
        reply.close()
        await until(lambda: model.closed == 1)


async def test_a_message_refused_keeps_its_status(tmp_path: Path) -> None:
    """Errors of the provider and of the request come with status and words."""
    async with asked(tmp_path, refused(404, "no such model")) as (root, _):
        status, body = await post(root, MESSAGE)
        assert (status, "no such model" in body.decode()) == (404, True)
        status, body = await post(root, {"model": "m", "messages": []})
        assert (status, orjson.loads(body)["error"]["param"]) == (400, "max_tokens")


async def test_what_litellm_cannot_stream_is_told() -> None:
    """Where a provider's own Messages need packages that are not here, the answer says what to do."""
    async with upstream(claude) as (provider, _):
        answer = await provider.send(call(MESSAGE, "/messages"))
        assert answer.status == 200
        answer = await provider.send(call({**MESSAGE, "stream": True}, "/messages"))
        body = b"".join([data async for data in answer.body()])
    if answer.status == 501:  # without the packages of litellm's proxy server
        assert b"`url`" in body
    else:
        assert b"message_stop" in body
