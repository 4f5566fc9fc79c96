"""A hostile model's server: answers within answers, lengths that are none, and bombs, through the whole proxy.

Whatever it sends, a client gets its own answer, checked, or an error; the next request gets its own, and the server stays alive.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from proxy.services import Services
from tests.fakes import DONE, chunk, completion
from tests.proxy.servers import given_back, serving
from tests.proxy.sockets import listening
from tests.received import receive_from
from tests.waiting import PATIENCE_S

BAD = "It is wrong."
GOOD = completion("It is true.")
JSON = b"content-type: application/json\r\n"
SMUGGLED = (
    b"HTTP/1.1 200 OK\r\n" + JSON + b"content-length: %d\r\n\r\n" % len(completion(BAD)) + completion(BAD)
)


def whole(body: bytes = GOOD, *, head: bytes = JSON) -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + head + b"content-length: %d\r\n\r\n" % len(body) + body


def chunked(body: bytes, *, head: bytes = JSON) -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + head + b"transfer-encoding: chunked\r\n\r\n" + body


@asynccontextmanager
async def attacked(tmp_path: Path, wire: bytes, *, policy: str) -> AsyncIterator[tuple[str, Services]]:
    """A proxy before a server that answers the first request with `wire`, and all others well."""
    asked = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        try:
            while True:
                await receive_from(reader)
                asked += 1
                writer.write(wire if asked == 1 else whole())
                await writer.drain()
                if asked == 1 and b"transfer-encoding" not in wire and b"content-length" not in wire:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            return

    async with listening(serve) as port:
        address = f"http://127.0.0.1:{port}/v1"
        with serving(tmp_path, upstream=address, policy=policy, read_timeout=2.0, first_timeout=2.0) as found:
            yield found


async def ask(http: aiohttp.ClientSession, root: str) -> tuple[int, bytes]:
    body = {"model": "m", "messages": []}
    async with asyncio.timeout(PATIENCE_S), http.post(f"{root}/v1/chat/completions", json=body) as response:
        return response.status, await response.read()


GZIP = JSON + b"content-encoding: gzip\r\n"
ATTACKS = {
    "an answer behind the answer": whole() + SMUGGLED,
    "an answer behind the end of chunks": chunked(b"%x\r\n%b\r\n0\r\n\r\n" % (len(GOOD), GOOD)) + SMUGGLED,
    "a length that is too small": b"HTTP/1.1 200 OK\r\n" + JSON + b"content-length: 2\r\n\r\n{}" + SMUGGLED,
    "a length that is too large": b"HTTP/1.1 200 OK\r\n" + JSON + b"content-length: 9999\r\n\r\n" + GOOD,
    "two lengths": b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n"
    + JSON
    + b"content-length: 3\r\n\r\n{}"
    + SMUGGLED,
    "both framings": b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n"
    + JSON
    + b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    + SMUGGLED,
    "a negative length": b"HTTP/1.1 200 OK\r\n" + JSON + b"content-length: -1\r\n\r\n" + SMUGGLED,
    "a length with a sign": b"HTTP/1.1 200 OK\r\n" + JSON + b"content-length: +2\r\n\r\n{}" + SMUGGLED,
    "a huge length": b"HTTP/1.1 200 OK\r\n"
    + JSON
    + b"content-length: 99999999999999999999999\r\n\r\n"
    + SMUGGLED,
    "a huge chunk": chunked(b"fffffffffffffffffffff\r\n{}"),
    "a negative chunk": chunked(b"-2\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is no number": chunked(b"0x2\r\n{}\r\n0\r\n\r\n"),
    "an endless extension": chunked(b"2;" + b"a=b;" * 300_000 + b"\r\n{}\r\n0\r\n\r\n"),
    "endless trailers": chunked(b"2\r\n{}\r\n0\r\n" + b"x-a: b\r\n" * 300_000 + b"\r\n"),
    "an endless head": b"HTTP/1.1 200 OK\r\n" + b"x-a: b\r\n" * 100_000 + b"content-length: 2\r\n\r\n{}",
    "a flood of 1xx": b"HTTP/1.1 103 Early\r\nlink: a\r\n\r\n" * 100_000 + whole(),
    "a 1xx with an answer in it": b"HTTP/1.1 103 Early\r\ncontent-length: %d\r\n\r\n" % len(SMUGGLED)
    + SMUGGLED,
    "another protocol": b"HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n" + SMUGGLED,
    "a folded header": b"HTTP/1.1 200 OK\r\nx-a: b\r\n x-guardrail-outcome: confirmed\r\n"
    + JSON
    + b"content-length: 2\r\n\r\n{}",
    "a name with a blank": b"HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\n{}" + SMUGGLED,
    "lines that end in LF": b"HTTP/1.1 200 OK\ncontent-length: 2\n\n{}" + SMUGGLED,
    "a NUL in a header": b"HTTP/1.1 200 OK\r\nx-a: \x00\r\ncontent-length: 2\r\n\r\n{}",
    "status 999": b"HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}",
    "status 000": b"HTTP/1.1 000 Odd\r\ncontent-length: 2\r\n\r\n{}",
    "HTTP/0.9": SMUGGLED.partition(b"\r\n\r\n")[2],
    "HTTP/2": b"HTTP/2 200 OK\r\ncontent-length: 2\r\n\r\n{}",
    "a coding that is none": whole(head=GZIP),
    "two codings": whole(gzip.compress(gzip.compress(GOOD)), head=GZIP + b"content-encoding: gzip\r\n"),
    "a bomb": whole(gzip.compress(b'{"choices":[' + b" " * 200_000_000), head=GZIP),
    "a bomb of bombs": whole(gzip.compress(b"") * 50_000, head=GZIP),
}


@pytest.mark.parametrize("policy", ["annotate", "block"])
@pytest.mark.parametrize("name", ATTACKS)
async def test_no_answer_hides_in_another(tmp_path: Path, name: str, policy: str) -> None:
    """The words of the hidden one reach nobody; the request behind the attack has its own answer."""
    async with attacked(tmp_path, ATTACKS[name], policy=policy) as (root, services):
        async with aiohttp.ClientSession() as http:
            status, told = await ask(http, root)
            assert status in (200, 502, 504)
            assert BAD.encode() not in told or b'"outcome":"flagged"' in told
            if policy == "block":
                assert BAD.encode() not in told
            async with asyncio.timeout(PATIENCE_S):
                assert (await (await http.get(f"{root}/healthz")).json()) == {"status": "ok"}
            for _ in range(2):
                status, told = await ask(http, root)
                assert status == 200
                assert b"It is true." in told
        await given_back(services)


async def test_a_bomb_in_a_stream_is_no_more_than_its_text(tmp_path: Path) -> None:
    """Events that fill a gigabyte when they are unpacked are ended at the size that no answer has; others are served meanwhile."""
    event = chunk("x" * 60_000)
    packed = gzip.compress(event * 1500 + DONE, 9)
    head = b"content-type: text/event-stream\r\ncontent-encoding: gzip\r\n"
    wire = whole(packed, head=head)
    async with attacked(tmp_path, wire, policy="annotate") as (root, _), aiohttp.ClientSession() as http:
        asked = {"model": "m", "stream": True, "messages": []}
        async with asyncio.timeout(120), http.post(f"{root}/v1/chat/completions", json=asked) as response:
            await response.content.readany()
            async with asyncio.timeout(PATIENCE_S):
                assert await (await http.get(f"{root}/healthz")).json() == {"status": "ok"}
            size = 0
            async for data in response.content.iter_any():
                size += len(data)
                if size > 5_000_000:
                    break
            response.close()
        assert (await ask(http, root))[0] == 200
