"""One file after the other: a log that has grown is closed under a name of its own, and a new one continues it.

The new log's first entry names the old one's end, so that the files in their order are one proof. Servers open a log for
good: rotate while none has it open (SQLite only; a database has partitions and dumps of its own).
"""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from guardrail.audit.events import Opened
from guardrail.audit.record import now
from guardrail.audit.store import AuditLog, Query
from guardrail.errors import AuditError

__all__ = ["continues", "rotated"]

_EVERYTHING = Query(kind=None)


def rotated(path: Path) -> Path:
    """Close the log at `path`; returns the closed file. Raises AuditError."""
    with AuditLog.open(path, read_only=True) as log:
        head = log.head()
        log.database.scrub()
    if head is None or head.seq == 0:
        raise AuditError(f"{path} is empty: there is nothing to rotate")
    closed = path.with_name(f"{path.stem}-{head.time[:10]}-{head.log[:8]}{path.suffix}")
    if closed.exists():
        raise AuditError(f"{closed} is already there")
    try:
        path.rename(closed)
        shutil.copyfile(f"{path}.key.pub", f"{closed}.key.pub")
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    except OSError as error:
        raise AuditError(f"cannot rename {path}: {error}") from error
    with AuditLog.open(path) as log:
        opened = Opened(f"opn_{secrets.token_hex(8)}", now(), log.log, head.log, head.seq, head.hash.hex())
        log.append_now(opened)
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
