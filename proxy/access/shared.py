"""Counts the limits of virtual keys in Redis (extra `redis`), so that all processes that use it share them.

One script admits or refuses, by Redis' own clock, and nothing comes between its steps. An answer that runs holds a place
under a name of its own; its process says every few seconds that it still runs, so a process that dies frees its places.
Its end is told before its last byte goes out, so whoever has read it all finds the place free, in every process; an end
that could not be told is told as soon as Redis is there again.

While Redis is away, each process counts by itself, beginning with what it let in of late, or refuses where the operator
wants that; it looks every second whether Redis is back.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal

from guardrail.errors import BadRequest
from guardrail.telemetry import names
from proxy.access.keys import Key
from proxy.access.limits import Limits, Release, reached, too_many
from proxy.redis_client import REST_S, Away, RedisClient

__all__ = ["SharedLimits"]

LEASE_S = 30  # an answer's place is kept so long without a word of its process
BEAT_S = 5.0  # between two such words

# A bucket is a hash {level, at}; one that is not there is full. It is forgotten when it would be full again.
_BUCKET = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local function level(key, rate)
  local found = redis.call('HMGET', key, 'level', 'at')
  if not found[1] then return rate end
  return math.min(rate, tonumber(found[1]) + math.max(0, now - tonumber(found[2])) * rate / 60)
end
local function store(key, rate, left)
  redis.call('HSET', key, 'level', string.format('%.17g', left), 'at', string.format('%.17g', now))
  redis.call('EXPIRE', key, math.ceil((rate - left) * 60 / rate) + 1)
end
"""
# KEYS: requests, tokens, places. ARGV: the limits of each (0: none), the name of a place (or empty), seconds that it is kept.
# Answers what has been reached, or nothing, and the seconds to wait.
_ADMIT = (
    _BUCKET
    + """
local requests, tokens, places = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if places > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
  -- The same step once more: its connection was lost, and with it what was answered.
  if redis.call('ZSCORE', KEYS[3], ARGV[4]) then return {'', '0'} end
  if redis.call('ZCARD', KEYS[3]) >= places then return {'places', '1'} end
end
if tokens > 0 then
  local left = level(KEYS[2], tokens)
  if left < 1 then return {'tokens', tostring((1 - left) * 60 / tokens)} end
end
if requests > 0 then
  local left = level(KEYS[1], requests)
  if left < 1 then return {'requests', tostring((1 - left) * 60 / requests)} end
  store(KEYS[1], requests, left - 1)
end
if places > 0 then
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[5]), ARGV[4])
  redis.call('EXPIRE', KEYS[3], ARGV[5])
end
return {'', '0'}
"""
)
# KEYS as above. ARGV: the limit of tokens, how many were used, the names of the places.
_LEAVE = (
    _BUCKET
    + """
for at = 3, #ARGV do redis.call('ZREM', KEYS[3], ARGV[at]) end
local rate = tonumber(ARGV[1])
if rate > 0 then store(KEYS[2], rate, level(KEYS[2], rate) - tonumber(ARGV[2])) end
"""
)
# KEYS: the places of one key. ARGV: seconds that they are kept, the names of those that this process has.
_KEEP = """
local until_ = tonumber(redis.call('TIME')[1]) + tonumber(ARGV[1])
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], until_, ARGV[at]) end
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""


class SharedLimits(Limits):
    """`away`: what becomes of a request while Redis is; `count`: this process counts alone; `refuse`: 503.

    Raises ConfigError for an address that is none, and without the package. A Redis that is away is no error.
    """

    def __init__(
        self, url: str, *, away: Literal["count", "refuse"] = "count", prefix: str = "guardrail:limits:"
    ) -> None:
        super().__init__()
        self._refuses, self._prefix = away == "refuse", prefix
        meanwhile = "requests of keys are refused" if self._refuses else "this process counts by itself"
        self._redis = RedisClient(url, what="limits", meanwhile=meanwhile)
        self._admitting, self._leaving, self._keeping = map(self._redis.script, (_ADMIT, _LEAVE, _KEEP))
        self._places: dict[str, set[str]] = {}  # of this process, by key
        self._ending: dict[str, set[asyncio.Task[None]]] = {}  # answers whose end is being told, by key
        self._untold: dict[
            str, dict[str, float]
        ] = {}  # places whose end could not be told: until when, by key
        self._kept: dict[str, asyncio.Event] = {}  # keys whose places are being kept
        self._beating: asyncio.Task[None] | None = None
        self._alone = 0

    async def open(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Waits until what has ended is told."""
        if self._beating is not None:
            self._beating.cancel()
        if ending := [task for tasks in self._ending.values() for task in tasks]:
            await asyncio.wait(ending)
        await self._redis.close()

    @property
    def trouble(self) -> str:
        return self._redis.trouble

    def measures(self) -> Mapping[str, float]:
        return {names.LIMITS_AWAY: float(bool(self.trouble)), names.LIMITS_ALONE: float(self._alone)}

    async def charge(self, key: Key) -> None:
        try:
            found = await self._admit(key, 0, 0, "")
        except Away:
            self._count_alone()
            await super().charge(key)
        else:
            _refuse(key, found)
            if (own := self._use(key).requests) is not None:
                own.take(1)

    async def _enter(self, key: Key) -> Release:
        if ending := self._ending.get(key.id):
            await asyncio.wait(set(ending))  # of answers that did not end by themselves
        place = secrets.token_hex(8) if key.concurrent else ""
        try:
            await self._tell_late(key.id)
            found = await self._admit(key, key.tokens, key.concurrent, place)
        except Away as away:
            release = await self._enter_alone(key, place if away.__cause__ else "")  # Redis was asked, or not
        except asyncio.CancelledError:
            self._tell_end(key, place, 0)  # it may have been let in
            raise
        else:
            _refuse(key, found)
            release = self._begin(key)
        if place:
            self._places.setdefault(key.id, set()).add(place)
        return partial(self._leave, key, place, release)

    async def _enter_alone(self, key: Key, place: str) -> Release:
        try:
            self._count_alone()
            return await super()._enter(key)
        except BaseException:
            self._tell_later(key, place)  # it may have been let in
            raise

    def _count_alone(self) -> None:
        if self._refuses:
            message = "The limits of this key cannot be counted at the moment; try again."
            raise BadRequest(message, status=503, code="limits_unavailable")
        self._alone += 1

    def _leave(self, key: Key, place: str, release: Release, tokens: int) -> asyncio.Task[None] | None:
        release(tokens)
        self._vacate(key, place)
        return self._tell_end(key, place, tokens) if place or key.tokens else None

    def _vacate(self, key: Key, place: str) -> None:
        if (held := self._places.get(key.id)) is not None:
            held.discard(place)
            if not held:
                del self._places[key.id]

    def _tell_end(self, key: Key, place: str, tokens: int) -> asyncio.Task[None]:
        task = asyncio.create_task(self._told_end(key, place, tokens))
        ending = self._ending.setdefault(key.id, set())
        ending.add(task)
        task.add_done_callback(partial(self._told, key))
        return task

    def _told(self, key: Key, task: asyncio.Task[None]) -> None:
        ending = self._ending[key.id]
        ending.discard(task)
        if not ending:
            del self._ending[key.id]

    async def _told_end(self, key: Key, place: str, tokens: int) -> None:
        if kept := self._kept.get(key.id):
            await kept.wait()  # or the place would be kept after it was left
        try:
            await self._run(self._leaving, self._keys(key.id), [key.tokens, tokens, place])
        except Away:
            self._tell_later(key, place)

    def _tell_later(self, key: Key, place: str) -> None:
        if place:
            self._untold.setdefault(key.id, {})[place] = time.monotonic() + LEASE_S

    async def _tell_late(self, key: str) -> None:
        """The ends that could not be told when they came. Raises Away."""
        if places := list(self._untold.get(key, ())):
            await self._run(self._leaving, self._keys(key), [0, 0, *places])
            self._forget(key, places)

    async def _admit(self, key: Key, tokens: int, places: int, place: str) -> tuple[str, float]:
        given = [key.requests, tokens, places, place, LEASE_S]
        what, wait = await self._run(self._admitting, self._keys(key.id), given)
        return what.decode(), float(wait)

    def _keys(self, key: str) -> list[str]:
        return [f"{self._prefix}{{{key}}}:{what}" for what in ("requests", "tokens", "places")]

    async def _run(self, script: Any, keys: list[str], given: list[Any]) -> Any:
        """Raises Away."""
        return await self._redis.run(partial(script, keys=keys, args=given))

    async def _beat(self) -> None:
        """Keeps the places of this process, and knows without a request whether Redis is there."""
        while True:
            try:
                for key in list(self._untold):
                    await self._tell_late(key)
                for key in list(self._places) or [""]:
                    await self._keep(key)
            except Away:
                self._forget_old()
                await asyncio.sleep(REST_S)
            else:
                await asyncio.sleep(BEAT_S)

    async def _keep(self, key: str) -> None:
        kept = self._kept[key] = asyncio.Event()
        try:
            await self._run(self._keeping, self._keys(key)[2:], [LEASE_S, *self._places.get(key, ())])
        finally:
            del self._kept[key]
            kept.set()

    def _forget_old(self) -> None:
        """Redis has ended them by itself, or has lost them."""
        now = time.monotonic()
        for key, untold in list(self._untold.items()):
            self._forget(key, [place for place, until in untold.items() if until < now])

    def _forget(self, key: str, places: Iterable[str]) -> None:
        untold = self._untold.get(key, {})
        for place in places:
            untold.pop(place, None)
        if not untold:
            self._untold.pop(key, None)


def _refuse(key: Key, found: tuple[str, float]) -> None:
    """Raises LimitReached where something was."""
    what, wait = found
    if what == "places":
        raise too_many(key)
    if what:
        raise reached(key, what, wait)
