"""Words that must go: on a person's request, after their time, or by choice. Records and hashes stay.

The words and the entry that says so change in one transaction, so that `verify` can tell an erasure from a theft.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from guardrail.audit.events import Erasure
from guardrail.audit.record import Record, now
from guardrail.audit.store import AuditLog, Query
from guardrail.errors import AuditError

__all__ = ["erase", "expired", "selected"]

LARGEST = 10_000  # entries named by one erasure


def selected(log: AuditLog, query: Query) -> Iterator[int]:
    """The numbers of the entries that match and still have words."""
    return (
        stored.seq
        for stored in log.scan(query=query)
        if isinstance(stored.item, Record) and stored.item.words
    )


def expired(log: AuditLog, *, at: datetime | None = None) -> Iterator[int]:
    """The numbers of the entries whose words are older than their policy's `retention_days`."""
    at = at or datetime.now(UTC)
    for stored in log.scan(query=Query(kind=None)):
        record = stored.item
        if not isinstance(record, Record) or not record.words or not record.retention_days:
            continue
        if datetime.fromisoformat(record.time) + timedelta(days=record.retention_days) <= at:
            yield stored.seq


def erase(log: AuditLog, entries: Iterator[int], *, reason: str, by: str) -> int:
    """Remove the words of these entries for good, on record. Returns of how many. Raises AuditError."""
    if not reason.strip() or not by.strip():
        raise AuditError("an erasure needs a reason and a name: they stand in the log for good")
    numbers = list(entries)
    for at in range(0, len(numbers), LARGEST):
        part = tuple(numbers[at : at + LARGEST])
        log.append_now(Erasure(f"era_{secrets.token_hex(8)}", now(), part, reason, by))
    if numbers:
        log.database.scrub()
    return len(numbers)
