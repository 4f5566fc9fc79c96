"""One connection to a model's server: every way in which HTTP/1.1 frames an answer, and every way to break it."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable

import pytest

from proxy.upstream.connection import HIGH, AnotherProtocol, Connection, Malformed
from tests.proxy.sockets import Handler, listening
from tests.received import receive_from

ASK = b"GET /v1/x HTTP/1.1\r\nhost: h\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"


def saying(*pieces: bytes) -> Handler:
    """Answers with `pieces`, each by itself, and closes."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return answer


async def connected(port: int, *, silence: float = 30.0) -> Connection:
    made = await asyncio.get_running_loop().create_connection(
        lambda: Connection(silence=silence), "127.0.0.1", port
    )
    return made[1]


async def asked(*pieces: bytes, head_only: bool = False, decode: bool = False) -> tuple[Connection, bytes]:
    """The connection behind the whole body, taken as it comes."""
    body = bytearray()
    async with listening(saying(*pieces)) as port:
        connection = await connected(port)
        try:
            await connection.ask(ASK, head_only=head_only, decode=decode)
            await connection.carry(lambda data: body.extend(data))
        finally:
            connection.transport.abort()
    return connection, bytes(body)


@pytest.mark.parametrize(
    ("pieces", "status", "body"),
    [
        ((b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",), 200, b"hello"),
        ((b"HTTP/1.1 200 OK\r\nContent-", b"Length: 5\r\n\r\nhe", b"llo"), 200, b"hello"),
        ((CHUNKED, b"2\r\nhe\r\n", b"3\r\nllo\r\n0\r\nx-trailer: 1\r\n\r\n"), 200, b"hello"),
        ((b"HTTP/1.1 200 OK\r\n\r\nhel", b"lo"), 200, b"hello"),
        ((b"HTTP/1.0 404 No\r\n\r\n", b"hello"), 404, b"hello"),
        ((b"HTTP/1.1 103 Early\r\nlink: x\r\n\r\n", b"HTTP/1.1 204 No\r\n\r\n"), 204, b""),
        ((b"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",), 200, b"hi"),
        ((b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",), 200, b""),
    ],
)
async def test_bodies_however_they_are_framed(pieces: tuple[bytes, ...], status: int, body: bytes) -> None:
    """By length, by chunks, by the end of the connection, or none; what comes before the answer is skipped."""
    connection, found = await asked(*pieces)
    assert (connection.status, found) == (status, body)
    assert not {b"link", b"x-trailer"} & dict(connection.headers).keys()


async def test_an_answer_to_head_has_no_body() -> None:
    """Whatever length its head tells."""
    connection, body = await asked(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", head_only=True)
    assert (connection.status, body) == (200, b"")


@pytest.mark.parametrize(
    ("pieces", "error"),
    [
        ((CHUNKED, b"1\r\nx\r\nzz\r\n"), Malformed),
        ((CHUNKED, b"5\r\nhe"), ConnectionError),
        ((b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello",), ConnectionError),
        ((b"SSH-2.0-OpenSSH\r\n",), Malformed),
        ((b"HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nhi",), Malformed),
        ((b"HTTP/1.1 000 Odd\r\ncontent-length: 2\r\n\r\nhi",), Malformed),
        ((CHUNKED + b"1;x=" + b"a" * 900_000 + b"\r\nx\r\n0\r\n\r\n",), Malformed),
        ((CHUNKED + b"1\r\nx\r\n", b"0\r\nx: " + b"a" * 1_200_000 + b"\r\n\r\n"), Malformed),
        ((b"HTTP/1.1 100 Go\r\n\r\n" * 20_000,), Malformed),
        ((b"",), ConnectionError),
        ((b"HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",), AnotherProtocol),
        ((b"HTTP/1.1 200 OK\r\nx: " + b"a" * 300_000,), Malformed),
        ((b"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 2\r\n\r\nhi",), Malformed),
        ((b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n" + gzip.compress(b"hi")[:-3],), Malformed),
    ],
)
async def test_what_is_no_whole_answer_is_an_error(pieces: tuple[bytes, ...], error: type[Exception]) -> None:
    """A damaged chunk, an early end, another protocol, an endless head, an encoding that is none."""
    with pytest.raises(error):
        await asked(*pieces, decode=True)


async def test_what_came_before_the_damage_is_handed_on() -> None:
    """Words that were sent are not lost with those behind them."""
    got = bytearray()
    async with listening(saying(CHUNKED + b"1\r\nx\r\n", b"zz\r\n")) as port:
        connection = await connected(port)
        await connection.ask(ASK)
        with pytest.raises(Malformed):
            await connection.carry(lambda data: got.extend(data))
    assert got == b"x"


async def test_a_taker_that_waits_is_waited_for() -> None:
    """Pieces come in order, and never while one before them is waited for; meanwhile the server is slowed down."""
    sent, taken, gate = 0, bytearray(), asyncio.Event()
    piece = bytes(range(256)) * 256

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await receive_from(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (len(piece) * 1000))
        for _ in range(1000):
            writer.write(piece)
            await writer.drain()
            sent += len(piece)

    async def slowly(data: bytes) -> None:
        await gate.wait()
        taken.extend(data)

    def take(data: bytes) -> Awaitable[None] | None:
        return slowly(data)

    async with listening(endless) as port:
        connection = await connected(port)
        await connection.ask(ASK)
        carried = asyncio.create_task(connection.carry(take))
        before = -1
        while sent > before:  # until it is held up
            before = sent
            await asyncio.sleep(0.2)
        assert sent < len(piece) * 1000
        assert connection._held_size < 2 * HIGH + 256 * 1024
        gate.set()
        await carried
    assert taken == piece * 1000
    connection.close()


async def test_a_bomb_is_decoded_as_fast_as_it_is_taken() -> None:
    """What a compressed body unfolds to is never held: each piece is small, and the next one waits for its taker."""
    packed, size, largest = gzip.compress(bytes(60_000_000)), 0, 0

    async def slowly() -> None:
        await asyncio.sleep(0)

    def take(data: bytes) -> Awaitable[None]:
        nonlocal size, largest
        size, largest = size + len(data), max(largest, len(data), connection._held_size)
        return slowly()

    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed)
    async with listening(saying(head + packed)) as port:
        connection = await connected(port)
        await connection.ask(ASK, decode=True)
        await connection.carry(take)
        connection.close()
    assert size == 60_000_000
    assert largest < 4 * HIGH


async def test_a_body_is_sent_beside_and_no_faster_than_it_is_taken() -> None:
    """The request's body comes from its source piece by piece; what the server does not take is not asked for."""
    given, gate = 0, asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        nonlocal given
        for _ in range(1000):
            given += 1
            yield bytes(100_000)

    async def takes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await gate.wait()
        await reader.readexactly(100_000_000)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")
        await reader.read()

    async with listening(takes) as port:
        connection = await connected(port)
        asked = asyncio.create_task(connection.ask(ASK, body=body()))
        before = -1
        while given > before:
            before = given
            await asyncio.sleep(0.2)
        assert given < 500
        gate.set()
        await asked
        assert await connection.read() == b"hi"
        assert connection.reusable
        connection.close()


async def test_an_answer_before_the_end_of_the_body_ends_the_sending() -> None:
    """A server that refuses early is heard; over that connection nothing is asked again."""

    async def body() -> AsyncIterator[bytes]:
        while True:
            yield bytes(1000)
            await asyncio.sleep(0.01)

    async def refuses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 No\r\ncontent-length: 2\r\n\r\nhi")
        await reader.read()

    async with listening(refuses) as port:
        connection = await connected(port)
        await connection.ask(ASK, body=body())
        assert connection.status == 413
        assert await connection.read() == b"hi"
        assert not connection.rest()
        connection.close()


async def test_a_body_that_breaks_is_told_to_who_asks() -> None:
    """What its source raises, as it is."""

    async def body() -> AsyncIterator[bytes]:
        yield b"x"
        raise KeyError("source")

    async with listening(saying()) as port:
        connection = await connected(port)
        with pytest.raises(KeyError, match="source"):
            await connection.ask(ASK.replace(b"\r\n\r\n", b"\r\ncontent-length: 9\r\n\r\n"), body=body())
        connection.close()


async def test_an_error_of_the_taker_is_told_to_who_carries() -> None:
    """And the connection is not used again."""

    def take(_: bytes) -> None:
        raise KeyError("ours")

    async with listening(saying(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", b"h", b"i")) as port:
        connection = await connected(port)
        await connection.ask(ASK)
        with pytest.raises(KeyError, match="ours"):
            await connection.carry(take)
        assert not connection.reusable
        connection.close()


async def _whole(connection: Connection) -> None:
    await connection.ask(ASK)
    await connection.carry(lambda _: None)


@pytest.mark.parametrize("words", [b"", CHUNKED[:9], CHUNKED + b"1\r\nx\r\n"])
async def test_silence_has_an_end(words: bytes) -> None:
    """It counts from the request on: no server is waited for without end that says nothing, half a head or half a body."""
    gate = asyncio.Event()

    async def stops(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        writer.write(words)
        await gate.wait()

    async with listening(stops) as port:
        connection = await connected(port, silence=0.05)
        with pytest.raises(TimeoutError):
            await _whole(connection)
        gate.set()


async def test_close_ends_the_carrying() -> None:
    """Whoever reads finds the end, without an error."""
    gate = asyncio.Event()

    async def stops(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        writer.write(CHUNKED + b"1\r\nx\r\n")
        await gate.wait()

    async with listening(stops) as port:
        connection = await connected(port)
        await connection.ask(ASK)
        await connection.carry(lambda _: connection.close())
        gate.set()
    assert not connection.reusable


@pytest.mark.parametrize(
    ("answer", "again"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi", True),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi", False),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi and more", False),
        (b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi", False),
        (2 * b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi", False),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n\r\nmore", False),
    ],
)
async def test_a_connection_is_used_again_only_behind_a_whole_answer(answer: bytes, again: bool) -> None:
    """Not where the server closes it, or has sent more than was asked for: that would be read as the next answer."""
    gate = asyncio.Event()

    async def stays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        writer.write(answer)
        await gate.wait()

    async with listening(stays) as port:
        connection = await connected(port)
        await connection.ask(ASK)
        body = b""
        while data := await connection.read():
            body += data
        assert body == b"hi"
        assert connection.reusable is again
        connection.close()
        gate.set()
