"""Answers that were paid for once: a small key → JSON store, in memory, on disk or in Redis.

Values are JSON and nothing else. The disk never writes a pickle and refuses to read one, so that whoever can write the
cache file cannot run code here. A cache that fails is a cache that misses: it slows the caller down, it never breaks it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import pickle
import sqlite3
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import diskcache

from guardrail.errors import ConfigError

__all__ = ["Cache", "DiskCache", "MemoryCache", "RedisCache", "key_of", "open_cache"]

_DISK_LIMIT = 256 * 1024 * 1024  # bytes; the least recently used entries go first
_DAMAGE = (sqlite3.Error, diskcache.Timeout, OSError, ValueError, zlib.error, pickle.UnpicklingError)


REST_S = 1.0  # between two looks at a Redis that is away
PATIENCE_S = 1.0
KEPT_S = 30 * 24 * 3600  # an answer in Redis, which has no size of its own

T = TypeVar("T")

log = logging.getLogger(__name__)


class Cache(Protocol):
    """Thread-safe. `get` gives None for a key that is not there. `trouble`: why nothing is kept; empty when something is."""

    @property
    def trouble(self) -> str: ...

    def get(self, key: str) -> Any: ...

    def put(self, key: str, value: object) -> None: ...

    def close(self) -> None: ...


def key_of(*parts: object) -> str:
    """One key for a list of JSON values: SHA-256 over their canonical form, so that "a", "bc" and "ab", "c" differ."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class MemoryCache:
    """The `size` entries used last, gone with the process."""

    trouble = ""

    def __init__(self, size: int = 10_000) -> None:
        self._size = size
        self._entries: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Any:
        with self._lock:
            text = self._entries.get(key)
            if text is None:
                return None
            self._entries.move_to_end(key)
        return json.loads(text)

    def put(self, key: str, value: object) -> None:
        text = json.dumps(value)
        with self._lock:
            self._entries[key] = text
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def close(self) -> None:
        with self._lock:
            self._entries.clear()


class _NoPickle(diskcache.JSONDisk):  # type: ignore[misc]  # diskcache carries no types
    """diskcache's JSON disk, less the way back to pickle that a forged row would take."""

    def get(self, key: Any, raw: Any) -> Any:
        if not raw:
            raise ValueError("a pickled key")
        return super().get(key, raw)

    def fetch(self, mode: Any, filename: Any, value: Any, read: Any) -> Any:
        if mode == diskcache.core.MODE_PICKLE:
            raise ValueError("a pickled value")
        return super().fetch(mode, filename, value, read)


class DiskCache:
    """A directory (SQLite within), shared between processes. Raises ConfigError when the directory cannot be used."""

    trouble = ""

    def __init__(
        self, path: Path | str, *, size_limit: int = _DISK_LIMIT, expire_s: float | None = None
    ) -> None:
        self._expire_s = expire_s
        try:
            self._cache = diskcache.Cache(str(path), disk=_NoPickle, size_limit=size_limit, timeout=1)
        except _DAMAGE as error:
            raise ConfigError(f"cannot use {path} as a cache: {error}") from error

    def get(self, key: str) -> Any:
        try:
            return self._cache.get(key)
        except _DAMAGE:
            return None

    def put(self, key: str, value: object) -> None:
        try:
            self._cache.set(key, value, expire=self._expire_s)
        except _DAMAGE:
            return

    def close(self) -> None:
        self._cache.close()


class RedisCache:
    """A Redis server shared between machines (extra `redis`). Keys carry a prefix. Raises ConfigError without the package.

    One that does not answer is left alone for a second, told once in the log, and again when it is back.
    """

    def __init__(self, url: str, *, prefix: str = "guardrail:", expire_s: int | None = KEPT_S) -> None:
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError as error:
            raise ConfigError(
                "a Redis cache needs the extra `redis`: pip install 'claim-guardrail[redis]'"
            ) from error
        self._broken: tuple[type[Exception], ...] = (redis.RedisError, OSError)
        self._client: Any = redis.Redis.from_url(
            url,
            socket_timeout=PATIENCE_S,
            socket_connect_timeout=PATIENCE_S,
            # A kept connection that the server closed is made anew.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
        self._prefix, self._expire_s = prefix, expire_s
        self._rest_until = float("-inf")
        self.trouble = ""

    def get(self, key: str) -> Any:
        text = self._asked(lambda: self._client.get(self._prefix + key))
        try:
            return None if text is None else json.loads(text)
        except ValueError:
            return None

    def put(self, key: str, value: object) -> None:
        self._asked(lambda: self._client.set(self._prefix + key, json.dumps(value), ex=self._expire_s))

    def _asked(self, ask: Callable[[], T]) -> T | None:
        """What Redis answers; None where it does not."""
        if time.monotonic() < self._rest_until:
            return None
        try:
            found = ask()
        except self._broken as error:
            self._rest_until = time.monotonic() + REST_S
            if not self.trouble:
                self.trouble = "Redis is away: answers are not kept, and asked for anew"
                log.warning("cache: %s (%s)", self.trouble, type(error).__name__)
            return None
        if self.trouble:
            self.trouble = ""
            log.warning("cache: Redis is back")
        return found

    def close(self) -> None:
        self._client.close()


def open_cache(where: Path | str | None = None) -> Cache:
    """None: in memory. `redis://…` or `rediss://…`: Redis. Anything else: a directory. Raises ConfigError."""
    if where is None:
        return MemoryCache()
    if isinstance(where, str) and urlsplit(where).scheme in ("redis", "rediss"):
        return RedisCache(where)
    return DiskCache(where)
