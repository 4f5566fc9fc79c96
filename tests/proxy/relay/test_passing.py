"""Paths that hold no answer text go through byte for byte; nothing climbs out of the base URL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import openai
import pytest

from guardrail.errors import BadRequest
from proxy.server.paths import target_of
from tests.fakes import FakeModel, Script
from tests.proxy.servers import given_back, serving
from tests.waiting import PATIENCE_S


async def test_any_other_path_passes_through(tmp_path: Path) -> None:
    """Method, query, body, status, headers and bytes of any other /v1 path are those of the upstream."""
    odd = bytes(range(256))
    script = Script([odd], status=418, headers=(("content-type", "audio/mpeg"), ("x-request-id", "r1")))
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url) as (root, services):
            response = await http.request(
                "PUT", f"{root}/v1/audio/speech/x?voice=a%20b", data=odd, headers={"x-a": "1"}
            )
            assert await response.read() == odd
            assert response.status == 418
            assert response.headers["x-request-id"] == "r1"
            assert response.headers["x-guardrail-outcome"] == "not_checked"
            await given_back(services)
    (request,) = model.requests
    assert (request.method, request.path, request.body) == ("PUT", "/v1/audio/speech/x?voice=a%20b", odd)
    assert request.headers["x-a"] == "1"


async def test_models_are_those_of_the_upstream(tmp_path: Path) -> None:
    """The SDK's list of models comes from behind the proxy."""
    body = b'{"object":"list","data":[{"id":"m1","object":"model","created":1,"owned_by":"x"}]}'
    async with FakeModel(Script([body], headers=(("content-type", "application/json"),))).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k") as client:
                assert [m.id async for m in client.models.list()] == ["m1"]


@pytest.mark.parametrize(
    "path",
    ["/v1/../admin", "/v1/%2e%2e/admin", "/v1/a/..%2fadmin", "/v1/..\\admin", "/v2/x", "/v1/%5c..%5cx"],
)
def test_a_path_that_climbs_out_is_refused(path: str) -> None:
    """No spelling of `..` reaches beyond the base URL."""
    with pytest.raises(BadRequest):
        target_of({"raw_path": path.encode(), "path": path})


async def test_an_upstream_that_is_down_is_an_error_in_shape(tmp_path: Path) -> None:
    """Pass-through paths too answer in OpenAI's error shape."""
    async with aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream="http://127.0.0.1:9/v1") as (root, _):
            response = await http.get(f"{root}/v1/models")
            assert response.status == 502
            assert (await response.json())["error"]["code"] == "upstream_error"


async def test_stopping_the_server_lets_an_unchecked_stream_end(tmp_path: Path) -> None:
    """What is only passed on has the time of grace, too."""
    pieces = [b"one ", 0.3, b"two ", 0.3, b"three"]
    async with FakeModel(Script(pieces, headers=(("content-type", "text/event-stream"),))).running() as model:
        with serving(tmp_path, upstream=model.url, policy="off") as (root, services):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json={"model": "m"})
                await response.content.readany()
                await services.drain(PATIENCE_S)
                assert services.permits.taken == 0
                assert (await response.read()).endswith(b"three")


async def test_a_client_that_reads_slowly_slows_the_upstream_down(tmp_path: Path) -> None:
    """An endless answer that nobody reads stops in bounded buffers, also where nothing is checked."""
    written = 0

    def endless() -> Iterator[bytes | float]:
        nonlocal written
        while written < 200_000_000:
            written += 10_000
            yield b"x" * 10_000
            yield 0.0

    async with FakeModel(Script(endless())).running() as model:
        with serving(tmp_path, upstream=model.url, policy="off") as (root, services):
            async with aiohttp.ClientSession(read_bufsize=1024) as http:
                response = await http.post(f"{root}/v1/chat/completions", json={"model": "m"})
                before = -1
                while written > before:
                    before = written
                    await asyncio.sleep(0.5)
                assert written < 50_000_000
                response.close()
            await given_back(services)
