"""Where hostile upstreams and rude clients meet the real proxy: sockets on both sides, no client library between.

What the model's server sends is written byte for byte, head included; what the client gets is read byte for byte. Afterwards
nothing may be left: no permit, no task, no socket, no object of an answer.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from proxy.relay.loop import Relay
from proxy.services import Services
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.upstream.routing import Routed
from proxy.wire.sse import Decoder
from tests.proxy.servers import serving

PATIENCE = 8.0  # seconds until an answer counts as one that hangs
PATHS = ("/v1/chat/completions", "/v1/responses", "/v1/completions", "/v1/messages")


@dataclass(frozen=True, slots=True)
class Play:
    """What the model's server does: `raw` in pieces with pauses between, then it closes, or hangs until the other side does."""

    pieces: Iterable[bytes]
    pause: float = 0.0
    hang: bool = False

    def __repr__(self) -> str:
        """As much as a reader can make use of: bodies may be long."""
        told = repr(self.pieces)
        return (
            f"Play({told if len(told) < 8000 else told[:8000] + '…'}, pause={self.pause}, hang={self.hang})"
        )


@dataclass(repr=False)
class Upstream:
    """A server that plays one script after another. `open`: connections that the proxy has not closed yet."""

    play: Play = Play(())
    port: int = 0
    open: int = 0
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (int(h[15:]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:")), 0
            )
            await reader.readexactly(length)
            play = self.play
            for piece in play.pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(play.pause)
            if play.hang:
                await reader.read()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.close()

    @contextmanager
    def running(self) -> Iterator[Upstream]:
        ready = threading.Event()

        async def main() -> None:
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            self._ended = asyncio.Event()
            await self._ended.wait()
            server.close()

        thread = threading.Thread(target=self._loop.run_until_complete, args=(main(),), daemon=True)
        thread.start()
        ready.wait(5)
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._ended.set)
            thread.join(5)
            self._loop.close()


@dataclass(frozen=True, slots=True)
class Got:
    """What a client got. `complete`: the answer ended as HTTP says it must, not in the middle."""

    status: int
    head: bytes
    body: bytes
    complete: bool

    def said(self) -> str:
        """The answer's words as an SDK for Chat Completions would put them together, of all choices."""
        words = []
        decoder = Decoder()
        for event in (*decoder.decode(self.body), *decoder.flush()):
            try:
                found = orjson.loads(event.data or b"null")
            except orjson.JSONDecodeError:
                continue
            choices = found.get("choices") if isinstance(found, dict) else None
            for choice in choices if isinstance(choices, list) else []:
                delta = choice.get("delta") if isinstance(choice, dict) else None
                content = delta.get("content") if isinstance(delta, dict) else None
                words.append(content if isinstance(content, str) else "")
        return "".join(words)


@dataclass(frozen=True, slots=True, repr=False)
class Arena:
    upstream: Upstream
    services: Services
    port: int

    def __repr__(self) -> str:
        return "Arena()"

    def ask(
        self,
        play: Play,
        *,
        path: str = PATHS[0],
        policy: str = "annotate",
        stream: bool = True,
        leave_after: int | None = None,
        pause: float = 0.0,
    ) -> Got:
        """One request. `leave_after`: hangs up after so many bytes. `pause`: seconds between two reads of 512 bytes."""
        self.upstream.play = play
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(_request(path, policy, stream=stream))
            raw = _read(connection, leave_after, pause)
        return _parsed(raw)

    def stall(self, play: Play, *, seconds: float, policy: str = "annotate") -> None:
        """One streamed request whose answer is not read at all for a while; then the client leaves."""
        self.upstream.play = play
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(_request(PATHS[0], policy, stream=True))
            time.sleep(seconds)

    def rests(self) -> str:
        """What is left over after all answers have ended; waits a while for it to go. Empty when nothing is."""
        for _ in range(200):
            left = self._left()
            if not left:
                return ""
            time.sleep(0.02)
        return left

    def _left(self) -> str:
        if self.services.permits.taken or self.services.relays:
            return f"{self.services.permits.taken} permits, {len(self.services.relays)} relays"
        if self.upstream.open:
            return f"{self.upstream.open} connections to the model's server"
        return ""


def _request(path: str, policy: str, *, stream: bool) -> bytes:
    """One body that is a request of every API."""
    asked = {"messages": [{"role": "user", "content": "What?"}], "input": "What?", "prompt": "What?"}
    body = orjson.dumps({"model": "m", "stream": stream, "max_tokens": 9, **asked})
    lines = [
        f"POST {path} HTTP/1.1",
        "host: proxy",
        f"x-guardrail-policy: {policy}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "connection: close",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _read(connection: socket.socket, leave_after: int | None, pause: float) -> bytes:
    raw = b""
    while leave_after is None or len(raw) < leave_after:
        size = 512 if pause else 65536
        if leave_after is not None:
            size = min(size, leave_after - len(raw))
        if not (data := connection.recv(size)):
            break
        raw += data
        time.sleep(pause)
    return raw


def _parsed(raw: bytes) -> Got:
    head, ended, rest = raw.partition(b"\r\n\r\n")
    if not ended:  # the client left before it had the whole head
        return Got(0, head, b"", complete=False)
    status = int(head.split(b" ")[1]) if head.startswith(b"HTTP/1.1 ") else 0
    lower = head.lower()
    if b"transfer-encoding: chunked" not in lower:
        length = next((int(h[15:]) for h in lower.split(b"\r\n") if h.startswith(b"content-length:")), None)
        return Got(status, head, rest, length is None or len(rest) == length)
    body, complete = b"", False
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        if not (count := int(size or b"0", 16)):
            complete = True
            break
        body, rest = body + rest[:count], rest[count + 2 :]
    return Got(status, head, body, complete)


@contextmanager
def arena(home: Path, **given: object) -> Iterator[Arena]:
    """A running proxy before a running upstream; at the end, that nothing of them is left."""
    with Upstream().running() as upstream:
        settings = {"read_timeout": 0.25, "keep_alive": 0.1, **given}
        with serving(home, upstream=f"http://127.0.0.1:{upstream.port}/v1", **settings) as (root, services):
            assert isinstance(services.upstream, Routed)
            for route in services.upstream.routes:
                route.breaker.failures = 1_000_000  # each broken answer is to be met, not spared
            yield Arena(upstream, services, int(root.rpartition(":")[2]))


def census() -> Counter[str]:
    """What grows when something leaks: objects of answers, tasks that are not done, open sockets."""
    gc.collect()
    kinds = (Relay, GuardedStream, GuardedAnswer)
    # Not isinstance: some libraries' objects object to being asked.
    found = Counter(type(one).__name__ for one in gc.get_objects() if type(one) in kinds)
    found["tasks"] = sum(not task.done() for task in list(asyncio.tasks._all_tasks))  # type: ignore[attr-defined]
    for one in Path("/proc/self/fd").iterdir():
        try:
            found["sockets"] += str(one.readlink()).startswith("socket:")
        except OSError:
            continue
    return +found
