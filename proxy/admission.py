"""Who is let in: bodies up to a size and in time, as many answers at a time as the machine can check."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from guardrail.errors import BadRequest

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

SMALL = 64 * 1024  # bytes that a body of our own forms may have: a token, a review
SILENCE_S = 30.0  # between two pieces of a body
PACE = 4096  # bytes a second on the average, once SILENCE_S has passed: a byte now and then is no request


class ClientGone(Exception):
    """The client left before its request was complete."""


class Overloaded(Exception):
    """All permits are taken; `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"overloaded, retry after {retry_after} s")
        self.retry_after = retry_after


class Permits:
    """At most `limit` answers at a time; a context manager that raises Overloaded at the door instead of queueing."""

    def __init__(self, limit: int, *, retry_after: int = 1) -> None:
        self._limit = limit
        self._retry_after = retry_after
        self.taken = 0

    def close(self) -> None:
        """Lets nobody in any more."""
        self._limit = 0

    def __enter__(self) -> None:
        if self.taken >= self._limit:
            raise Overloaded(self._retry_after)
        self.taken += 1

    def __exit__(self, *_: object) -> None:
        self.taken -= 1


class Staying:
    """An `async with` block that is left when the client leaves: what it waits for is cancelled, and ClientGone raised."""

    __slots__ = ("_gone", "_owner", "_receive", "_watch")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._gone = False

    async def __aenter__(self) -> None:
        self._owner = asyncio.current_task()
        self._watch = asyncio.create_task(self._wait())

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._watch.cancel()
        del self._watch  # its end holds this object: they would keep each other, and the whole answer, for the garbage collector
        if self._gone and self._owner is not None:
            self._owner.uncancel()
            if kind is asyncio.CancelledError:
                raise ClientGone from None

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        if self._owner is not None:
            self._owner.cancel()


async def read_body(receive: Receive, *, limit: int) -> bytes:
    """The whole request body.

    Raises BadRequest as soon as it is larger than `limit` (413) or comes too slowly (408), and ClientGone.
    """
    parts: list[bytes] = []
    size = 0
    began = asyncio.get_running_loop().time()
    while True:
        message = await in_time(receive, until=began + SILENCE_S + size / PACE)
        if message["type"] == "http.disconnect":
            raise ClientGone
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            raise BadRequest(
                f"the request body is larger than {limit} bytes", status=413, code="body_too_large"
            )
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


async def in_time(receive: Receive, *, until: float = math.inf) -> Message:
    """The next message, after no more than SILENCE_S of silence and before `until` (loop time). Raises BadRequest (408)."""
    try:
        async with asyncio.timeout_at(min(asyncio.get_running_loop().time() + SILENCE_S, until)):
            return await receive()
    except TimeoutError:
        raise BadRequest(
            "the request body did not come in time", status=408, code="request_timeout"
        ) from None
