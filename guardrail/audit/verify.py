"""Proof that a log is as it was written: every entry, every word that is kept, and where it ends.

Found are: an edit of an entry, a column or words; a deletion, a swap, an insertion; words removed without an erasure on
record; a log that was cut short or put back to an earlier state (the latter with checkpoints kept elsewhere).
The log may grow meanwhile: it is walked until its signed end is reached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import orjson

from guardrail.audit.chain import Head, link, origin
from guardrail.audit.database import Row
from guardrail.audit.store import CHECKPOINT_EVERY, AuditLog, raw

__all__ = ["Finding", "Verification", "verify"]

PAGE = 500
_COLUMNS = (
    "kind",
    "id",
    "time",
    "model",
    "policy",
    "action",
    "outcome",
    "key_id",
    "tenant",
    "user_hash",
    "subject",
)
_FIELDS = {
    "key_id": "key",
    "user_hash": "user",
    "subject": "response",
}  # columns that are called otherwise in the body
_SELECT = (
    f"SELECT entries.seq, {', '.join(_COLUMNS)}, body, hash, words.blob"
    " FROM entries LEFT JOIN words ON words.seq = entries.seq WHERE entries.seq > ? ORDER BY entries.seq LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and at which entry (None: of the log as a whole)."""

    seq: int | None
    message: str


@dataclass(slots=True)
class Verification:
    """What was looked at and what was found. `ok` only when nothing is wrong."""

    log: str
    entries: int = 0
    erased: int = 0
    checkpoints: int = 0
    head: Head | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.findings


def verify(log: AuditLog, public_key: bytes, *, anchors: Sequence[Head] = ()) -> Verification:
    """Walk the whole log. `anchors`: checkpoints that were kept elsewhere. Raises AuditError when it cannot be read."""
    walk = _Walk(log, public_key, [*log.heads(), *anchors])
    walk.run()
    return walk.result


class _Walk:
    def __init__(self, log: AuditLog, public_key: bytes, pins: Sequence[Head]) -> None:
        self._log, self._key = log, public_key
        self._pins: dict[int, list[Head]] = {}
        self._missing: set[int] = set()  # entries whose words are gone
        self._erased: set[int] = set()  # entries whose words were erased on record
        self._seq, self._hash = 0, origin(log.log)
        self.result = Verification(log.log)
        for pin in pins:
            self._pins.setdefault(pin.seq, []).append(pin)
            self._check_signature(pin)

    def run(self) -> None:
        head = self._log.head()
        while True:
            for row in self._rows():
                self._entry(row)
            head = self._log.head()
            if head is None or head.seq <= self._seq:
                break
            if not self._log.database.read("SELECT seq FROM entries WHERE seq > ? LIMIT 1", [self._seq]):
                break  # the head speaks of entries that are not there
        self._end(head)
        self._words()

    def _rows(self) -> Iterator[Row]:
        while rows := self._log.database.read(_SELECT, [self._seq, PAGE]):
            yield from rows

    def _entry(self, row: Row) -> None:
        seq = cast(int, row[0])
        body, digest, blob = (raw(cell) for cell in row[-3:])
        if seq != self._seq + 1:
            gone = (
                f"entry {self._seq + 1}" if seq == self._seq + 2 else f"entries {self._seq + 1} to {seq - 1}"
            )
            self._found(seq, f"{gone} missing")
        if link(self._hash, seq, body) != digest:
            self._found(seq, "the entry, its place or the one before it was altered")
        self._columns(seq, row[1:-3], body, blob)
        for pin in self._pins.pop(seq, ()):
            if pin.hash != digest:
                self._found(seq, f"the log differs from the checkpoint of {pin.time}")
        self._seq, self._hash = seq, digest
        self.result.entries += 1

    def _columns(self, seq: int, columns: Row, body: bytes, blob: bytes) -> None:
        given = _read(body)
        if given is None:
            self._found(seq, "the entry is not readable")
            return
        for name, value in zip(_COLUMNS, columns, strict=True):
            if value != _expected(given, name):
                self._found(seq, f"the column `{name}` was altered")
        if given.get("kind") == "erasure":
            self._erased.update(cast(list[int], given.get("entries", [])))
        commitment = given.get("commitment")
        if commitment and not blob:
            self._missing.add(seq)
        elif blob and hashlib.sha256(blob).hexdigest() != commitment:
            self._found(seq, "the words were altered")

    def _end(self, head: Head | None) -> None:
        self.result.head = head
        live = self._log.heads(live=True)
        if head is None or len(live) != 1:
            self._found(None, f"{len(live)} signed ends where there must be one")
            return
        self._check_signature(head)
        if head.seq > self._seq:
            self._found(None, f"cut short: entries {self._seq + 1} to {head.seq} missing")
        elif head.seq < self._seq:
            self._found(None, f"entries {head.seq + 1} to {self._seq} were added behind the signed end")
        elif head.hash != self._hash:
            self._found(None, "the signed end is not that of these entries")
        for seq, pins in self._pins.items():
            if seq or pins[0].hash != origin(self._log.log):
                self._found(seq, f"the entry of the checkpoint of {pins[0].time} is missing")
        self.result.checkpoints = len(self._log.heads())
        if self.result.checkpoints < head.seq // CHECKPOINT_EVERY:
            self._found(None, f"{head.seq // CHECKPOINT_EVERY - self.result.checkpoints} checkpoints missing")

    def _words(self) -> None:
        for seq in sorted(self._missing - self._erased):
            self._found(seq, "the words are gone without an erasure on record")
        self.result.erased = len(self._missing & self._erased)
        orphans = "SELECT seq FROM words WHERE seq NOT IN (SELECT seq FROM entries) ORDER BY seq LIMIT 10"
        for (orphan,) in self._log.database.read(orphans):
            self._found(cast(int, orphan), "words without an entry")

    def _check_signature(self, head: Head) -> None:
        if head.log != self._log.log:
            self._found(None, f"the checkpoint of {head.time} is of another log ({head.log})")
        elif not head.signed_by(self._key):
            self._found(head.seq, f"the signature of {head.time} is not valid for this key")

    def _found(self, seq: int | None, message: str) -> None:
        self.result.findings.append(Finding(seq, message))


def _read(body: bytes) -> dict[str, object] | None:
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return given if isinstance(given, dict) else None


def _expected(given: dict[str, object], column: str) -> object:
    """What a column must hold, by the entry's body."""
    if given.get("kind") == "review" and column == "subject":
        return given.get("record")
    return given.get(_FIELDS.get(column, column))
