"""The one SQL database behind `graph.Graph` and behind `corpus.Corpus`, as a role, and SQLite as its default.

SQL is written once, for both backends: `?` is a parameter, `ANY_INT(?)` / `ANY_TEXT(?)` a list parameter
(`x IN ANY_INT(?)`), `EACH_INT(?)` / `EACH_TEXT(?)` one as a table with the column `value`. A reader thread has a connection of its own, so that readers never wait for each other, nor, with
SQLite's write-ahead log, for the writer.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote
from uuid import uuid4

import orjson

from guardrail.errors import KnowledgeDamaged, KnowledgeError, KnowledgeMissing

Row = tuple[Any, ...]
Parameter = str | int | float | bytes | None | Sequence[int] | Sequence[str]

_LOG_PAGES = 8_000
"""Of the write-ahead log, 64 MB: an import that moves them into the file more often writes the same pages many times."""
_LOOK_S = 0.2
"""Seconds between two looks whether the file is still the one that was opened."""
_PLAIN = (str, int, float, bytes)
_HEADER = b"SQLite format 3\x00"


def is_postgres(where: Path | str) -> bool:
    """Whether this is the address of a PostgreSQL database, not a path."""
    return str(where).startswith(("postgresql://", "postgres://"))


class Cursor(Protocol):
    """Runs statements; inside `Database.transaction` they stand or fall together."""

    def rows(self, sql: str, parameters: Sequence[Parameter] = ()) -> list[Row]: ...

    def many(self, sql: str, rows: Iterable[Sequence[Parameter]]) -> None: ...

    def measure(self) -> None:
        """Lets the database look at what it holds, after a large import: its plans depend on it."""
        ...


class Database(Cursor, Protocol):
    """What a graph needs of an SQL database."""

    name: str

    def transaction(self) -> AbstractContextManager[Cursor]:
        """The only writer; commits at the end of the block, undoes everything when it raises."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Layout:
    """What a database holds. `application`: the id in an SQLite file's header; `space`: the schema's name in PostgreSQL. `called`: what
    people call it.
    """

    script: str
    application: int
    version: int
    space: str
    meta: tuple[tuple[str, str], ...] = (("version", "0"),)
    called: str = "knowledge file"

    def statements(self) -> str:
        """Those that make it, empty, with an identity of its own."""
        tables = files("guardrail.evidence").joinpath(self.script).read_text("utf-8")
        rows = ", ".join(f"('{key}', '{value}')" for key, value in (("id", uuid4().hex[:8]), *self.meta))
        return f"{tables}\nINSERT INTO meta VALUES {rows};\n"


GRAPH = Layout("store/schema.sql", application=0x47524B47, version=1, space="guardrail")  # "GRKG"


class SqliteDatabase:
    """A knowledge file. Errors of SQLite become `KnowledgeError`s that name the file.

    Where another file takes its place, that one is read from then on: whoever reads at that moment gets an error, as the
    numbers that he holds mean nothing in it. Where it is removed, everybody does until there is one again.
    """

    def __init__(self, path: Path, *, read_only: bool, called: str = GRAPH.called) -> None:
        self.path, self.read_only, self._called = path, read_only, called
        self.name = str(path)
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._closed = False
        self._file: tuple[int, int] | None = None  # the one that is read
        self._looked = 0.0

    @classmethod
    def open(cls, path: Path, *, read_only: bool, layout: Layout = GRAPH) -> SqliteDatabase:
        """Raises KnowledgeMissing, or KnowledgeDamaged for what is no whole file of this layout."""
        _examine(path, layout.called)
        database = cls(path, read_only=read_only, called=layout.called)
        try:
            application = database.rows("PRAGMA application_id")[0][0]
            version = database.rows("PRAGMA user_version")[0][0]
            if application != layout.application:
                raise KnowledgeDamaged(path, "an SQLite file of another application", layout.called)
            if version != layout.version:
                cause = f"schema version {version}, this program reads {layout.version}"
                raise KnowledgeDamaged(path, cause, layout.called)
            database.rows("SELECT value FROM meta WHERE key = 'version'")
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def create(cls, path: Path, *, layout: Layout = GRAPH) -> SqliteDatabase:
        """Raises KnowledgeError where the file exists already or cannot be written."""
        if path.exists() and path.stat().st_size:
            raise KnowledgeError(f"{path} exists already")
        database = cls(path, read_only=False, called=layout.called)
        with database._translated():
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = database._connection()
            connection.execute("PRAGMA page_size = 8192")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(
                f"BEGIN; PRAGMA application_id = {layout.application}; PRAGMA user_version = {layout.version};"
                f"{layout.statements()} COMMIT;"
            )
        return database

    def rows(self, sql: str, parameters: Sequence[Parameter] = ()) -> list[Row]:
        try:  # not `_translated`: a context manager takes as long as a small query
            return self._connection().execute(_dialect(sql), list(map(_bound, parameters))).fetchall()
        except sqlite3.Error as error:
            raise self._said(error) from error

    def many(self, sql: str, rows: Iterable[Sequence[Parameter]]) -> None:
        with self._translated():
            self._connection().executemany(sql, rows)

    def measure(self) -> None:
        """Every question goes by a key: SQLite need not know more."""

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        if self.read_only:
            raise KnowledgeError(f"{self.path} was opened for reading only")
        with self._writing:
            self.rows("BEGIN IMMEDIATE")
            try:
                yield self
                self.rows("COMMIT")
            except BaseException:
                # After "disk full" SQLite may have rolled back by itself.
                with suppress(KnowledgeError):
                    self.rows("ROLLBACK")
                raise

    def checkpoint(self) -> None:
        """Moves the write-ahead log into the file, as far as readers let it."""
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self._closed = True
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()

    def _connection(self) -> sqlite3.Connection:
        self._look()
        found: tuple[sqlite3.Connection, tuple[int, int] | None] | None = getattr(self._local, "open", None)
        if found is None:
            if self._closed:
                raise KnowledgeError(f"{self.path} has been closed")
            connection = self._connect()
            self._file = self._file or _identity(self.path)
            self._local.open = connection, self._file
            with self._lock:
                self._all.append(connection)
            return connection
        connection, file = found
        if file != self._file:
            del self._local.open
            with self._lock, suppress(ValueError):
                self._all.remove(connection)
            connection.close()
            raise KnowledgeError(f"another file has taken the place of {self.path} while it was read")
        return connection

    def _look(self) -> None:
        """Now and then, whether the file is still there and the same. Raises KnowledgeError."""
        now = time.monotonic()
        if self._file is None or now - self._looked < _LOOK_S:
            return
        try:
            file = _identity(self.path)
        except OSError as error:
            raise KnowledgeMissing(self.path, self._called) from error
        if file != self._file:
            _examine(self.path, self._called)
            self._file = file
        self._looked = now

    def _connect(self) -> sqlite3.Connection:
        mode = "ro" if self.read_only else "rwc"
        uri = f"file:{quote(str(self.path.absolute()))}?mode={mode}"
        if self.read_only and not os.access(self.path.parent, os.W_OK) and not _has_log(self.path):
            uri += "&immutable=1"  # a log's index cannot be made in a directory that may not be written
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False, timeout=30, cached_statements=256
        )
        connection.execute("PRAGMA mmap_size = 1073741824")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        connection.execute(f"PRAGMA cache_size = {-16_000 if self.read_only else -256_000}")
        connection.execute("PRAGMA temp_store = MEMORY")
        return connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._said(error) from error
        except OSError as error:
            raise KnowledgeError(f"{self.path}: {error.strerror}") from error

    def _said(self, error: sqlite3.Error) -> KnowledgeError:
        if "malformed" in str(error) or "not a database" in str(error):
            return KnowledgeDamaged(self.path, str(error), self._called)
        return KnowledgeError(f"{self.path}: {error}")


def _identity(path: Path) -> tuple[int, int]:
    """What tells a file from any other that ever has its name."""
    found = path.stat()
    return found.st_dev, found.st_ino


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _examine(path: Path, called: str) -> None:
    """Looks at the header before SQLite does: its own words for a cut file are no help to a user."""
    if not path.exists():
        raise KnowledgeMissing(path, called)
    if path.is_dir():
        raise KnowledgeDamaged(path, "it is a directory", called)
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise KnowledgeError(f"{path}: {error.strerror}") from error
    if not header.startswith(_HEADER):
        raise KnowledgeDamaged(path, "empty" if not header else "not an SQLite file", called)
    page = int.from_bytes(header[16:18], "big") if len(header) == 100 else 0
    pages = int.from_bytes(header[28:32], "big")
    if not page or path.stat().st_size < pages * (page if page > 1 else 65536):
        raise KnowledgeDamaged(path, "cut off before its end", called)


@lru_cache(maxsize=1024)
def _dialect(sql: str) -> str:
    for list_parameter in ("ANY_INT(?)", "ANY_TEXT(?)"):
        sql = sql.replace(list_parameter, "(SELECT value FROM json_each(?))")
    return sql.replace("EACH_TEXT(?)", "json_each(?)").replace("EACH_INT(?)", "json_each(?)")


def _bound(value: Parameter) -> str | int | float | bytes | None:
    if value is None or isinstance(value, _PLAIN):  # not `str | int`: a union is built anew each time
        return value
    return orjson.dumps(value).decode()
