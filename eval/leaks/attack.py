"""Plays cases: a model's server that answers as scripted, the real proxy before it, a client that reads every byte."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.leaks.cases import Answer, Case
from eval.leaks.seen import Seen, read
from proxy.app import create_app
from proxy.server.server import Server, listen
from proxy.settings import Settings

PATIENCE_S = 60.0


@dataclass
class ScriptedServer:
    """Answers every request with `answer`; `asked` counts them."""

    answer: Answer = field(default_factory=lambda: Answer(200, (), ()))
    asked: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[int]:
        """Its port."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await _take(reader)
            self.asked += 1
            writer.write(_head(self.answer))
            for piece in self.answer.pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.002 if len(self.answer.pieces) > 1 else 0)
        writer.close()


def _head(answer: Answer) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} Scripted", *(f"{name}: {value}" for name, value in answer.headers)]
    named = {name.lower() for name, _ in answer.headers}
    if not (answer.framed or named & {"content-length", "transfer-encoding"} or answer.status in (204, 304)):
        lines.append(f"content-length: {sum(map(len, answer.pieces))}")
    return "\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1", "replace")


async def _take(reader: asyncio.StreamReader) -> None:
    """Reads one request."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if b"transfer-encoding: chunked" in head:
        while size := int((await reader.readline()).partition(b";")[0], 16):
            await reader.readexactly(size + 2)
        await reader.readline()
        return
    length = next((int(h[15:]) for h in head.split(b"\r\n") if h.startswith(b"content-length:")), 0)
    await reader.readexactly(length)


@contextmanager
def proxy(upstream: int, policy: str) -> Iterator[int]:
    """The port of the real proxy before the server on port `upstream`, as an operator starts it."""
    with TemporaryDirectory() as home:
        settings = Settings(
            upstream=f"http://127.0.0.1:{upstream}/v1", policy=policy, audit=str(Path(home) / "audit.db")
        )
        listener = listen(Settings(port=0))
        server = Server(create_app(settings), grace=0.2)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the proxy did not start")
            time.sleep(0.01)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)
            listener.close()


async def attack(server: ScriptedServer, port: int, case: Case) -> Seen:
    """What the client gets for one case; where nothing comes in time, a `Seen` of status 0."""
    server.answer = case.answer
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(case, port))
        await writer.drain()
        return read(await asyncio.wait_for(reader.read(), PATIENCE_S))
    except (TimeoutError, OSError):
        return read(b"")
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _request(case: Case, port: int) -> bytes:
    named = {name.lower() for name, _ in case.headers}
    lines = [f"{case.method} {case.target} HTTP/1.1"]
    if "host" not in named:
        lines.append(f"host: 127.0.0.1:{port}")
    lines += [f"{name}: {value}" for name, value in case.headers if name.lower() != "connection"]
    if case.body and not (case.framed or named & {"content-length", "transfer-encoding"}):
        lines.append(f"content-length: {len(case.body)}")
    return "\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1", "replace") + case.body
