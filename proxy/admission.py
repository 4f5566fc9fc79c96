"""Who is let in: bodies up to a size, as many answers at a time as the machine can check."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, TypeVar

from guardrail.errors import BadRequest

T = TypeVar("T")
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


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


async def while_there(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, as long as the client stays; when it leaves, the work is cancelled. Raises ClientGone."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_left(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientGone
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def read_body(receive: Receive, *, limit: int) -> bytes:
    """The whole request body. Raises BadRequest (413) as soon as it is larger than `limit`, and ClientGone."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
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
