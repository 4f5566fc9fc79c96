"""A Redis (extra `redis`) that may be away: asked with patience of a second, left alone for another one where it did not answer.

What is away is told once in the log, and again when it is back; `trouble` says so meanwhile.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from guardrail.errors import ConfigError
from proxy.wire.fields import without_credentials

__all__ = ["Away", "RedisClient"]

REST_S = 1.0  # between two looks at a Redis that is away
PATIENCE_S = 1.0
MOST_CONNECTIONS = 32

T = TypeVar("T")

log = logging.getLogger(__name__)


class Away(Exception):
    """Redis does not answer."""


class RedisClient:
    """`what` is kept there, `meanwhile` says what becomes of it while Redis is away: words for the operator.

    Raises ConfigError for an address that is none, and without the package. A Redis that is away is no error.
    """

    def __init__(self, url: str, *, what: str, meanwhile: str) -> None:
        self._client, self._broken = _connect(url, what)
        self._name = without_credentials(url)
        self._what, self._meanwhile = what, meanwhile
        self._rest_until = float("-inf")
        self.trouble = ""

    def script(self, text: str) -> Any:
        """One that Redis runs as one atomic step, called with `keys` and `args`, by `run`."""
        return self._client.register_script(text)

    async def value(self, key: str) -> bytes | None:
        """What is kept under a key; None where nothing is. Raises Away."""
        found: bytes | None = await self.run(partial(self._client.get, key))
        return found

    async def run(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What Redis answers to `ask()`. Raises Away, at once where it was away a moment ago."""
        if time.monotonic() < self._rest_until:
            raise Away
        try:
            found = await ask()
        except self._broken as error:
            self._lost(error)
            raise Away from error
        self._back()
        return found

    async def close(self) -> None:
        await self._client.aclose()

    def _lost(self, error: Exception) -> None:
        self._rest_until = time.monotonic() + REST_S
        if not self.trouble:
            self.trouble = f"Redis at {self._name} is away: {self._meanwhile}"
            log.warning("%s: %s (%s)", self._what, self.trouble, type(error).__name__)

    def _back(self) -> None:
        if self.trouble:
            self.trouble = ""
            log.warning("%s: Redis at %s is back", self._what, self._name)


def _connect(url: str, what: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """The client, and what it raises where Redis does not answer."""
    try:
        import redis.asyncio as redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError as error:
        message = f"{what} in Redis need the extra `redis`: pip install 'claim-guardrail[redis]'"
        raise ConfigError(message) from error
    try:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=MOST_CONNECTIONS,
            timeout=PATIENCE_S,
            socket_timeout=PATIENCE_S,
            socket_connect_timeout=PATIENCE_S,
            # A kept connection that the server closed is made anew; at worst a step is done twice.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
    except ValueError as error:
        raise ConfigError(f"not an address of a Redis for {what}: {error}") from error
    return redis.Redis.from_pool(pool), (redis.RedisError, OSError)
