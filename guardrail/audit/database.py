"""Where the log lives: the few things that SQLite and PostgreSQL do differently. All statements are shared.

Statements are written with `?`; bodies are stored as the very bytes that were hashed. A writing transaction is
exclusive on the chain's head, so that several processes may append to one log.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from guardrail.errors import AuditError

__all__ = ["Cell", "Cursor", "Database", "Row", "Sqlite", "Unique"]

Cell = str | int | float | bytes | None
Row = tuple[Cell, ...]

TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS entries (
        seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE, time TEXT NOT NULL,
        model TEXT, policy TEXT, action TEXT, outcome TEXT, key_id TEXT, tenant TEXT, user_hash TEXT, subject TEXT,
        body BLOB NOT NULL, hash BLOB NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS entries_by_subject ON entries (subject)",
    "CREATE INDEX IF NOT EXISTS entries_by_user ON entries (user_hash) WHERE user_hash <> ''",
    "CREATE TABLE IF NOT EXISTS words (seq INTEGER PRIMARY KEY, blob BLOB NOT NULL)",
    """CREATE TABLE IF NOT EXISTS heads (
        seq INTEGER NOT NULL, hash BLOB NOT NULL, time TEXT NOT NULL, signature BLOB NOT NULL, key BLOB NOT NULL,
        live INTEGER NOT NULL, PRIMARY KEY (live, seq))""",
)


class Unique(Exception):
    """An entry of this id is already there."""


class Cursor(Protocol):
    """What a transaction offers."""

    def execute(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]: ...

    def many(self, sql: str, rows: Sequence[Sequence[Cell]]) -> None: ...


class Database(Protocol):
    """A place for entries. Errors of the driver are raised as AuditError, a doubled id as Unique."""

    name: str
    lock: str  # what makes a SELECT in a writing transaction wait for other writers

    @contextmanager
    def write(self) -> Iterator[Cursor]:
        """One transaction, exclusive among writers; durable when the block is left without an error."""
        yield ...  # type: ignore[misc]

    def read(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]: ...

    def lost(self) -> str:
        """Why what is written now could not be found again; empty where it can."""
        ...

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the files, as far as that can be done from here."""

    def close(self) -> None: ...


class _SqliteCursor:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]:
        rows: list[Row] = self._connection.execute(sql, values).fetchall()
        return rows

    def many(self, sql: str, rows: Sequence[Sequence[Cell]]) -> None:
        self._connection.executemany(sql, rows)


class Sqlite:
    """One file, one writing and one reading connection. WAL with synchronous=FULL: every commit is on the disk."""

    lock = ""  # BEGIN IMMEDIATE has it already

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.name = str(path)
        self.path = path
        if not create and not path.exists():
            raise AuditError(f"no audit log at {path}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = self._connect()
            self._reader = self._connect()
            self._file = _identity(path)
        except (sqlite3.Error, OSError) as error:
            raise AuditError(f"cannot open the audit log {path}: {error}") from error
        self._writing, self._reading = threading.Lock(), threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        if (
            not self.path.exists()
        ):  # words of answers are its owner's alone; SQLite gives the journal the same rights
            self.path.touch(mode=0o600)
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=ON")  # macOS: a plain fsync does not reach the disk
        connection.execute("PRAGMA wal_autocheckpoint=4000")  # 16 MB: a checkpoint flushes twice more
        connection.execute("PRAGMA secure_delete=ON")  # erased words are overwritten, not only unlinked
        return connection

    @contextmanager
    def write(self) -> Iterator[Cursor]:
        with self._writing:
            if problem := self.lost():
                raise AuditError(problem)
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield _SqliteCursor(self._writer)
                except BaseException:
                    self._rollback()
                    raise
                self._writer.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                self._rollback()
                raise Unique(str(error)) from error
            except sqlite3.Error as error:
                self._rollback()
                raise AuditError(f"cannot write to {self.name}: {error}") from error

    def _rollback(self) -> None:
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")

    def read(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]:
        with self._reading:
            try:
                rows: list[Row] = self._reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise AuditError(f"cannot read {self.name}: {error}") from error
        return rows

    def lost(self) -> str:
        """An open file that has no name any more takes every record, and none is ever found again."""
        try:
            same = _identity(self.path) == self._file
        except OSError:
            return f"the audit log {self.path} was removed while it was open; restart to begin a new one"
        return (
            ""
            if same
            else f"another file has taken the place of the audit log {self.path}; restart to use it"
        )

    def scrub(self) -> None:
        with self._writing:
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def move(self, target: Path) -> None:
        """Give the file another name and begin an empty one under its own. Raises AuditError; then all is as before."""
        with self._writing, self._reading:
            try:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self.close()
                self.path.rename(target)
            except (sqlite3.Error, OSError) as error:
                raise AuditError(f"cannot rename {self.path}: {error}") from error
            finally:
                self._writer, self._reader = self._connect(), self._connect()
                self._file = _identity(self.path)

    def close(self) -> None:
        self._writer.close()
        self._reader.close()


def _identity(path: Path) -> tuple[int, int]:
    """What tells a file from any other that ever has its name."""
    found = path.stat()
    return found.st_dev, found.st_ino
