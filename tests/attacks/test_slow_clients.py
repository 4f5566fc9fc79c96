"""Clients that read a byte now and then, or leave: what is held for them stays bounded, and nobody else waits."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.fakes import DONE, FakeModel, Script, chunk
from tests.proxy.servers import serving


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
            async with asyncio.timeout(30):
                asked = {"model": "short", "stream": True, "messages": []}
                response = await http.post(f"{root}/v1/chat/completions", json=asked)
                assert b"[DONE]" in await response.read()
            slow.close()
            for _ in range(1000):
                if not services.permits.taken:
                    break
                await asyncio.sleep(0.01)
            assert services.permits.taken == 0
