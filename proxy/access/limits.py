"""The limits of a virtual key: requests and tokens per minute, answers at a time.

Token buckets: a minute's worth may be used at once, then it comes back evenly. Tokens are known when an answer has ended,
so a request is let in while any are left, and one that used more than there were is paid off by waiting. `Limits` counts
in this process; `proxy.access.shared` counts for several.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from proxy.access.keys import Key
from proxy.wire.headers import LimitReached

Clock = Callable[[], float]
# Ends one answer, which used so many tokens; what still tells of it elsewhere.
Release = Callable[[int], "asyncio.Task[None] | None"]

# Unescaped quotes: text that an answer quotes never looks like this. `total_tokens` is OpenAI's sum of the other two.
_TOLD = re.compile(rb'"(total_tokens|input_tokens|output_tokens)"\s*:\s*(\d{1,9})')
_REACH = 64  # bytes of one piece that belong to a count which ends in the next one
CHARACTERS = 4  # of English text, for one token


@dataclass(slots=True)
class Bucket:
    """`rate` for each minute, that many at most."""

    rate: int
    clock: Clock = time.monotonic
    _level: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._level, self._at = float(self.rate), self.clock()

    def wait(self, amount: float) -> float:
        """Seconds until `amount` is there; 0: it is."""
        self._fill()
        return max(0.0, (amount - self._level) * 60 / self.rate)

    def take(self, amount: float) -> None:
        """May go below zero."""
        self._fill()
        self._level -= amount

    def _fill(self) -> None:
        now = self.clock()
        self._level = min(float(self.rate), self._level + (now - self._at) * self.rate / 60)
        self._at = now


@dataclass(slots=True)
class Spent:
    """The tokens of one answer, read from the bytes that a client gets: what the model tells, else one for each event or
    four characters.
    """

    asked: int = 0
    _told: dict[bytes, int] = field(default_factory=dict)
    _bytes: int = 0
    _events: int = 0
    _tail: bytes = b""

    def read(self, data: bytes) -> None:
        """One piece of the answer."""
        self._bytes += len(data)
        self._events += data.count(b"data:")
        for name, count in _TOLD.findall(self._tail + data):
            self._told[name] = max(self._told.get(name, 0), int(count))
        self._tail = data[-_REACH:]

    @property
    def tokens(self) -> int:
        told = self._told
        if told:
            return told.get(b"total_tokens", 0) or sum(told.values())
        return self.asked // CHARACTERS + (self._events or self._bytes // CHARACTERS)


@dataclass(slots=True)
class Admitted:
    """A request that was let in. `spent`: what its answer uses, where tokens are limited."""

    spent: Spent | None
    _release: Release
    _ended: bool = False

    async def end(self) -> None:
        """To be called before the answer's last byte goes out: who has read it all and asks again at once finds the place free."""
        if (telling := self.leave()) is not None:
            await asyncio.wait([telling])

    def leave(self) -> asyncio.Task[None] | None:
        """Its place is free and its tokens are counted, unless that has been done."""
        if self._ended:
            return None
        self._ended = True
        return self._release(self.spent.tokens if self.spent is not None else 0)


@dataclass(slots=True)
class _Use:
    """What one key has used."""

    requests: Bucket | None
    tokens: Bucket | None
    running: int = 0


class Limits:
    """Those of all keys."""

    def __init__(self, *, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._uses: dict[str, _Use] = {}

    @property
    def trouble(self) -> str:
        """Why they are not counted as they should be; empty when they are."""
        return ""

    @asynccontextmanager
    async def admitted(self, key: Key) -> AsyncIterator[Admitted]:
        """One request of `key`. The block gives the answer's bytes to `spent`, where tokens are limited.

        Raises LimitReached at the door.
        """
        release = await self._enter(key)
        admitted = Admitted(Spent() if key.tokens else None, release)
        try:
            yield admitted
        except Exception:
            await admitted.end()  # an error is an answer, too
            raise
        finally:
            admitted.leave()

    async def charge(self, key: Key) -> None:
        """One request more of `key` within one that was admitted. Raises LimitReached."""
        use = self._use(key)
        if use.requests is not None:
            _ask(use.requests, key)
            use.requests.take(1)

    async def open(self) -> None:
        """What needs the event loop."""

    async def close(self) -> None:
        """What `open` began ends."""

    def measures(self) -> Mapping[str, float]:
        """By metric name."""
        return {}

    async def _enter(self, key: Key) -> Release:
        use = self._use(key)
        if key.concurrent and use.running >= key.concurrent:
            raise too_many(key)
        if use.tokens is not None and (wait := use.tokens.wait(1)):
            raise reached(key, "tokens", wait)
        if use.requests is not None:
            _ask(use.requests, key)
        return self._begin(key)

    def _begin(self, key: Key) -> Release:
        """Counts one that is let in."""
        use = self._use(key)
        if use.requests is not None:
            use.requests.take(1)
        use.running += 1
        return partial(_end, use)

    def _use(self, key: Key) -> _Use:
        if key.id not in self._uses:
            self._uses[key.id] = _Use(self._bucket(key.requests), self._bucket(key.tokens))
        return self._uses[key.id]

    def _bucket(self, rate: int) -> Bucket | None:
        return Bucket(rate, self._clock) if rate else None


def _end(use: _Use, tokens: int) -> None:
    use.running -= 1
    if use.tokens is not None:
        use.tokens.take(tokens)


def _ask(requests: Bucket, key: Key) -> None:
    if wait := requests.wait(1):
        raise reached(key, "requests", wait)


def too_many(key: Key) -> LimitReached:
    """More answers at a time than `key` may have."""
    return LimitReached(f"Key {key.id} may have {key.concurrent} answers at a time.", "requests", 1)


def reached(key: Key, kind: str, wait: float) -> LimitReached:
    """No `kind` of `key` is left for `wait` seconds."""
    seconds, limit = max(1, math.ceil(wait)), key.tokens if kind == "tokens" else key.requests
    message = f"Key {key.id} has reached its limit of {limit} {kind} a minute; try again in {seconds} s."
    return LimitReached(message, kind, seconds)
