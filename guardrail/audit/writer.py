"""The one thread that writes: whatever queued while the last commit ran becomes the next one (group commit).

There is no timer: an idle log commits a single entry at once, a busy one amortises the disk's flush over all that wait.
Nobody is told that an entry is written before the flush has returned.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from guardrail.errors import AuditError

__all__ = ["Pending", "Writer"]

LARGEST_GROUP = 512


@dataclass(frozen=True, slots=True)
class Pending:
    """An entry on its way to the disk. `columns` are those of `entries` between `seq` and `body`.

    `erase`: the entries whose words go in the same transaction.
    """

    columns: tuple[str | None, ...]
    body: bytes
    blob: bytes | None = None
    erase: tuple[int, ...] = ()
    done: Future[int] = field(default_factory=Future)


class Writer:
    """Calls `commit` with groups of entries; it returns their numbers or raises for the whole group."""

    def __init__(self, commit: Callable[[Sequence[Pending]], Sequence[int]]) -> None:
        self._commit = commit
        self._queue: queue.SimpleQueue[Pending | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="guardrail-audit", daemon=True)
        self._thread.start()

    def put(self, entry: Pending) -> Future[int]:
        """Resolves to the entry's number when it is on the disk. Raises AuditError when the log is closed."""
        with self._lock:
            if self._closed:
                raise AuditError("the audit log is closed")
            entry.done.set_running_or_notify_cancel()  # from here on it is written, whoever stops waiting
            self._queue.put(entry)
        return entry.done

    def close(self) -> None:
        """Write what is queued, then stop."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def depth(self) -> int:
        """How many entries wait."""
        return self._queue.qsize()

    def _run(self) -> None:
        stop = False
        while not stop:
            group, stop = self._group()
            if group:
                self._write(group)

    def _group(self) -> tuple[list[Pending], bool]:
        group: list[Pending] = []
        entry = self._queue.get()
        while entry is not None:
            group.append(entry)
            if len(group) == LARGEST_GROUP:
                return group, False
            try:
                entry = self._queue.get_nowait()
            except queue.Empty:
                return group, False
        return group, True

    def _write(self, group: list[Pending]) -> None:
        try:
            numbers = self._commit(group)
        except AuditError as error:
            self._fail(group, error)
        except Exception as error:  # noqa: BLE001  the thread must outlive whatever a driver raises
            self._fail(group, AuditError(f"cannot write to the audit log: {error!r}"))
        else:
            for entry, number in zip(group, numbers, strict=True):
                entry.done.set_result(number)

    def _fail(self, group: list[Pending], error: AuditError) -> None:
        if len(group) > 1 and isinstance(error, RefusedEntry):
            for entry in group:  # one of them is at fault: let the others through
                self._write([entry])
            return
        for entry in group:
            entry.done.set_exception(error)


class RefusedEntry(AuditError):
    """The log refuses this entry for what it is (its id is taken), not for the state of the disk."""
