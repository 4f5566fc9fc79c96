"""A hostile client: requests within requests, and lines within headers. The model's server sees each as one, or none of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.fakes import FakeModel, Script, completion
from tests.proxy.servers import serving
from tests.waiting import PATIENCE_S

SILENCE_S = 1.0
SMUGGLED = b"POST /v1/smuggled HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n"
START = b"POST /v1/files HTTP/1.1\r\nhost: a\r\n"
ATTACKS = {
    "both framings": START + b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "both framings, turned": START
    + b"transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n"
    + SMUGGLED,
    "two lengths": START + b"content-length: 0\r\ncontent-length: %d\r\n\r\n" % len(SMUGGLED) + SMUGGLED,
    "a list of lengths": START + b"content-length: 0, 5\r\n\r\n" + SMUGGLED,
    "a length with a sign": START + b"content-length: +0\r\n\r\n" + SMUGGLED,
    "a negative length": START + b"content-length: -1\r\n\r\n" + SMUGGLED,
    "another coding": START + b"transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a coding that looks like one": START + b"transfer-encoding: xchunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a blank before the colon": START + b"transfer-encoding : chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a bare LF": START + b"x-a: b\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a bare CR": START + b"x-a: b\rtransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "a NUL": START + b"x-a: b\x00\r\ncontent-length: 0\r\n\r\n" + SMUGGLED,
    "a negative chunk": START + b"transfer-encoding: chunked\r\n\r\n-1\r\n\r\n" + SMUGGLED,
    "a huge chunk": START + b"transfer-encoding: chunked\r\n\r\nfffffffffffffffffff\r\n" + SMUGGLED,
    "a line in the path": b"POST /v1/files\x0b HTTP/1.1\r\nhost: a\r\n\r\n" + SMUGGLED,
}


async def sent(root: str, wire: bytes) -> bytes:
    """All that the server answers until it closes, or is silent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(root.rsplit(":", 1)[1]))
    writer.write(wire)
    told = b""
    try:
        while data := await asyncio.wait_for(reader.read(65536), SILENCE_S if told else PATIENCE_S):
            told += data
    except (TimeoutError, ConnectionError):
        pass
    writer.close()
    return told


@pytest.mark.parametrize("name", ATTACKS)
async def test_a_request_hides_no_other(tmp_path: Path, name: str) -> None:
    """What two readers could read in two ways is refused, and ends the connection."""
    async with FakeModel(Script([b"{}"])).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            told = await sent(root, ATTACKS[name])
    assert told.startswith(b"HTTP/1.1 4")
    assert not [request.path for request in model.requests]


async def test_a_folded_header_stays_one_header(tmp_path: Path) -> None:
    """Refused, or passed on as one line: never as a header of its own."""
    wire = (
        START + b"x-a: b\r\n x-smuggled: 1\r\n\tx-other: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
    async with FakeModel(Script([b"{}"])).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            told = await sent(root, wire)
    assert not [one for one in model.requests if {"x-smuggled", "x-other"} & one.headers.keys()]
    assert told.startswith(b"HTTP/1.1 ")


async def test_two_requests_in_one_piece_are_two(tmp_path: Path) -> None:
    """Pipelined, they are answered in order, each with its own."""
    wire = b"".join(b"GET /v1/files/%d HTTP/1.1\r\nhost: a\r\n\r\n" % number for number in range(4))

    def answer(request: object) -> Script:
        path = request.path  # type: ignore[attr-defined]
        return Script([path.encode()], headers=(("content-type", "text/plain"),))

    async with FakeModel(answer).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            told = await sent(root, wire)
    assert [told.find(b"/v1/files/%d" % number) for number in range(4)] == sorted(
        told.find(b"/v1/files/%d" % number) for number in range(4)
    )
    assert told.count(b"HTTP/1.1 200") == 4


async def test_no_header_of_a_client_speaks_for_the_proxy(tmp_path: Path) -> None:
    """Hop-by-hop fields, ours, and what `connection` names do not reach the model's server."""
    wire = (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nconnection: close, x-hop\r\nx-hop: 1\r\nte: trailers\r\n"
        b"proxy-authorization: Basic eA==\r\nx-guardrail-id: evil\r\ncookie: guardrail_session=s; a=1\r\n"
        b'content-length: 28\r\n\r\n{"model":"m","messages":[]} '
    )
    script = Script([completion("It is true.")], headers=(("content-type", "application/json"),))
    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            assert b" 200 " in await sent(root, wire)
    (request,) = model.requests
    assert not {"x-hop", "te", "proxy-authorization", "x-guardrail-id"} & request.headers.keys()
    assert request.headers["cookie"] == "a=1"
