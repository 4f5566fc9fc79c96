"""Who does the parts of a batch: processes of this machine here, a Ray cluster in `batch_ray`; both run the same `Worker`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from guardrail.cli.batch_rows import Part
from guardrail.cli.batch_work import Done, Tick
from guardrail.errors import ConfigError

__all__ = ["Make", "Slot", "Told", "Works", "local", "spread"]

LOOK_S = 0.5  # between two looks at how many rows are done
MOST_DEATHS = 5  # of processes at one part


class Works(Protocol):
    """As `batch_work.Worker`."""

    def do(self, part: Part, deaths: int = 0) -> Done: ...


Make = Callable[[Tick], Works]  # called once in each process
Told = Callable[[int], None]
_worker: Works | None = None


class Slot(ABC):
    """The place of one process, whoever takes it. `rows`: how many were done in it so far."""

    rows: int
    _part: Part
    _deaths: int

    def begin(self, part: Part) -> Future[Done]:
        self._part, self._deaths = part, 0
        return self.submit(part, 0)

    def again(self) -> Future[Done]:
        """The same part in a new process. Raises ConfigError where one after the other dies."""
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise ConfigError(
                f"{self._deaths} processes in a row died at {self._part.source}, rows from "
                f"{self._part.first}: is there enough memory for so many workers? The same command continues"
            )
        self.replace()
        return self.submit(self._part, self._deaths)

    @abstractmethod
    def submit(self, part: Part, deaths: int) -> Future[Done]: ...

    @abstractmethod
    def died(self, future: Future[Done]) -> bool:
        """Whether the process did, and not the part."""

    @abstractmethod
    def replace(self) -> None:
        """A new process instead of one that died."""

    @abstractmethod
    def end(self) -> None:
        """At once: what is done of its part is in the journal."""


def local(parts: Sequence[Part], make: Make, *, workers: int, told: Told) -> Iterator[Done]:
    """Does `parts` in `workers` processes of this machine. As `spread`."""
    return spread(parts, [_Process(make) for _ in range(min(workers, len(parts)))], told)


def spread(parts: Sequence[Part], slots: Sequence[Slot], told: Told) -> Iterator[Done]:
    """Does `parts` in no order. `told` gets the number of rows done so far, now and then.

    A process that dies is replaced, and its part begins again behind the last row that was done. Raises what a worker
    raises.
    """
    left = list(reversed(parts))
    try:
        doing = {slot.begin(left.pop()): slot for slot in slots}
        while doing:
            finished, _ = wait(doing, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            told(sum(slot.rows for slot in slots))
            for future in finished:
                slot = doing.pop(future)
                if slot.died(future):
                    doing[slot.again()] = slot
                    continue
                yield future.result()
                if left:
                    doing[slot.begin(left.pop())] = slot
    finally:
        for slot in slots:
            slot.end()


class _Process(Slot):
    """A process pool of one, so that it is known of which part a process died."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._context = multiprocessing.get_context("spawn")
        self._rows = self._context.RawValue(
            "q", 0
        )  # one writer at a time: no lock that a process could die with
        self._pool = self._started()

    @property
    def rows(self) -> int:  # type: ignore[override]
        return int(self._rows.value)

    def submit(self, part: Part, deaths: int) -> Future[Done]:
        return self._pool.submit(_do, part, deaths)

    def died(self, future: Future[Done]) -> bool:
        return isinstance(future.exception(), BrokenProcessPool)

    def replace(self) -> None:
        self._pool.shutdown()
        self._pool = self._started()

    def end(self) -> None:
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, _begin, (self._make, self._rows))


def _begin(make: Make, rows: Any) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the process that leads
    threading.Thread(target=_follow, daemon=True).start()

    def tick() -> None:
        rows.value += 1

    _worker = make(tick)


def _follow() -> None:
    """Ends this process when the one that leads is gone, however it went."""
    if (leader := multiprocessing.parent_process()) is not None:
        leader.join()
        os._exit(1)


def _do(part: Part, deaths: int) -> Done:
    assert _worker is not None
    return _worker.do(part, deaths)
