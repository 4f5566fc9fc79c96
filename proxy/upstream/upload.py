"""Passes on a request's body as it arrives, holding only what the model's server has not taken yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from guardrail.errors import BadRequest
from proxy.server.admission import PACE, SILENCE_S, ClientGone, Message, Receive, in_time
from proxy.wire.headers import Headers

LITTLE = 1 << 20  # bytes up to which a body is read first: it can be sent once more


def streams(headers: Headers) -> bool:
    """Whether a body is passed on as it comes: it is large, or nobody knows how large, and no JSON, which names its model."""
    told = dict(headers)
    if b"json" in told.get(b"content-type", b"").lower():
        return False
    length = told.get(b"content-length")
    return b"transfer-encoding" in told if length is None else int(length) > LITTLE


class Upload:
    """One body. `limit`: bytes that it may have; `length`: those that it has, where that is known.

    Raises BadRequest where it is larger (413), or comes too slowly (408), and ClientGone.
    """

    def __init__(self, receive: Receive, headers: Headers, *, limit: int) -> None:
        length = dict(headers).get(b"content-length")
        self.length = None if length is None else int(length)
        self.begun = False
        self._receive = receive
        self._limit = limit
        self._size, self._waited = 0, 0.0
        self._first: Message | None = None
        self._ended = asyncio.Event()
        if self.length is not None:
            self._measure(self.length)

    async def opened(self) -> None:
        """Waits for the first piece: no server is asked about a body that does not come, or whose framing is wrong from the start."""
        self._first = await self._next()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.begun, more = True, True
        while more:
            message, self._first = self._first or await self._next(), None
            part, more = message.get("body", b""), bool(message.get("more_body"))
            if not more:
                self._ended.set()
            if part:
                yield part

    async def _next(self) -> Message:
        """What the client sends. Only its own time counts: while the server does not take what has come, nobody asks for more."""
        now = asyncio.get_running_loop().time
        began = now()
        message = await in_time(self._receive, until=began - self._waited + SILENCE_S + self._size / PACE)
        self._waited += now() - began
        if message["type"] == "http.disconnect":
            raise ClientGone
        self._size += len(message.get("body", b""))
        self._measure(self._size)
        return message

    async def behind(self) -> Message:
        """As the client's own: what it says when its body is complete, which is that it has left."""
        await self._ended.wait()
        return await self._receive()

    def _measure(self, size: int) -> None:
        if size > self._limit:
            message = f"the request body is larger than {self._limit} bytes"
            raise BadRequest(message, status=413, code="body_too_large")
