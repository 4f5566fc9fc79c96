"""HTTP/1.1 as bytes: messages read without interpreting them, a scripted server that keeps what it gets, a client.

Nothing here writes a head of its own or decodes a body, so that what arrives can be compared with what was sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

PATIENCE_S = 10.0  # until an answer must be complete
GATE_S = 2.0  # until a client must have seen the beginning of a stream
_BODILESS = (b"204", b"304")
_END = b"\r\n\r\n"

Fields = tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A request or an answer. `start`: its first line. `fields`: its header, names in lower case, values as they stand.

    `body`: without chunked framing. `trailers`: what stands behind the last chunk. `rest`: bytes behind the end.
    `complete`: it ends where its framing says; one without framing ends with its connection.
    """

    start: bytes
    fields: Fields = ()
    body: bytes = b""
    trailers: bytes = b""
    rest: bytes = b""
    complete: bool = False

    @property
    def status(self) -> int:
        """Of an answer; 0 where there is none."""
        number = self.start.split(b" ")[1:2]
        return int(number[0]) if number and number[0].isdigit() else 0

    def values(self, name: bytes) -> list[bytes]:
        return [value for found, value in self.fields if found == name]


def parse(raw: bytes, *, head_only: bool = False, ended: bool = False) -> Message:
    """The first message in `raw`. `head_only`: no body follows. `ended`: the connection was closed behind `raw`."""
    head, found, body = raw.partition(_END)
    start, *lines = head.split(b"\r\n")
    pairs = (line.partition(b":") for line in lines)
    fields = tuple((name.lower(), value.strip(b" \t")) for name, _, value in pairs)
    if not found:
        return Message(start, fields)
    given = dict(fields)
    answer = start.startswith(b"HTTP/")
    if head_only or (answer and start.split(b" ")[1] in _BODILESS):
        return Message(start, fields, rest=body, complete=True)
    if given.get(b"transfer-encoding", b"").lower() == b"chunked":
        content, trailers, rest, complete = _chunks(body)
        return Message(start, fields, content, trailers, rest, complete)
    if b"content-length" in given or not answer:
        length = int(given.get(b"content-length", b"0"))
        return Message(start, fields, body[:length], b"", body[length:], len(body) >= length)
    return Message(start, fields, body, complete=ended)


def _chunks(raw: bytes) -> tuple[bytes, bytes, bytes, bool]:
    """Content, trailers, what is behind the end, whether there is an end."""
    content, at = b"", 0
    while (line := raw.find(b"\r\n", at)) >= 0:
        size = int(raw[at:line].partition(b";")[0], 16)
        at = line + 2
        if size:
            content += raw[at : at + size]
            at += size + 2
        elif raw.startswith(b"\r\n", at):
            return content, b"", raw[at + 2 :], True
        else:
            trailers, found, rest = raw[at:].partition(_END)
            return content, trailers, rest, bool(found)
    return content, b"", b"", False


def written(message: Message) -> bytes:
    """A message framed by its length, whatever framing it came with; one that is not complete keeps its own."""
    fields = list(message.fields)
    if message.complete and message.status not in (204, 304):
        framing = (b"transfer-encoding", b"content-length", b"trailer")
        fields = [pair for pair in fields if pair[0].lower() not in framing]
        fields.append((b"content-length", b"%d" % len(message.body)))
    return (
        b"\r\n".join([message.start, *(name + b": " + value for name, value in fields)]) + _END + message.body
    )


async def ask(port: int, request: bytes, begun: asyncio.Event | None = None) -> bytes:
    """Everything that comes until the other side closes the connection, or is silent too long; `request` must ask for that.

    `begun`: set when the first byte of a body has come.
    """
    raw = b""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(request)
            while more := await reader.read(1 << 16):
                raw += more
                if begun and parse(raw).body:
                    begun.set()
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()
    return raw


@dataclass
class Scripted:
    """A server on a free port: it answers each request with `answer`, piece by piece, and keeps the request's bytes.

    `gate`: set when the client has seen the beginning of the answer; the last piece waits for it. `late`: it waited in vain.
    """

    answer: Sequence[bytes] = ()
    requests: list[bytes] = field(default_factory=list)
    gate: asyncio.Event | None = None
    late: bool = False
    port: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Scripted]:
        async with listening(self._serve) as self.port:
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raw, open_ = b"", True
        while open_ and (more := await reader.read(1 << 16)):
            raw += more
            asked = []
            while (found := parse(raw)).complete:
                asked.append(found)
                self.requests.append(raw[: len(raw) - len(found.rest)])
                raw = found.rest
            for request in asked:
                open_ = await self._answer(request, writer)

    async def _answer(self, request: Message, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection may be used again."""
        *first, last = self.answer
        for piece in first:
            writer.write(piece)
            await writer.drain()
        if self.gate:
            try:
                await asyncio.wait_for(self.gate.wait(), GATE_S)
            except TimeoutError:
                self.late = True
        writer.write(last)
        await writer.drain()
        head_only = request.start.startswith(b"HEAD ")
        framed = parse(b"".join(self.answer), head_only=head_only).complete
        return framed and b"close" not in request.values(b"connection")


@asynccontextmanager
async def listening(serve: object) -> AsyncIterator[int]:
    """Serves connections on a free port, which it gives, and ends them all with itself."""
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await serve(reader, writer)  # type: ignore[operator]
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
