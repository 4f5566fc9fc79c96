"""Clients that read a byte now and then, or leave: what is held for them stays bounded, and nobody else waits."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from proxy.server import protocol
from tests.fakes import DONE, FakeModel, Script, chunk
from tests.proxy.servers import given_back, serving
from tests.waiting import PATIENCE_S


@pytest.mark.parametrize(
    ("path", "policy"), [("/v1/files/1", "annotate"), ("/v1/chat/completions", "annotate")]
)
async def test_who_reads_a_byte_at_a_time_slows_only_its_own_answer_down(
    tmp_path: Path, path: str, policy: str
) -> None:
    """The model's server is read no faster than the client, checked or not; others are answered meanwhile."""
    written = 0

    def endless() -> Iterator[bytes | float]:
        nonlocal written
        while written < 100_000_000:
            piece = chunk("It is true. " * 500)
            written += len(piece)
            yield piece
            yield 0.0

    def script(request: object) -> Script:
        asked = request.body  # type: ignore[attr-defined]
        return Script([chunk("It is true."), chunk(finish="stop"), DONE] if b"short" in asked else endless())

    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy=policy) as (root, services):
            body = b'{"model":"m","stream":true,"messages":[]}'
            slow = socket.create_connection(("127.0.0.1", int(root.rsplit(":", 1)[1])))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            head = b"POST %b HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n"
            slow.sendall(head % (path.encode(), len(body)) + body)
            slow.setblocking(False)
            before = -1
            while written > before:
                before = written
                for _ in range(5):
                    await asyncio.sleep(0.1)
                    try:
                        slow.recv(1)
                    except BlockingIOError:
                        continue
            assert written < 40_000_000
            async with asyncio.timeout(PATIENCE_S):
                asked = {"model": "short", "stream": True, "messages": []}
                response = await http.post(f"{root}/v1/chat/completions", json=asked)
                assert b"[DONE]" in await response.read()
            slow.close()
            await given_back(services)


async def test_a_thousand_idle_connections_keep_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that say nothing and those with half a head are held for little and closed in time; others are answered."""
    monkeypatch.setattr(protocol, "HEAD_S", 2.0)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    script = Script([chunk("It is true."), chunk(finish="stop"), DONE])
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url) as (root, services):
            place = ("127.0.0.1", int(root.rsplit(":", 1)[1]))
            idle = [socket.create_connection(place) for _ in range(1000)]
            for one in idle[::2]:
                one.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nx-a: ")
            async with asyncio.timeout(PATIENCE_S):
                asked = {"model": "m", "stream": True, "messages": []}
                response = await http.post(f"{root}/v1/chat/completions", json=asked)
                assert b"[DONE]" in await response.read()
                await given_back(services)
            half = idle[0]
            half.settimeout(30)
            assert (await asyncio.to_thread(half.recv, 100)).startswith(b"HTTP/1.1 408")
            for one in idle:
                one.close()
            async with asyncio.timeout(PATIENCE_S):
                assert await (await http.get(f"{root}/healthz")).json() == {"status": "ok"}
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
