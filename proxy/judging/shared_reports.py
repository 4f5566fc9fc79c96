"""The reports of the last answers in Redis (extra `redis`), so that any machine finds those that another one has made.

Redis keeps them as the memory of a process does: up to a size, the newest stay. None is older than a day, so that nothing stays
in a store that is used no more. Each process keeps its own beside, and those alone while Redis is away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from guardrail.errors import BadRequest
from guardrail.telemetry import names
from proxy.judging.reports import LIMIT, Reports
from proxy.redis_client import Away, RedisClient

__all__ = ["SharedReports"]

KEPT_S = 24 * 3600

# KEYS: the list of reports from the oldest on, the bytes of all of them, the new one. ARGV: it, the most bytes, seconds that it stays.
# An entry of the list is the size and the key of a report. One that has expired counts until it is the oldest.
_KEEP = """
redis.call('SET', KEYS[3], ARGV[1], 'EX', ARGV[3])
redis.call('RPUSH', KEYS[1], #ARGV[1] .. ' ' .. KEYS[3])
local size = redis.call('INCRBY', KEYS[2], #ARGV[1])
while size > tonumber(ARGV[2]) do
  local oldest = redis.call('LPOP', KEYS[1])
  if not oldest then redis.call('DEL', KEYS[2]) break end
  local bytes, key = string.match(oldest, '^(%d+) (.+)$')
  redis.call('DEL', key)
  size = redis.call('DECRBY', KEYS[2], bytes)
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
"""


class SharedReports(Reports):
    """`shared_limit`: bytes that Redis keeps for all processes, `limit`: bytes that this one keeps for itself.

    Raises ConfigError for an address that is none, and without the package. A Redis that is away is no error.
    """

    def __init__(
        self, url: str, *, shared_limit: int, limit: int = LIMIT, prefix: str = "{guardrail:reports}:"
    ) -> None:
        super().__init__(limit)
        meanwhile = "reports are found only on the machine that made them"
        self._redis = RedisClient(url, what="reports", meanwhile=meanwhile)
        self._keeping = self._redis.script(_KEEP)
        self._shared_limit, self._prefix = shared_limit, prefix

    @property
    def trouble(self) -> str:
        return self._redis.trouble

    def measures(self) -> Mapping[str, float]:
        return {names.REPORTS_AWAY: float(bool(self.trouble))}

    async def keep(self, identifier: str, bodies: Sequence[bytes]) -> None:
        self.add(identifier, bodies)
        if (body := self.get(identifier)) is None:
            return  # larger than all that is kept
        keys = [f"{self._prefix}order", f"{self._prefix}size", self._key(identifier)]
        given = [body, self._shared_limit, KEPT_S]
        try:
            await self._redis.run(partial(self._keeping, keys=keys, args=given))
        except Away:
            return  # it is on record, and here

    async def elsewhere(self, identifier: str) -> bytes | None:
        try:
            return await self._redis.value(self._key(identifier))
        except Away as error:
            message = (
                "This report may have been made on another machine, which cannot be asked at the moment."
            )
            raise BadRequest(message, status=503, code="reports_unavailable") from error

    def _key(self, identifier: str) -> str:
        return f"{self._prefix}of:{identifier}"

    async def close(self) -> None:
        await self._redis.close()
