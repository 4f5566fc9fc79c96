"""Virtual keys, which clients use in place of a provider's key. Each may have policies and limits of its own.

    gk-1f0c9a72-Qm9…      `gk-`, the id that logs and audit records may name, the secret

Only a hash of the secret is kept. A secret is 256 random bits, so one SHA-256 is as good as a slow hash: there is nothing to
guess. Keys live in one SQLite file that the command line writes while the server reads: a key that is made or revoked counts
within a second.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from guardrail.config import home
from guardrail.errors import ConfigError

PREFIX = "gk-"
REFRESH = 1.0  # seconds between looks at the file
_SCHEMA = """
CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL, policies TEXT NOT NULL,
    requests INTEGER NOT NULL, tokens INTEGER NOT NULL, concurrent INTEGER NOT NULL,
    created TEXT NOT NULL, expires TEXT NOT NULL, revoked TEXT NOT NULL
) STRICT
"""
_NOBODY = bytes(32)


@dataclass(frozen=True, slots=True)
class Key:
    """`policies`: the first is used, the others may be asked for; empty: those of the server. `requests` and `tokens` are a
    minute, `concurrent` answers at a time; 0: no limit. Times are UTC in ISO 8601; empty: never.
    """

    id: str
    name: str
    digest: bytes = field(repr=False)
    policies: tuple[str, ...] = ()
    requests: int = 0
    tokens: int = 0
    concurrent: int = 0
    created: str = ""
    expires: str = ""
    revoked: str = ""

    def valid(self, now: str) -> bool:
        """`now` in the form of the other times."""
        return not self.revoked and (not self.expires or now < self.expires)


class KeyRing:
    """The keys of one file. It need not exist before the first key is made. Raises ConfigError when it cannot be used."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._path = path
        self._clock = clock
        self._file: sqlite3.Connection | None = None
        self._version = -1
        self._looked = float("-inf")
        self._keys: dict[str, Key] = {}

    def find(self, token: str) -> Key | None:
        """The valid key that `token` is. The secret is compared in constant time, also where there is no such id."""
        self._refresh()
        identifier, _, secret = token.removeprefix(PREFIX).partition("-")
        key = self._keys.get(identifier)
        same = hmac.compare_digest(_digest(secret), key.digest if key else _NOBODY)
        return key if key and same and key.valid(self._now()) else None

    def create(
        self,
        name: str,
        *,
        policies: tuple[str, ...] = (),
        requests: int = 0,
        tokens: int = 0,
        concurrent: int = 0,
        lifetime: timedelta | None = None,
    ) -> tuple[Key, str]:
        """The new key and its token, which nobody can show again."""
        identifier, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
        expires = _written(self._clock() + lifetime) if lifetime else ""
        key = Key(
            identifier, name, _digest(secret), policies, requests, tokens, concurrent, self._now(), expires
        )
        row = _row(key)
        self._write(f"INSERT INTO keys VALUES ({', '.join('?' * len(row))})", *row)
        return key, f"{PREFIX}{identifier}-{secret}"

    def revoke(self, identifier: str) -> bool:
        """Whether there was such a key that was not revoked before."""
        changed = self._write(
            "UPDATE keys SET revoked = ? WHERE id = ? AND revoked = ''", self._now(), identifier
        )
        return changed == 1

    def known(self) -> list[Key]:
        """All that were ever made, oldest first."""
        self._looked = float("-inf")
        self._refresh()
        return sorted(self._keys.values(), key=lambda key: (key.created, key.id))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _now(self) -> str:
        return _written(self._clock())

    def _refresh(self) -> None:
        now = time.monotonic()
        if now - self._looked < REFRESH:
            return
        self._looked = now
        if self._file is None and not self._path.exists():
            return
        try:
            file = self._opened()
            (version,) = file.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._keys = {row[0]: _key(row) for row in file.execute("SELECT * FROM keys")}
                self._version = version
        except sqlite3.Error as error:
            raise ConfigError(f"{self._path}: the keys cannot be read: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        if self._file is None:
            file = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
            file.execute("PRAGMA journal_mode = WAL")
            file.execute(_SCHEMA)
            self._file = file
        return self._file

    def _write(self, statement: str, *values: object) -> int:
        try:
            self._path.touch(mode=0o600)
            with closing(sqlite3.connect(self._path)) as file, file:
                file.execute(_SCHEMA)
                return file.execute(statement, values).rowcount
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(f"{self._path}: the keys cannot be written: {error}") from error


def keys_file() -> Path:
    """Where keys are kept when no file is named."""
    return home() / "keys.db"


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _written(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _row(key: Key) -> tuple[object, ...]:
    return (
        key.id,
        key.name,
        key.digest,
        " ".join(key.policies),
        key.requests,
        key.tokens,
        key.concurrent,
        key.created,
        key.expires,
        key.revoked,
    )


def _key(row: tuple[str, str, bytes, str, int, int, int, str, str, str]) -> Key:
    identifier, name, digest, policies, *rest = row
    return Key(identifier, name, digest, tuple(policies.split()), *rest)  # type: ignore[arg-type]
