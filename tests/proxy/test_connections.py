"""The connections to a server are made where it is, through its proxy, and used again."""

from __future__ import annotations

import asyncio
import base64
import ssl
from pathlib import Path

import pytest

from proxy.connections import Connections, NotConnected, Origin, origin
from tests.proxy.sockets import listening, silent
from tests.proxy.test_upstream import certificates
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
