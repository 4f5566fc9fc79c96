"""The log in PostgreSQL (extra `postgres`): the same statements, one connection to write and one to read.

A lost connection fails the entries at hand (they are not acknowledged) and is made anew for the next ones.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from guardrail.audit.database import Cell, Cursor, Row, Unique
from guardrail.errors import AuditError

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    raise AuditError(
        "a log on PostgreSQL needs the extra: pip install 'claim-guardrail[postgres]'"
    ) from error

__all__ = ["Postgres"]

CONNECT_TIMEOUT_S = 5


class _PostgresCursor:
    def __init__(self, cursor: psycopg.Cursor[Row]) -> None:
        self._cursor = cursor

    def execute(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]:
        self._cursor.execute(_dialect(sql), values)
        return self._cursor.fetchall() if self._cursor.description else []

    def many(self, sql: str, rows: Sequence[Sequence[Cell]]) -> None:
        if rows:
            self._cursor.executemany(_dialect(sql), rows)


class Postgres:
    """A database by its URL. Commits are durable as far as the server's `synchronous_commit` is left on."""

    lock = " FOR UPDATE"

    def __init__(self, url: str) -> None:
        self._url = url
        self.name = _without_password(url)
        self._writing, self._reading = threading.Lock(), threading.Lock()
        self._writer: psycopg.Connection[Row] | None = None
        self._reader: psycopg.Connection[Row] | None = None
        self._reader = self._connect()

    def _connect(self) -> psycopg.Connection[Row]:
        try:
            connection = psycopg.connect(self._url, connect_timeout=CONNECT_TIMEOUT_S, autocommit=True)
            connection.execute("SET synchronous_commit = on")
        except (psycopg.Error, UnicodeError) as error:
            raise AuditError(f"cannot reach the audit log at {self.name}: {_reason(error)}") from error
        return connection

    @contextmanager
    def write(self) -> Iterator[Cursor]:
        with self._writing:
            if self._writer is None or self._writer.closed:
                self._writer = self._connect()
            try:
                with self._writer.transaction(), self._writer.cursor() as cursor:
                    yield _PostgresCursor(cursor)
            except psycopg.errors.UniqueViolation as error:
                raise Unique(_reason(error)) from error
            except psycopg.Error as error:
                self._writer.close()
                raise AuditError(f"cannot write to {self.name}: {_reason(error)}") from error

    def read(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]:
        with self._reading:
            if self._reader is None or self._reader.closed:
                self._reader = self._connect()
            try:
                return self._reader.execute(_dialect(sql), values).fetchall()
            except psycopg.Error as error:
                self._reader.close()
                raise AuditError(f"cannot read {self.name}: {_reason(error)}") from error

    def lost(self) -> str:
        return ""  # the server tells with every commit

    def scrub(self) -> None:
        with self._writing:
            if self._writer is not None and not self._writer.closed:
                self._writer.execute("VACUUM words")

    def close(self) -> None:
        for connection in (self._writer, self._reader):
            if connection is not None:
                connection.close()


def _dialect(sql: str) -> bytes:
    """Our statements hold no literals with these words in them, and come from this package only."""
    return sql.replace("?", "%s").replace("BLOB", "BYTEA").replace("INTEGER", "BIGINT").encode()


def _reason(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _without_password(url: str) -> str:
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error as error:
        raise AuditError(f"not a PostgreSQL URL: {_reason(error)}") from error
    host, port, name = parts.get("host", "localhost"), parts.get("port", 5432), parts.get("dbname", "")
    return f"postgresql://{host}:{port}/{name}"
