"""Both ends of the bench on one core: a fake model and a client, as plain asyncio protocols over llhttp.

    python -m eval.benchmarks.wire PORT      the fake model

Models: `fake-fast` streams 100 chunks of four characters as fast as it can, `fake-10ms` one every 10 ms, `fake-long` and
`fake-50ms` 300 of them, every 10 and 50 ms, on an absolute clock; whole answers have the same text. Both ends cost a few
microseconds for each chunk, so that they do not measure themselves.
"""

from __future__ import annotations

import asyncio
import sys
import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import httptools
import orjson

from proxy.demo import samples
from proxy.wire.sse import encode

Json = dict[str, object]
TEXT = " ".join(sample.answers[0] for sample in samples() if "\n" not in sample.answers[0])[:1200]
SIZE = 4  # characters of a chunk, about a token
PIECES = [TEXT[at : at + SIZE] for at in range(0, len(TEXT), SIZE)]
DELAYS = {"fake-fast": 0.0, "fake-10ms": 0.01, "fake-long": 0.01, "fake-50ms": 0.05}
LENGTHS = {"fake-fast": 100, "fake-10ms": 100}
PATIENCE_S = 120.0
USAGE = {"prompt_tokens": 20, "completion_tokens": 300, "total_tokens": 320}


def spoken(model: str) -> str:
    """What `model` streams."""
    return "".join(PIECES[: LENGTHS.get(model, len(PIECES))])


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────


def _event(model: str, delta: Json | None, finish: str | None = None, **more: object) -> bytes:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    head: Json = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model}
    return _piece(encode(orjson.dumps({**head, "choices": choices, **more})))


def _piece(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


WIRE = {model: [_event(model, {"content": piece}) for piece in PIECES] for model in DELAYS}


class FakeModel(asyncio.Protocol):
    """One connection of the model's server."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._parser = httptools.HttpRequestParser(self)
        self._loop = asyncio.get_running_loop()
        self._body = b""

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, data: bytes) -> None:
        self._body += data

    def on_message_complete(self) -> None:
        asked, self._body = orjson.loads(self._body or b"{}"), b""
        model = str(asked.get("model", "fake-fast"))
        if not asked.get("stream"):
            self._answer(model)
            return
        self._transport.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
            + _event(model, {"role": "assistant", "content": ""})
        )
        told = bool((asked.get("stream_options") or {}).get("include_usage"))
        self._plan(model, 0, self._loop.time(), told)

    def _answer(self, model: str) -> None:
        message = {"role": "assistant", "content": TEXT}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        head: Json = {"id": "c", "object": "chat.completion", "created": 1, "model": model}
        body = orjson.dumps({**head, "choices": [choice], "usage": USAGE})
        kind = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: "
        self._transport.write(kind + b"%d\r\n\r\n%s" % (len(body), body))

    def _plan(self, model: str, number: int, started: float, told: bool) -> None:
        if delay := DELAYS.get(model, 0.0):
            at = started + (number + 1) * delay
            self._loop.call_at(at, self._send, model, number, started, told)
        else:
            self._loop.call_soon(self._send, model, number, started, told)

    def _send(self, model: str, number: int, started: float, told: bool) -> None:
        if self._transport.is_closing():
            return
        if number < LENGTHS.get(model, len(PIECES)):
            self._transport.write(WIRE.get(model, WIRE["fake-fast"])[number])
            self._plan(model, number + 1, started, told)
            return
        usage = _event(model, None, usage=USAGE) if told else b""
        self._transport.write(_event(model, {}, "stop") + usage + _piece(encode(b"[DONE]")) + b"0\r\n\r\n")


# ── the client ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Reply:
    """`marks`: (seconds since the request, bytes of the body until then), in order."""

    status: int = 0
    body: bytearray = field(default_factory=bytearray)
    marks: list[tuple[float, int]] = field(default_factory=list)
    took: float = 0.0

    def events(self) -> Iterator[tuple[float, Json]]:
        """When each event of a stream had come, and what it holds."""
        ends = [size for _, size in self.marks]
        at = 0
        while (end := self.body.find(b"\n\n", at)) >= 0:
            raw, at = bytes(self.body[at:end]), end + 2
            data = next((line[6:] for line in raw.splitlines() if line.startswith(b"data: ")), b"[DONE]")
            if data != b"[DONE]":
                yield self.marks[bisect_left(ends, at)][0], orjson.loads(data)


def content(event: Json) -> str:
    """The answer text of an event of a streamed chat completion."""
    choices = event.get("choices")
    if not isinstance(choices, list) or not choices:
        return ""
    return str(choices[0].get("delta", {}).get("content") or "")


class Connection(asyncio.Protocol):
    """A kept connection that asks one thing at a time."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance
        self._reply = Reply()
        self._done: asyncio.Future[Reply] | None = None
        self._started = 0.0

    async def ask(self, raw: bytes) -> Reply:
        """Raises ConnectionError and TimeoutError."""
        self._parser = httptools.HttpResponseParser(self)
        self._reply, self._done = Reply(), asyncio.get_running_loop().create_future()
        self._started = time.perf_counter()
        self.transport.write(raw)
        async with asyncio.timeout(PATIENCE_S):
            return await self._done

    def data_received(self, data: bytes) -> None:
        before = len(self._reply.body)
        now = time.perf_counter() - self._started
        self._parser.feed_data(data)
        if len(self._reply.body) > before:
            self._reply.marks.append((now, len(self._reply.body)))
        if self._reply.took and self._done is not None and not self._done.done():
            self._done.set_result(self._reply)

    def on_body(self, data: bytes) -> None:
        self._reply.body += data

    def on_message_complete(self) -> None:
        self._reply.status = self._parser.get_status_code()
        self._reply.took = time.perf_counter() - self._started

    def connection_lost(self, error: Exception | None) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(ConnectionError("closed in mid-answer"))


async def serve(port: int) -> None:
    """The fake model, for ever."""
    server = await asyncio.get_running_loop().create_server(FakeModel, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve(int(sys.argv[1])))
