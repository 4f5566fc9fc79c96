"""The connections to a server are made where it is, through its proxy, and used again."""

from __future__ import annotations

import asyncio
import base64
import ssl
from pathlib import Path

import pytest

from guardrail.errors import UpstreamError
from proxy.upstream.connections import Connections, NotConnected, Origin, origin
from proxy.upstream.http import Call, HttpUpstream, Timeouts
from tests.proxy.sockets import listening, silent
from tests.proxy.upstream.test_http import certificates
from tests.received import receive_from

ASK = b"GET /v1/x HTTP/1.1\r\nhost: h\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


def pool(place: Origin, *, by: Origin | None = None, tls: ssl.SSLContext | None = None) -> Connections:
    return Connections(place, by=by, tls=tls, connect=10.0, silence=10.0)


async def ask(connections: Connections) -> bytes:
    connection = await connections.take()
    await connection.ask(ASK)
    body = b""
    while data := await connection.read():
        body += data
    connections.give_back(connection)
    return body


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://host/v1", Origin("https", "host", 443)),
        ("http://[::1]:8000/v1", Origin("http", "::1", 8000)),
        ("http://bücher.example", Origin("http", "xn--bcher-kva.example", 80)),
        ("http://a:b%20c@host", Origin("http", "host", 80, base64.b64encode(b"a:b c"))),
        ("http://host:port/v1", None),
        ("http://[::1/v1", None),
        ("ws://host", None),
        ("host:80", None),
        ("", None),
    ],
)
def test_where_a_server_is(url: str, found: Origin | None) -> None:
    """Host in ASCII, port and credentials of an http(s) URL, and nothing of anything else."""
    assert origin(url) == found


def test_the_host_header_names_a_port_that_is_not_usual() -> None:
    """As browsers write it; an IPv6 address stands in brackets."""
    assert Origin("https", "host", 443).authority == "host"
    assert Origin("http", "::1", 8000).authority == "[::1]:8000"


async def test_a_connection_is_used_again() -> None:
    """Three answers come over one connection."""
    made = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal made
        made += 1
        for _ in range(3):
            await receive_from(reader)
            writer.write(OK)

    async with listening(serve) as port:
        connections = pool(Origin("http", "127.0.0.1", port))
        assert [await ask(connections) for _ in range(3)] == [b"ok"] * 3
        await connections.close()
    assert made == 1


@pytest.mark.parametrize("size", [1000, 70_000, 200_000, 1_000_000])
async def test_a_long_answer_leaves_a_connection_that_listens(size: int) -> None:
    """However much of an answer came at once, the next one is heard, over the same connection."""
    made = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal made
        made += 1
        for _ in range(6):
            await receive_from(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size + bytes(size))

    async with listening(serve) as port:
        connections = pool(Origin("http", "127.0.0.1", port))
        async with asyncio.timeout(60):
            assert [len(await ask(connections)) for _ in range(6)] == [size] * 6
        await connections.close()
    assert made == 1


@pytest.mark.parametrize("size", [2, 200_000])
@pytest.mark.parametrize("late", [b"", OK, b"\r\n"])
@pytest.mark.parametrize("heard", [True, False])
async def test_a_connection_on_which_something_came_meanwhile_is_not_used_again(
    size: int, late: bytes, heard: bool
) -> None:
    """The server's end, or words that nobody asked for: whether the loop has read them yet or not."""
    made = 0
    said = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal made
        made += 1
        await receive_from(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size + bytes(size))
        if made == 1:
            await said.wait()
            if late:
                writer.get_extra_info("socket").send(late)
                await reader.read()
        else:
            await reader.read()

    async with listening(serve) as port:
        connections = pool(Origin("http", "127.0.0.1", port))
        assert len(await ask(connections)) == size
        said.set()
        await asyncio.sleep(0.1 if heard else 0)
        if not heard:
            await asyncio.sleep(0)  # it is sent in this turn of the loop, and read in the next one
        assert len(await ask(connections)) == size
        await connections.close()
    assert made == 2


async def test_who_has_done_with_an_answer_hears_nothing_of_the_next_one() -> None:
    """An answer that is closed in the call that brings its end, while another request takes the connection at once."""
    words = {"first": bytearray(), "second": bytearray()}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for name in words:
            await receive_from(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(name))
            await asyncio.sleep(0.05)
            writer.write(name.encode())
        await reader.read()

    async with listening(serve) as port:
        upstream = HttpUpstream(f"http://127.0.0.1:{port}/v1")
        await upstream.open()

        async def exchange(name: str, *, then: list[asyncio.Task[None]] | None = None) -> None:
            answer = await upstream.send(Call("GET", "/x", []))

            def take(data: bytes) -> None:
                words[name].extend(data)
                if then is not None:
                    answer.close()
                    then.append(asyncio.create_task(exchange("second")))

            await answer.carry(take)
            answer.close()

        other: list[asyncio.Task[None]] = []
        async with asyncio.timeout(30):
            await exchange("first", then=other)
            await asyncio.gather(*other)
        await upstream.close()
    assert words == {"first": b"first", "second": b"second"}


async def test_nothing_is_kept_of_a_request_that_failed() -> None:
    """A server that drops every connection leaves none behind in the pool's memory."""

    async def drop(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await receive_from(reader)

    async with listening(drop) as port:
        upstream = HttpUpstream(f"http://127.0.0.1:{port}/v1", timeouts=Timeouts(attempts=1))
        await upstream.open()
        for _ in range(3):
            with pytest.raises(UpstreamError):
                await upstream.send(Call("GET", "/x", []))
        assert not any(pool._used for pool in upstream._pools.values())
        await upstream.close()


async def test_nobody_there_is_told_with_the_address() -> None:
    """The text is for the operator's log."""
    async with listening(silent) as port:
        pass
    with pytest.raises(NotConnected, match=f"127.0.0.1:{port}: "):
        await pool(Origin("http", "127.0.0.1", port)).take()


async def test_a_tunnel_through_a_proxy(tmp_path: Path) -> None:
    """An https server is reached through CONNECT, with the proxy's credentials; TLS is with the server itself."""
    authority, files = certificates(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*files)
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        writer.write(OK)
        await reader.read()

    async with listening(serve, context=context) as port:

        async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            inner = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")

            async def pipe(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
                while data := await source.read(65536):
                    to.write(data)

            both = [asyncio.create_task(pipe(reader, inner[1])), asyncio.create_task(pipe(inner[0], writer))]
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in both:
                    one.cancel()
                await asyncio.gather(*both, return_exceptions=True)
                inner[1].transport.abort()

        async with listening(tunnel) as proxy:
            by = Origin("http", "127.0.0.1", proxy, b"dTpw")
            trusting = ssl.create_default_context(cafile=authority)
            connections = pool(Origin("https", "localhost", 443), by=by, tls=trusting)
            assert await ask(connections) == b"ok"
            await connections.close()
    assert heads[0].startswith(b"CONNECT localhost:443 HTTP/1.1\r\n")
    assert b"proxy-authorization: Basic dTpw\r\n" in heads[0]


async def test_a_proxy_that_refuses_is_nobody_there() -> None:
    """Its status is told."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        writer.write(b"HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n")

    async with listening(refuse) as proxy:
        by = Origin("http", "127.0.0.1", proxy)
        with pytest.raises(NotConnected, match="status 407"):
            await pool(Origin("https", "localhost", 443), by=by).take()
