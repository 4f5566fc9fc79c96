"""A relay between two servers that changes what passes, so that a change acts like a defect of the proxy behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from eval.conformance.raw import Message, listening, parse

Change = Callable[[bytes], bytes]


@dataclass
class Relay:
    """Passes whole messages on to the port `to`. `request`, `answer`: what is done to them; without it bytes pass as they come.

    `changed`: how many messages are no longer what they were.
    """

    to: int
    request: Change | None = None
    answer: Change | None = None
    changed: int = 0
    port: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Relay]:
        async with listening(self._serve) as self.port:
            yield self

    def set(self, *, request: Change | None = None, answer: Change | None = None) -> None:
        self.request, self.answer, self.changed = request, answer, 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raw = b""
        while more := await reader.read(1 << 16):
            raw += more
            while (found := parse(raw)).complete:
                whole, raw = raw[: len(raw) - len(found.rest)], found.rest
                if not await self._pass(whole, found, writer):
                    return

    async def _pass(self, raw: bytes, request: Message, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection may be used again."""
        reader, other = await asyncio.open_connection("127.0.0.1", self.to)
        try:
            other.write(self._made(self.request, raw))
            answer, found = await self._answered(reader, request, writer)
        finally:
            other.close()
        if self.answer is not None:
            answer = self._made(self.answer, answer)
            found = parse(answer, head_only=request.start.startswith(b"HEAD "))
            writer.write(answer)
        await writer.drain()
        return found.complete and b"close" not in request.values(b"connection")

    async def _answered(
        self, reader: asyncio.StreamReader, request: Message, writer: asyncio.StreamWriter
    ) -> tuple[bytes, Message]:
        raw, found = b"", Message(b"")
        while not found.complete and (more := await reader.read(1 << 16)):
            raw += more
            found = parse(raw, head_only=request.start.startswith(b"HEAD "))
            if self.answer is None:
                writer.write(more)
        return raw, found

    def _made(self, change: Change | None, raw: bytes) -> bytes:
        made = change(raw) if change else raw
        self.changed += made != raw
        return made
