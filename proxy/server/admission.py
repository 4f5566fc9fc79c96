"""Limits on what is accepted at a time: size and duration of request bodies, number of answers, bytes in memory."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
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
    """At most `limit` answers at a time; a context manager that raises Overloaded at the door instead of queueing.

    `taken`: now; `given`: so far.
    """

    def __init__(self, limit: int, *, retry_after: int = 1) -> None:
        self._limit = limit
        self._retry_after = retry_after
        self.taken = self.given = 0

    def close(self) -> None:
        """Lets nobody in any more."""
        self._limit = 0

    def ask(self) -> None:
        """Raises Overloaded when none is left: then it is not worth while to read a request."""
        if self.taken >= self._limit:
            raise Overloaded(self._retry_after)

    def __enter__(self) -> None:
        self.ask()
        self.taken += 1
        self.given += 1

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


@dataclass(eq=False, slots=True)
class _Body:
    """What has come of one. `until`: when the rest of it is too late (loop time)."""

    until: float
    data: bytearray = field(default_factory=bytearray)
    waiting: asyncio.Timeout | None = None
    dropped: bool = False

    def drop(self) -> None:
        """Whoever waits for its rest is told that there is no room."""
        self.dropped = True
        self.data.clear()
        if self.waiting is not None and not self.waiting.expired():
            self.waiting.reschedule(0.0)


class Bodies:
    """The bodies of requests: `limit` bytes of them at most are held at a time, and `count` that are not complete.

    Where there is no room, the unfinished body that has been silent longest gives way, whoever sent it; where all that is
    held is complete, the newcomer does. The first `SMALL` bytes of each need no room: short requests come through always.
    """

    def __init__(self, limit: int = 1 << 62, *, count: int = 1 << 30, retry_after: int = 1) -> None:
        self._limit = limit
        self._count = count
        self._retry_after = retry_after
        self._open: dict[_Body, None] = {}  # unfinished ones, the one that has been silent longest first
        self.held = 0

    async def read(self, receive: Receive, *, limit: int) -> bytes:
        """The whole body of a request of up to `limit` bytes; it counts as held until the task that reads it has ended.

        Raises BadRequest as soon as it is larger (413) or comes too slowly (408), Overloaded, and ClientGone.
        """
        now = asyncio.get_running_loop().time()
        body = _Body(now + SILENCE_S)
        if len(self._open) >= self._count:
            self._drop()
        self._open[body] = None
        try:
            await self._fill(body, receive, limit)
        except BaseException:
            self._close(body)
            raise
        del self._open[body]
        raw = bytes(body.data)
        if (task := asyncio.current_task()) is not None:
            room = _room(len(raw))
            task.add_done_callback(lambda _: self._give_back(room))
        return raw

    def _close(self, body: _Body) -> None:
        """It is not waited for any more, if it still was."""
        if body in self._open:
            del self._open[body]
            self._give_back(_room(len(body.data)))

    def _give_back(self, room: int) -> None:
        self.held -= room

    async def _fill(self, body: _Body, receive: Receive, limit: int) -> None:
        more = True
        while more:
            message = await self._next(body, receive)
            if message["type"] == "http.disconnect":
                raise ClientGone
            part = message.get("body", b"")
            if len(body.data) + len(part) > limit:
                raise BadRequest(
                    f"the request body is larger than {limit} bytes", status=413, code="body_too_large"
                )
            more = bool(message.get("more_body"))
            self._take(body, part)

    async def _next(self, body: _Body, receive: Receive) -> Message:
        try:
            message = await in_time(receive, until=body.until, body=body)
        except BadRequest:
            self._must_stay(body)
            raise
        self._must_stay(body)
        return message

    def _must_stay(self, body: _Body) -> None:
        if body.dropped:
            raise Overloaded(self._retry_after)

    def _take(self, body: _Body, part: bytes) -> None:
        """Raises Overloaded where there is no room for it."""
        now = asyncio.get_running_loop().time()
        body.until = min(body.until + len(part) / PACE, now + SILENCE_S)
        self._open[body] = self._open.pop(body)  # behind all that have been silent longer
        wanted = _room(len(body.data) + len(part)) - _room(len(body.data))
        while wanted and self.held + wanted > self._limit:
            self._drop(large=True)
            self._must_stay(body)
        self.held += wanted
        body.data += part

    def _drop(self, *, large: bool = False) -> None:
        """The unfinished body that has been silent longest; `large`: of those that need room. Raises Overloaded."""
        found = next((one for one in self._open if not large or len(one.data) > SMALL), None)
        if found is None:
            raise Overloaded(self._retry_after)
        self._close(found)
        found.drop()


def _room(size: int) -> int:
    return max(0, size - SMALL)


async def read_body(receive: Receive, *, limit: int) -> bytes:
    """The whole request body, where it may be short only, or there is one at a time. Raises as `Bodies.read`."""
    return await Bodies().read(receive, limit=limit)


async def in_time(receive: Receive, *, until: float = math.inf, body: _Body | None = None) -> Message:
    """The next message, after no more than SILENCE_S of silence and before `until` (loop time). Raises BadRequest (408)."""
    try:
        async with asyncio.timeout_at(min(asyncio.get_running_loop().time() + SILENCE_S, until)) as waiting:
            if body is not None:
                body.waiting = waiting
            return await receive()
    except TimeoutError:
        raise BadRequest(
            "the request body did not arrive in time", status=408, code="request_timeout"
        ) from None
    finally:
        if body is not None:
            body.waiting = None
