"""`AuditLog`: append records so that they are on the disk before anybody goes on, and read them again.

Every entry is linked to the one before and the head is signed in the same transaction (`guardrail.audit.chain`), so a
log that was killed at any point verifies up to its last durable entry.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import orjson

from guardrail.audit.chain import Head, Signer, link, origin
from guardrail.audit.database import TABLES, Cell, Cursor, Database, Row, Sqlite, Unique
from guardrail.audit.events import Erasure, Event, Opened, Review, read_event
from guardrail.audit.record import Record, now
from guardrail.audit.writer import Pending, RefusedEntry, Writer
from guardrail.config import home
from guardrail.errors import AuditError

__all__ = ["RECORDS", "AuditLog", "Query", "Stored", "raw"]

CHECKPOINT_EVERY = 1000  # entries between two signed heads that are kept for good
PAGE = 500
LONG = 200  # claims of a record whose bytes are made beside the event loop: some milliseconds
PATIENCE_S = 10.0  # a disk or database that takes longer is as good as gone


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as it lies in the log: its number, its link in the chain, and what it is."""

    seq: int
    hash: bytes
    item: Record | Event


@dataclass(frozen=True, slots=True)
class Query:
    """Which entries are wanted; None does not restrict. Times are ISO 8601 in UTC: `since <= time < until`.

    `kind`: "answer", "part", the kind of an event, or several of them.
    """

    kind: str | tuple[str, ...] | None = "answer"
    model: str | None = None
    policy: str | None = None
    action: str | None = None
    outcome: str | None = None
    key_id: str | None = None
    tenant: str | None = None
    user_hash: str | None = None
    subject: str | None = None
    since: str | None = None
    until: str | None = None

    def where(self) -> tuple[list[str], list[Cell]]:
        """SQL conditions and their values."""
        equal = {name: getattr(self, name) for name in _FILTERS}
        clauses = [f"{name} = ?" for name, value in equal.items() if value is not None]
        values: list[Cell] = [value for value in equal.values() if value is not None]
        if self.kind is not None:
            kinds = (self.kind,) if isinstance(self.kind, str) else self.kind
            clauses.append(f"kind IN ({', '.join('?' * len(kinds))})")
            values += kinds
        if self.since is not None:
            clauses.append("time >= ?")
            values.append(self.since)
        if self.until is not None:
            clauses.append("time < ?")
            values.append(self.until)
        return clauses, values


_FILTERS = ("model", "policy", "action", "outcome", "key_id", "tenant", "user_hash", "subject")


RECORDS = ("answer", "part")  # the kinds of entries that are records


class AuditLog:
    """Thread-safe. `open` it once per process; several processes may share one log."""

    def __init__(self, database: Database, signer: Signer | None, *, patience_s: float = PATIENCE_S) -> None:
        self.database = database
        self._patience_s = patience_s
        self._signer = signer
        self.log = self._identity()
        self._writer = Writer(self._commit) if signer else None
        self.trouble = ""  # why the last commit failed; empty when it did not

    @classmethod
    def open(
        cls,
        source: Path | str,
        *,
        key: Path | None = None,
        read_only: bool = False,
        patience_s: float = PATIENCE_S,
    ) -> AuditLog:
        """The log in a file, or at a `postgresql://` URL. `key`: the signing key's file (default: the log's name + .key; for a
        database `audit.key` in the state directory).

        Raises AuditError when the log or its key cannot be used.
        """
        text = str(source)
        if text.startswith(("postgresql://", "postgres://")):
            from guardrail.audit.postgres import Postgres  # only with the extra `postgres`

            database: Database = Postgres(text)
            key = key or home() / "audit.key"
        else:
            database = Sqlite(Path(source), create=not read_only)
            key = key or Path(text + ".key")
        try:
            return cls(database, None if read_only else Signer.open(key), patience_s=patience_s)
        except AuditError:
            database.close()
            raise

    async def append(self, record: Record | Event) -> int:
        """The record's number, once it is on the disk. Cancelling does not unwrite it.

        Raises AuditError when it is not, or not in time; it may then still be written later, which is one record too many and
        never one too few.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[int] = loop.create_future()
        if isinstance(record, Record) and len(record.claims) + len(record.unchecked) > LONG:
            await asyncio.to_thread(self._put, record, waiting)
        else:
            self._put(record, waiting)
        late = loop.call_later(self._patience_s, self._give_up, waiting)
        try:
            return await waiting
        finally:
            late.cancel()

    def _give_up(self, waiting: asyncio.Future[int]) -> None:
        if not waiting.done():
            self.trouble = f"{self.database.name} did not write within {self._patience_s:g} s"
            waiting.set_exception(AuditError(self.trouble))

    def pseudonym(self, user: str) -> str:
        """What stands in records for a request's user: nobody finds out who it is by trying names without the log's key.

        Raises AuditError where the log is open for reading only.
        """
        if self._signer is None:
            raise AuditError(f"the audit log {self.database.name} is open for reading only")
        return self._signer.pseudonym(user)

    def append_now(self, record: Record | Event) -> int:
        """As `append`, for synchronous callers."""
        return self.submit(record).result()

    def submit(self, record: Record | Event) -> Future[int]:
        """As `append`, for callers that wait later, or for several at once."""
        waiting: Future[int] = Future()
        self._put(record, waiting)
        return waiting

    def _put(self, record: Record | Event, waiting: Future[int] | asyncio.Future[int]) -> None:
        if self._writer is None:
            raise AuditError(f"the audit log {self.database.name} is open for reading only")
        self._writer.put(_pending(record, waiting))

    def get(self, record_id: str) -> Record | None:
        """The record of this id, None when there is none."""
        found = self.entry(record_id)
        return found.item if found and isinstance(found.item, Record) else None

    def entry(self, entry_id: str) -> Stored | None:
        """The entry of this id, whatever it is; None when there is none."""
        rows = self._select(["entries.id = ?"], [entry_id], "", 1)
        return _stored(rows[0]) if rows else None

    def list(self, *, limit: int = 50, before: int | None = None, query: Query = Query()) -> Sequence[Record]:
        """The newest records first."""
        return [
            s.item for s in self.page(limit=limit, before=before, query=query) if isinstance(s.item, Record)
        ]

    def page(self, *, limit: int = 50, before: int | None = None, query: Query = Query()) -> Sequence[Stored]:
        """The newest entries first, those numbered below `before`."""
        clauses, values = query.where()
        if before is not None:
            clauses.append("entries.seq < ?")
            values.append(before)
        return [_stored(row) for row in self._select(clauses, values, "DESC", limit)]

    def scan(self, *, query: Query = Query(), after: int = 0, words: bool = True) -> Iterator[Stored]:
        """All entries, oldest first, page by page: memory stays flat however long the log is.

        Without `words` records come as if erased, which is faster.
        """
        clauses, values = query.where()
        select = _SELECT if words else _SELECT_WORDLESS
        while True:
            rows = self._select([*clauses, "entries.seq > ?"], [*values, after], "", PAGE, select=select)
            yield from (_stored(row) for row in rows)
            if len(rows) < PAGE:
                return
            after = cast(int, rows[-1][0])

    def reviews(self, record_id: str) -> Sequence[Review]:
        """What reviewers said about a record, oldest first."""
        found = self.scan(query=Query(kind="review", subject=record_id))
        return [stored.item for stored in found if isinstance(stored.item, Review)]

    def head(self) -> Head | None:
        """The signed end of the chain; None where somebody removed it."""
        heads = self.heads(live=True)
        return heads[0] if heads else None

    def heads(self, *, live: bool = False) -> Sequence[Head]:
        """The signed checkpoints, oldest first, or only the live end of the chain."""
        rows = self.database.read(
            "SELECT seq, hash, time, signature, key FROM heads WHERE live = ? ORDER BY seq", [int(live)]
        )
        return [_head(self.log, row) for row in rows]

    def rotate(self) -> Path:
        """Close the log's file under a name of its own and go on in a new one; appends wait meanwhile, none is lost.

        The new log's first entry names the old one's end, so that the files in their order are one proof. SQLite only: a
        database has partitions and dumps. Returns the closed file. Raises AuditError.
        """
        if self._writer is None or not isinstance(self.database, Sqlite):
            raise AuditError(f"{self.database.name} cannot be rotated")
        with self._writer.turn:
            head = self.head()
            if head is None or head.seq == 0:
                raise AuditError(f"{self.database.name} is empty: there is nothing to rotate")
            path = self.database.path
            closed = path.with_name(f"{path.stem}-{head.time[:10]}-{head.log[:8]}{path.suffix}")
            if closed.exists():
                raise AuditError(f"{closed} is already there")
            self.database.move(closed)
            self.log = self._identity()
            opened = Opened(
                f"opn_{secrets.token_hex(8)}", now(), self.log, head.log, head.seq, head.hash.hex()
            )
            self._commit([_pending(opened, Future())])
        return closed

    def depth(self) -> int:
        """How many entries wait to be written."""
        return self._writer.depth() if self._writer else 0

    def close(self) -> None:
        """Write what is queued, then let go of the database."""
        if self._writer:
            self._writer.close()
        self.database.close()

    def _commit(self, group: Sequence[Pending]) -> Sequence[int]:
        """Link, insert and seal a group in one transaction."""
        try:
            with self._reported(), self.database.write() as cursor:
                seq, digest = _tip(cursor, self.database.lock)
                first, entries, words, erased = seq + 1, [], [], []
                for entry in group:
                    seq += 1
                    digest = link(digest, seq, entry.body)
                    entries.append((seq, *entry.columns, entry.body, digest))
                    if entry.blob is not None:
                        words.append((seq, entry.blob))
                    erased += [(gone,) for gone in entry.erase]
                cursor.many(_INSERT_ENTRY, entries)
                cursor.many("INSERT INTO words VALUES (?, ?)", words)
                cursor.many("DELETE FROM words WHERE seq = ?", erased)
                self._seal(cursor, first, seq, digest)
        except Unique as error:
            raise RefusedEntry(f"an entry of this id is already in the audit log: {error}") from error
        return range(first, seq + 1)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Keeps the reason of a failure for those who ask how the log is."""
        try:
            yield
        except AuditError as error:
            self.trouble = str(error)
            raise
        self.trouble = ""

    def _seal(self, cursor: Cursor, first: int, seq: int, digest: bytes) -> None:
        if self._signer is None:
            raise AuditError("no signing key")
        head = self._signer.seal(self.log, seq, digest, now())
        values = (seq, digest, head.time, head.signature, head.key)
        cursor.execute(
            "UPDATE heads SET seq = ?, hash = ?, time = ?, signature = ?, key = ? WHERE live = 1", values
        )
        if seq // CHECKPOINT_EVERY > (first - 1) // CHECKPOINT_EVERY:
            cursor.execute("INSERT INTO heads VALUES (?, ?, ?, ?, ?, 0)", values)

    def _identity(self) -> str:
        """The log's id; a new database is given one, and a signed head that says it is empty."""
        if self._signer is None:
            rows = self.database.read("SELECT value FROM meta WHERE key = 'log'")
            if not rows:
                raise AuditError(f"{self.database.name} is not an audit log")
            return str(rows[0][0])
        with self.database.write() as cursor:
            for statement in TABLES:
                cursor.execute(statement)
            rows = cursor.execute("SELECT value FROM meta WHERE key = 'log'")
            if not rows:
                log = secrets.token_hex(16)
                cursor.execute("INSERT INTO meta VALUES ('log', ?)", [log])
                head = self._signer.seal(log, 0, origin(log), now())
                values = (0, head.hash, head.time, head.signature, head.key, 1)
                cursor.execute("INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?)", values)
                return log
            (key,) = cursor.execute("SELECT key FROM heads WHERE live = 1")[0]
            if key != self._signer.public:
                raise AuditError(f"{self.database.name} was signed with another key than the one given")
            return str(rows[0][0])

    def _select(
        self, clauses: Sequence[str], values: Sequence[Cell], order: str, limit: int, *, select: str = ""
    ) -> Sequence[Row]:
        where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
        order_by = f"ORDER BY entries.seq {order} LIMIT ?"
        return self.database.read(f"{select or _SELECT} {where} {order_by}", [*values, limit])

    def __enter__(self) -> AuditLog:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


_SELECT = (
    "SELECT entries.seq, entries.kind, entries.body, entries.hash, words.blob"
    " FROM entries LEFT JOIN words ON words.seq = entries.seq"
)
_SELECT_WORDLESS = "SELECT seq, kind, body, hash, NULL FROM entries"
_INSERT_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def _pending(item: Record | Event, done: Future[int] | asyncio.Future[int]) -> Pending:
    try:
        if isinstance(item, Record):
            columns = (item.kind, item.id, item.time, item.model, item.policy, item.action, item.outcome)
            blob = item.words.blob() if item.words else None
            return Pending(
                (*columns, item.key, item.tenant, item.user, item.response), item.body(blob), blob, done=done
            )
        subject = item.record if isinstance(item, Review) else None
        body = orjson.dumps(item, option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONEncodeError, TypeError) as error:  # a lone surrogate, a value of another type
        raise AuditError(f"record {item.id} cannot be written down: {error}") from error
    erase = item.entries if isinstance(item, Erasure) else ()
    return Pending((item.kind, item.id, item.time, *[None] * 7, subject), body, erase=erase, done=done)


def _stored(row: Row) -> Stored:
    seq, kind, body, digest, blob = cast(tuple[int, str, bytes, bytes, bytes | None], row)
    try:
        item = Record.read(body, blob) if kind in ("answer", "part") else read_event(body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AuditError(f"entry {seq} is damaged: run `guardrail audit verify` ({error!r})") from error
    return Stored(seq, digest, item)


def _tip(cursor: Cursor, lock: str) -> tuple[int, bytes]:
    rows = cursor.execute(f"SELECT seq, hash FROM heads WHERE live = 1{lock}")
    seq, digest = cast(tuple[int, bytes], rows[0])
    return seq, digest


def _head(log: str, row: Row) -> Head:
    seq, digest, time, signature, key = row
    return Head(log, cast(int, seq), raw(digest), str(time), raw(signature), raw(key))


def raw(cell: Cell) -> bytes:
    """The bytes of a cell. What is none was put there by somebody else, and hashes to something else."""
    return cell if isinstance(cell, bytes) else b"" if cell is None else b"\x00not bytes"
