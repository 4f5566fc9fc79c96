"""Graph and corpus in PostgreSQL: the same tables, the same SQL, for what several servers share.

The tables of schema.sql are made in a schema of their own, `guardrail`, those of a corpus in `guardrail_corpus`. Text is compared byte by byte (COLLATE "C"), as
SQLite does, so that both give the same order. Needs psycopg (extra `postgres`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from urllib.parse import urlsplit

from guardrail.errors import ConfigError, KnowledgeError, KnowledgeMissing
from guardrail.evidence.store.database import GRAPH, Cursor, Layout, Parameter, Row

try:
    import psycopg
except ImportError as error:
    raise ConfigError("PostgreSQL needs psycopg: pip install 'claim-guardrail[postgres]'") from error

_WRITER = 0x47524B47  # the advisory lock of the one writer
_CONNECT_SECONDS = 10
# Every question asks for a few rows by a key: walking a whole table for them, or compiling the question, takes longer than
# the index.
_PLANS = "-c random_page_cost=1.1 -c jit=off -c plan_cache_mode="
# To plan a question of the graph takes twice as long as to answer it: it is planned once. A corpus asks with long lists, for
# which a plan for lists of any length walks the table.
_ONCE, _EACH_TIME = "force_generic_plan", "force_custom_plan"


class PostgresDatabase:
    """A graph or a corpus at a `postgresql://` address. A thread has a connection of its own."""

    def __init__(self, url: str, *, read_only: bool, layout: Layout = GRAPH) -> None:
        self._url, self.read_only, self._layout = url, read_only, layout
        parts = urlsplit(url)
        self.name = f"postgresql://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
        self._local = threading.local()
        self._all: list[psycopg.Connection[Row]] = []
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def open(cls, url: str, *, read_only: bool, layout: Layout = GRAPH) -> PostgresDatabase:
        """Raises KnowledgeMissing where the database holds none of this layout, KnowledgeError where it cannot be reached."""
        database = cls(url, read_only=read_only, layout=layout)
        try:
            if not database._is_there():
                raise KnowledgeMissing(database.name, layout.called)
            version = database.rows(f"SELECT obj_description('{layout.space}'::regnamespace)")[0][0]
            if version != str(layout.version):
                raise KnowledgeError(
                    f"{database.name}: schema version {version}, this program reads {layout.version}"
                )
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def create(cls, url: str, *, layout: Layout = GRAPH) -> PostgresDatabase:
        """The graph or corpus at `url`, made where there is none. Raises KnowledgeError."""
        database = cls(url, read_only=False, layout=layout)
        try:
            with database.transaction():
                if not database._is_there():
                    space, version = layout.space, layout.version
                    database.rows(
                        f"CREATE SCHEMA {space}; {_tables(layout)}; COMMENT ON SCHEMA {space} IS '{version}'"
                    )
        except BaseException:
            database.close()
            raise
        return database

    def _is_there(self) -> bool:
        return bool(self.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?", (self._layout.space,)))

    def rows(self, sql: str, parameters: Sequence[Parameter] = ()) -> list[Row]:
        try:  # not `_translated`: a context manager takes as long as a small query
            if not parameters:  # the simple protocol takes several statements at once
                cursor = self._connection().execute(_dialect(sql))
                return cursor.fetchall() if cursor.description else []
            cursor = self._cursor().execute(_dialect(sql), parameters)
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise self._said(error) from error

    def many(self, sql: str, rows: Iterable[Sequence[Parameter]]) -> None:
        listed = list(rows)
        if listed:
            with self._translated():
                self._cursor().executemany(_dialect(sql, always=True), listed)

    def measure(self) -> None:
        self.rows("ANALYZE")

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        if self.read_only:
            raise KnowledgeError(f"{self.name} was opened for reading only")
        with self._translated(), self._connection().transaction():
            self.rows(f"SELECT pg_advisory_xact_lock({_WRITER})")
            yield self

    def close(self) -> None:
        self._closed = True
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()

    def _cursor(self) -> psycopg.Cursor[Row]:
        """The one of this thread: to make one for each question takes as long as to send it."""
        connection = self._connection()
        found: psycopg.Cursor[Row] | None = getattr(self._local, "cursor", None)
        if found is None or found.connection is not connection:
            found = self._local.cursor = connection.cursor(binary=True)
        return found

    def _connection(self) -> psycopg.Connection[Row]:
        found: psycopg.Connection[Row] | None = getattr(self._local, "connection", None)
        if found is None or found.closed:
            if self._closed:
                raise KnowledgeError(f"{self.name} has been closed")
            planned = _ONCE if self._layout is GRAPH else _EACH_TIME
            found = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                prepare_threshold=2,
                options=f"-c search_path={self._layout.space} {_PLANS}{planned}"
                + (" -c default_transaction_read_only=on" if self.read_only else ""),
            )
            self._local.connection = found
            with self._lock:
                self._all = [c for c in self._all if not c.closed] + [found]
        return found

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise self._said(error) from error

    def _said(self, error: psycopg.Error) -> KnowledgeError:
        return KnowledgeError(f"{self.name}: {' '.join(str(error).split())}")


def _tables(layout: Layout) -> str:
    """The script of a layout in PostgreSQL's words."""
    text = re.sub(r"--[^\n]*", "", layout.statements())
    text = re.sub(r"\)\s*STRICT(, WITHOUT ROWID)?;", ");", text)
    text = re.sub(r"\bINTEGER\b", "BIGINT", text)
    text = re.sub(r"\bBLOB\b", "BYTEA", text)
    text = re.sub(r"\bREAL\b", "DOUBLE PRECISION", text)
    return re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', text).rstrip().rstrip(";")


@lru_cache(maxsize=1024)
def _dialect(sql: str, *, always: bool = False) -> bytes:
    if "?" in sql or always:
        sql = sql.replace("%", "%%")
        # `= ANY` walks the index once for each; a subquery of unknown size may be planned as a walk over the whole table.
        sql = sql.replace("IN ANY_INT(?)", "= ANY(%s::bigint[])").replace(
            "IN ANY_TEXT(?)", "= ANY(%s::text[])"
        )
        sql = sql.replace("EACH_INT(?)", "unnest(%s::bigint[]) AS value")
        sql = sql.replace("EACH_TEXT(?)", "unnest(%s::text[]) AS value").replace("?", "%s")
    return sql.encode()
