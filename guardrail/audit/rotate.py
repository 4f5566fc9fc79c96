"""Logs that continue one another: rotate one from outside, and tell whether two belong together.

A server that is running rotates its own log (`AuditLog.rotate`, `POST /guardrail/audit/rotate`); from outside, none may have
it open.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from guardrail.audit.events import Opened
from guardrail.audit.store import AuditLog, Query

__all__ = ["continues", "rotated"]

_EVERYTHING = Query(kind=None)


def rotated(path: Path) -> Path:
    """Close the log at `path`, with a copy of its public key; returns the closed file. Raises AuditError."""
    AuditLog.open(path, read_only=True).close()  # no new log where there was none
    with AuditLog.open(path) as log:
        closed = log.rotate()
    shutil.copyfile(f"{path}.key.pub", f"{closed}.key.pub")
    return closed


def continues(log: AuditLog, closed: AuditLog) -> bool:
    """Whether the first entry of `log` names exactly the end of `closed`."""
    first = next(iter(log.page(limit=1, before=2, query=_EVERYTHING)), None)
    head = closed.head()
    if first is None or head is None or not isinstance(first.item, Opened):
        return False
    opened = first.item
    return (opened.previous_log, opened.previous_seq, opened.previous_hash) == (
        head.log,
        head.seq,
        head.hash.hex(),
    )
