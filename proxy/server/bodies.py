"""Parses request bodies without blocking the event loop: short ones at once, longer ones in a thread with a time limit.

JSON is decoded in a call in which no other thread runs. A body is therefore counted first: a text of 20 MB is decoded in
some milliseconds, as many bytes of empty lists in seconds.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any, TypeVar

from guardrail.errors import BadRequest
from proxy.judging.pool import Pool
from proxy.server.admission import Overloaded
from proxy.wire.headers import json_object

R = TypeVar("R")
Json = dict[str, Any]

SHORT = (
    8 * 1024
)  # bytes of a request that is read on the event loop: less work than handing it to a thread and back
FOUND_S = 2.0  # seconds in which the documents of a request are to be found
LONGEST_S = 20.0  # seconds after which a thread is given up
VALUES = 200_000  # that a body may hold, about: its commas and opening brackets outside strings
_PIECE = 1 << 20  # bytes that are counted in one call
_BETWEEN = re.compile(rb"[,\[{]")
_BACKSLASH = ord("\\")


class BodyReader:
    """One thread beside those that check."""

    def __init__(self) -> None:
        self._pool = Pool(1)

    async def run(self, job: Callable[[], R], *, size: int) -> R:
        """What `job` gives for a request of `size` bytes. Raises what it raises, and Overloaded when it takes too long."""
        if size <= SHORT:
            return job()
        begun: list[float] = []

        def timed() -> R:
            begun.append(time.monotonic())
            return job()

        try:
            async with asyncio.timeout(LONGEST_S):
                return await self._pool.run(timed)
        except TimeoutError:
            if begun:
                self._pool.replace()
            raise Overloaded(retry_after=int(LONGEST_S)) from None

    async def json(self, raw: bytes, *, patient: bool = False) -> Json:
        """The object that a body is. `patient`: as `json_object` takes it. Raises BadRequest."""
        return await self.run(lambda: countable(raw, patient=patient), size=len(raw))

    def close(self) -> None:
        self._pool.close()


def countable(raw: bytes, *, patient: bool = False) -> Json:
    """The object that a body is. Raises BadRequest, also where it holds more than `VALUES`."""
    if len(raw) > VALUES and _more(raw, VALUES):
        raise BadRequest(
            f"the request body contains more than {VALUES} JSON values", status=413, code="body_too_large"
        )
    return json_object(raw, patient=patient)


def _more(raw: bytes, limit: int) -> bool:
    """Whether there are more than `limit` commas and opening brackets outside strings."""
    pieces = range(0, len(raw), _PIECE)
    if sum(raw.count(mark, at, at + _PIECE) for at in pieces for mark in (b",", b"[", b"{")) <= limit:
        return False
    found = at = 0
    while found <= limit and at < len(raw):
        quote = raw.find(b'"', at, at + SHORT)
        end = quote if quote >= 0 else min(at + SHORT, len(raw))
        found += len(_BETWEEN.findall(raw, at, end))
        at = end if quote < 0 else _behind(raw, quote + 1)
    return found > limit


def _behind(raw: bytes, start: int) -> int:
    """Behind the string whose first character is at `start`."""
    while (quote := raw.find(b'"', start)) >= 0:
        before = quote
        while before > start and raw[before - 1] == _BACKSLASH:
            before -= 1
        if not (quote - before) % 2:
            return quote + 1
        start = quote + 1
    return len(raw)
