"""The head of a request has a size and a time; raw bytes against the real server."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import orjson
import pytest

from proxy.server import admission, protocol
from tests.proxy.servers import given_back, serving
from tests.waiting import PATIENCE_S


@asynccontextmanager
async def connected(tmp_path: Path):
    """Reader and writer of a connection to a running server."""
    with serving(tmp_path) as (root, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(root.rsplit(":", 1)[1]))
        try:
            yield reader, writer
        finally:
            writer.close()
            await writer.wait_closed()


async def answered(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    async with asyncio.timeout(PATIENCE_S):
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        return int(head.split(b" ")[1]), await reader.readexactly(int(length.split(b":")[1]))


GET = b"GET /healthz HTTP/1.1\r\nhost: a\r\n"


@pytest.mark.parametrize("pieces", [1, 200])
async def test_an_endless_head_is_refused(tmp_path: Path, pieces: int) -> None:
    """One header beyond the limit, at once or in many pieces, is a 431 in OpenAI's shape and the end of the connection."""
    async with connected(tmp_path) as (reader, writer):
        writer.write(GET + b"x: ")
        # Read beside the writing: what is sent into a closed connection takes the answer with it.
        answer = asyncio.create_task(answered(reader))
        piece = b"y" * (200_000 // pieces)
        for _ in range(pieces):
            writer.write(piece)
            await asyncio.wait([answer], timeout=0.001)
            if answer.done():
                break
        status, body = await answer
        assert (status, orjson.loads(body)["error"]["code"]) == (431, "head_too_large")


@pytest.mark.parametrize("header", [b"x: " + b"y" * 70_000, b"\r\n".join(b"x%d: y" % i for i in range(9000))])
async def test_a_whole_head_beyond_the_limit_is_refused(tmp_path: Path, header: bytes) -> None:
    """A head that comes complete is measured too, be it one long header or many short ones."""
    async with connected(tmp_path) as (reader, writer):
        writer.write(GET + header + b"\r\n\r\n")
        status, body = await answered(reader)
        assert (status, orjson.loads(body)["error"]["code"]) == (431, "head_too_large")


async def test_heads_below_the_limit_pass_again_and_again(tmp_path: Path) -> None:
    """The count is for each request, not for the connection; a body is no part of it."""
    async with connected(tmp_path) as (reader, writer):
        for _ in range(4):
            writer.write(GET + b"x: " + b"y" * 40_000 + b"\r\n\r\n")
            assert (await answered(reader))[0] == 200
        body = b'{"text": "%s"}' % (b"true " * 30_000)
        writer.write(
            b"POST /guardrail/extract HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n" % len(body) + body
        )
        assert (await answered(reader))[0] != 431
        writer.write(GET + b"\r\n" + GET + b"\r\n")
        assert [(await answered(reader))[0] for _ in range(2)] == [200, 200]


H2C = b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n"


@pytest.mark.parametrize("framing", ["length", "chunked"])
@pytest.mark.parametrize("size", [1, 7, 100_000])
async def test_who_asks_for_http_2_beside_is_answered_in_this_protocol(
    tmp_path: Path, framing: str, size: int
) -> None:
    """As curl and Java's client do by default: the body is read, however it is cut, and the connection is kept."""
    body = b'{"text": "It is true."}'
    framed = (
        (b"content-length: %d\r\n\r\n" % len(body) + body)
        if framing == "length"
        else (
            b"transfer-encoding: chunked\r\n\r\n5\r\n"
            + body[:5]
            + b"\r\n%x\r\n" % (len(body) - 5)
            + body[5:]
            + b"\r\n0\r\n\r\n"
        )
    )
    asked = b"POST /guardrail/verify HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n" + H2C + framed
    async with connected(tmp_path) as (reader, writer):
        for _ in range(2):
            for at in range(0, len(asked), size):
                writer.write(asked[at : at + size])
                await asyncio.sleep(0)
            status, told = await answered(reader)
            assert (status, orjson.loads(told)["outcome"]) == (200, "confirmed")
        writer.write(GET + H2C + b"\r\n" + GET + b"\r\n")
        assert [(await answered(reader))[0] for _ in range(2)] == [200, 200]


@pytest.mark.parametrize(
    "asked",
    [
        b"CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n",
        (GET + H2C + b"\r\n") * 100,
    ],
)
async def test_another_protocol_is_not_spoken(tmp_path: Path, asked: bytes) -> None:
    """A tunnel is refused, and so is a connection that does nothing but wish."""
    async with connected(tmp_path) as (reader, writer):
        writer.write(asked)
        async with asyncio.timeout(PATIENCE_S):
            told = await reader.read()
        assert b'"invalid_http"' in told


async def test_errors_are_no_pages(tmp_path: Path) -> None:
    """Each JSON error says so to a browser, whoever in the server gives it."""
    asked = [
        b"NONSENSE\r\n\r\n",
        b"GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\n{",
    ]
    for one in asked:
        async with connected(tmp_path) as (reader, writer):
            writer.write(one)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
            assert b"x-content-type-options: nosniff\r\n" in head


async def test_what_is_no_http_is_told(tmp_path: Path) -> None:
    """Nonsense is a 400 in OpenAI's shape."""
    async with connected(tmp_path) as (reader, writer):
        writer.write(b"NONSENSE\r\n\r\n")
        status, body = await answered(reader)
        assert (status, orjson.loads(body)["error"]["code"]) == (400, "invalid_http")


@pytest.mark.parametrize("first", [b"", b"GET / HT", GET, GET + b"\r\n" + GET])
async def test_a_head_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    """A client that says nothing, or stops in mid-head, is sent away; also on a connection that was used before."""
    monkeypatch.setattr(protocol, "HEAD_S", 0.5)
    async with connected(tmp_path) as (reader, writer):
        if first.startswith(GET + b"\r\n"):
            writer.write(GET + b"\r\n")
            assert (await answered(reader))[0] == 200
            first = GET
        writer.write(first)
        status, body = await answered(reader)
        assert (status, orjson.loads(body)["error"]["code"]) == (408, "request_timeout")
        assert await reader.read() == b""


async def test_an_answer_that_takes_long_is_not_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is for the head alone."""
    monkeypatch.setattr(protocol, "HEAD_S", 0.5)
    with serving(tmp_path, pace=0.2) as (root, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(root.rsplit(":", 1)[1]))
        body = b'{"model":"demo","stream":true,"messages":[{"role":"user","content":"verify: It is true, I think so."}]}'
        writer.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            % len(body)
            + body
        )
        async with asyncio.timeout(PATIENCE_S):
            said = await reader.read()
        assert b"[DONE]" in said
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/v1/chat/completions", "application/json"),
        ("/v1/files", "application/json"),
        ("/guardrail/verify", "application/json"),
        ("/guardrail/extract", "application/json"),
        ("/beta/litellm_basic_guardrail_api", "application/json"),
    ],
)
async def test_a_body_that_does_not_come_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, kind: str
) -> None:
    """A request whose body stops in the middle is a 408 in OpenAI's shape, holds no permit, and its connection ends."""
    monkeypatch.setattr(admission, "SILENCE_S", 0.2)
    with serving(tmp_path) as (root, services):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(root.rsplit(":", 1)[1]))
        head = f"POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: {kind}\r\ncontent-length: 100\r\n\r\n"
        writer.write(head.encode() + b'{"text"')
        status, body = await answered(reader)
        assert (status, orjson.loads(body)["error"]["code"]) == (408, "request_timeout")
        assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
        await given_back(services)
        writer.close()
        await writer.wait_closed()


async def test_a_batch_that_falls_silent_ends_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines that came are answered, the last line tells the time-out, and the permit comes back."""
    monkeypatch.setattr(admission, "SILENCE_S", 0.3)
    with serving(tmp_path) as (root, services):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(root.rsplit(":", 1)[1]))
        head = b"POST /guardrail/verify HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-ndjson\r\n"
        writer.write(head + b'content-length: 1000\r\n\r\n{"text": "It is true."}\n{"text"')
        async with asyncio.timeout(PATIENCE_S):
            told = await reader.readuntil(b"\r\n0\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        assert b"request_timeout" in told
        await given_back(services)
        assert len(services.log.list()) == 1
