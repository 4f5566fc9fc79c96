"""The one thread that writes: whatever queued while the last commit ran becomes the next one (group commit).

There is no timer: an idle log commits a single entry at once, a busy one amortises the disk's flush over all that wait.
Nobody is told that an entry is written before the flush has returned.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from guardrail.errors import AuditError

__all__ = ["Pending", "Writer"]

LARGEST_GROUP = 512


@dataclass(frozen=True, slots=True)
class Pending:
    """An entry on its way to the disk. `columns` are those of `entries` between `seq` and `body`.

    `erase`: the entries whose words go in the same transaction. `done` resolves to the entry's number: a thread's future, or
    one of an event loop.
    """

    columns: tuple[str | None, ...]
    body: bytes
    blob: bytes | None = None
    erase: tuple[int, ...] = ()
    done: Future[int] | asyncio.Future[int] = field(default_factory=Future)


class Writer:
    """Calls `commit` with groups of entries; it returns their numbers or raises for the whole group."""

    def __init__(self, commit: Callable[[Sequence[Pending]], Sequence[int]]) -> None:
        self._commit = commit
        self._queue: queue.SimpleQueue[Pending | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self.turn = (
            threading.Lock()
        )  # held while a group is written; who takes it meanwhile has the log alone
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="guardrail-audit", daemon=True)
        self._thread.start()

    def put(self, entry: Pending) -> None:
        """Take an entry; it is written, whoever stops waiting for it. Raises AuditError when the log is closed."""
        with self._lock:
            if self._closed:
                raise AuditError("the audit log is closed")
            if isinstance(entry.done, Future):
                entry.done.set_running_or_notify_cancel()
            self._queue.put(entry)

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
            with self.turn:
                numbers = self._commit(group)
        except AuditError as error:
            self._fail(group, error)
        except Exception as error:  # noqa: BLE001  the thread must outlive whatever a driver raises
            self._fail(group, AuditError(f"cannot write to the audit log: {error!r}"))
        else:
            _tell(zip(group, numbers, strict=True))

    def _fail(self, group: list[Pending], error: AuditError) -> None:
        if len(group) > 1 and isinstance(error, RefusedEntry):
            for entry in group:  # one of them is at fault: let the others through
                self._write([entry])
            return
        _tell((entry, error) for entry in group)


def _tell(results: Iterable[tuple[Pending, int | AuditError]]) -> None:
    """Wake everybody who waits; an event loop is woken once for all of its tasks."""
    loops: dict[
        asyncio.AbstractEventLoop, list[tuple[Future[int] | asyncio.Future[int], int | AuditError]]
    ] = {}
    for entry, result in results:
        if isinstance(entry.done, asyncio.Future):
            loops.setdefault(entry.done.get_loop(), []).append((entry.done, result))
        else:
            _settle([(entry.done, result)])
    for loop, told in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, told)


def _settle(told: Iterable[tuple[Future[int] | asyncio.Future[int], int | AuditError]]) -> None:
    for future, result in told:
        if future.done():  # its task was cancelled
            continue
        if isinstance(result, AuditError):
            future.set_exception(result)
        else:
            future.set_result(result)


class RefusedEntry(AuditError):
    """The log refuses this entry for what it is (its id is taken), not for the state of the disk."""
