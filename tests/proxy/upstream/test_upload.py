"""Large bodies go through as they come: bounded in size, in time and in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from guardrail.errors import BadRequest
from proxy.server import admission
from proxy.server.admission import ClientGone, Message
from proxy.upstream.upload import LITTLE, Upload, streams
from tests.proxy.servers import given_back, serving
from tests.proxy.sockets import listening

FORM = (b"content-type", b"multipart/form-data; boundary=x")


@pytest.mark.parametrize(
    ("headers", "whole"),
    [
        ([], True),
        ([(b"content-length", b"100")], True),
        ([FORM, (b"content-length", b"%d" % LITTLE)], True),
        ([FORM, (b"content-length", b"%d" % (LITTLE + 1))], False),
        ([FORM, (b"transfer-encoding", b"chunked")], False),
        ([(b"content-type", b"application/json"), (b"content-length", b"99999999")], True),
    ],
)
def test_what_is_read_first(headers: list[tuple[bytes, bytes]], whole: bool) -> None:
    """Little bodies, and JSON, which names the model that it is for."""
    assert streams(headers) is not whole


def saying(*messages: Message) -> Upload:
    left = list(messages)

    async def receive() -> Message:
        return left.pop(0)

    return Upload(receive, [], limit=10)


async def test_pieces_come_in_order_and_then_the_clients_end() -> None:
    """What comes behind the body is heard behind it."""
    upload = saying(
        {"type": "http.request", "body": b"one", "more_body": True},
        {"type": "http.request", "body": b"", "more_body": True},
        {"type": "http.request", "body": b"two"},
        {"type": "http.disconnect"},
    )
    behind = asyncio.create_task(upload.behind())
    assert not upload.begun
    assert [piece async for piece in upload] == [b"one", b"two"]
    assert upload.begun
    assert (await behind)["type"] == "http.disconnect"


async def test_a_client_that_leaves_in_the_middle_is_gone() -> None:
    """Half a body is none."""
    with pytest.raises(ClientGone):
        _ = [
            piece
            async for piece in saying(
                {"type": "http.request", "body": b"one", "more_body": True}, {"type": "http.disconnect"}
            )
        ]


async def test_a_body_has_a_size() -> None:
    """Told beforehand or found out."""
    with pytest.raises(BadRequest, match="10 bytes"):
        _ = [piece async for piece in saying({"type": "http.request", "body": b"x" * 11})]
    with pytest.raises(BadRequest, match="10 bytes"):
        Upload(asyncio.sleep, [(b"content-length", b"11")], limit=10)  # type: ignore[arg-type]


class Counting:
    """A server that counts the bytes of a body, and waits for `gate` before it takes any."""

    def __init__(self) -> None:
        self.size = 0
        self.head = b""
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.head = await reader.readuntil(b"\r\n\r\n")
        await self.gate.wait()
        if b"content-length" in self.head:
            left = int(self.head.split(b"content-length: ")[1].split(b"\r\n")[0])
            while self.size < left and (data := await reader.read(1 << 16)):
                self.size += len(data)
        else:
            while size := int(await reader.readline(), 16):
                self.size += len(await reader.readexactly(size))
                await reader.readline()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok")
        await writer.drain()


async def pieces(number: int, size: int = 1 << 20) -> AsyncIterator[bytes]:
    for _ in range(number):
        yield bytes(size)


@pytest.mark.parametrize("chunked", [True, False])
async def test_a_file_beyond_what_is_read_goes_through(tmp_path: Path, chunked: bool) -> None:
    """30 MB, with its length or in chunks, over a limit of 1 kB for bodies that are read."""
    server = Counting()
    async with listening(server) as port, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=f"http://127.0.0.1:{port}/v1", max_body=1000) as (root, services):
            headers = {"content-type": "multipart/form-data; boundary=x"}
            if not chunked:
                headers["content-length"] = str(30 << 20)
            response = await http.post(f"{root}/v1/files", data=pieces(30), headers=headers)
            assert (response.status, await response.read()) == (200, b"ok")
            await given_back(services)
    assert server.size == 30 << 20
    assert (b"transfer-encoding: chunked" in server.head) is chunked
    assert (b"content-length" in server.head) is not chunked


@pytest.mark.parametrize("chunked", [True, False])
async def test_a_file_that_is_too_large_is_refused(tmp_path: Path, chunked: bool) -> None:
    """413, and nothing is told to the server as whole."""
    server = Counting()
    async with listening(server) as port, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=f"http://127.0.0.1:{port}/v1", max_upload=3 << 20) as (
            root,
            services,
        ):
            headers = {"content-type": "audio/wav"}
            if not chunked:
                headers["content-length"] = str(4 << 20)
            response = await http.post(f"{root}/v1/audio/transcriptions", data=pieces(4), headers=headers)
            assert response.status == 413
            assert (await response.json())["error"]["code"] == "body_too_large"
            await given_back(services)


async def test_a_server_that_does_not_take_a_file_slows_its_client_down(tmp_path: Path) -> None:
    """What is held of it stays bounded however large it is."""
    server, given = Counting(), 0
    server.gate.clear()

    async def body() -> AsyncIterator[bytes]:
        nonlocal given
        for _ in range(300):
            given += 1
            yield bytes(1 << 20)

    async with listening(server) as port, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=f"http://127.0.0.1:{port}/v1") as (root, _):
            headers = {"content-type": "audio/wav"}
            sent = asyncio.create_task(http.post(f"{root}/v1/audio/x", data=body(), headers=headers))
            before = -1
            while given > before:
                before = given
                await asyncio.sleep(0.5)
            assert given < 60
            server.gate.set()
            response = await sent
            assert (response.status, await response.read()) == (200, b"ok")
    assert server.size == 300 << 20


async def test_a_client_that_stops_in_the_middle_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told so, its permit comes back, and the server's connection ends without the body's end."""
    monkeypatch.setattr(admission, "SILENCE_S", 0.2)
    server = Counting()

    async def stops() -> AsyncIterator[bytes]:
        yield bytes(1 << 20)
        await asyncio.sleep(30)

    async with listening(server) as port, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=f"http://127.0.0.1:{port}/v1") as (root, services):
            response = await http.post(
                f"{root}/v1/files", data=stops(), headers={"content-type": "audio/wav"}
            )
            assert (response.status, (await response.json())["error"]["code"]) == (408, "request_timeout")
            await given_back(services)
    assert server.size <= 1 << 20
