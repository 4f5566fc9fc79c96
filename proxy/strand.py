"""The jobs of one choice, one after the other, in turns of the pool's threads.

Strands take turns, so that a long answer cannot starve the others. A turn does jobs until its time is up, and its results
come to the event loop together: to wake the loop for each costs it more than to pass on the words that were checked.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from guardrail.types import NotChecked
from proxy.pool import Pool

R = TypeVar("R")

SLOW_S = 0.5  # seconds after which others do not wait for the thread that does a job

log = logging.getLogger(__name__)


class _Job(NamedTuple, Generic[R]):
    """`quick`: no work for a thread. `kept`: it is done even where what waits is forgotten."""

    work: Callable[[], R]
    quick: bool
    kept: bool


class _Turn(Generic[R]):
    """What one thread does of a strand's `jobs`: one, and the next ones as long as `seconds` are not over.

    `over` is set at its end, or when nobody waits for it any more. `since`: when the job that runs began (monotonic; 0: none
    has). `job` is what was begun and not finished, `taken` how many were begun, `error` what broke.
    """

    def __init__(self, pool: Pool, jobs: deque[_Job[R]], seconds: float) -> None:
        self._pool = pool
        self._jobs = jobs
        self._seconds = seconds
        self._lock = Lock()
        self._left = False
        self._results: list[R] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waited = 0.0
        self.since = self.began = self.ended = 0.0
        self.job: Callable[[], R] | None = None
        self.taken = 0
        self.thread = 0
        self.error: Exception | None = None

    def __call__(self) -> None:
        """In a worker."""
        came = time.monotonic()
        self.thread = threading.get_ident()
        self._pool.give_way()
        self.began = time.monotonic()
        self.waited = self.began - came
        try:
            while job := self._next():
                self._keep(job())
        except Exception as error:  # noqa: BLE001 - whatever breaks in a check, the answer goes on and says so
            self.error = error
        self.ended = time.monotonic()
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.over.get_loop().call_soon_threadsafe(self.end)

    def end(self) -> None:
        """On the event loop: it is not waited for any more."""
        if not self.over.done():
            self.over.set_result(None)

    def leave(self) -> list[R]:
        """The results so far. Whatever the thread still does comes to nobody."""
        with self._lock:
            self._left = True
            return self._results

    def _next(self) -> Callable[[], R] | None:
        with self._lock:
            now = time.monotonic()
            if self._left or (self.taken and now - self.began >= self._seconds):
                return None
            with suppress(IndexError):  # the strand may forget what waits at any time
                self.job = self._jobs.popleft().work
                self.taken += 1
                self.since = now
            return self.job

    def _keep(self, result: R) -> None:
        with self._lock:
            if not self._left:
                self._results.append(result)
                self.job = None


class Strand(Generic[R]):
    """Jobs in order, one at a time; the results of each turn are handed to `done` on the event loop.

    `seconds`: how long a turn may take further jobs; 0 where each result is waited for. `patience`: seconds that one job may
    run; after that, and when one raises, `lost` is told why, and the job is done again without a thread: what it does must
    not depend any more on what did not come back. `broken`: it raised even so.
    """

    def __init__(
        self,
        pool: Pool,
        done: Callable[[list[R]], Awaitable[None]],
        *,
        lost: Callable[[NotChecked], None],
        broken: Callable[[], None] = lambda: None,
        limit: int = 200,
        seconds: float = 0.0,
        patience: float = 60.0,
    ) -> None:
        self._pool = pool
        self._done = done
        self._lost = lost
        self._broken = broken
        self._limit = limit
        self._seconds = seconds
        self._patience = patience
        self._jobs: deque[_Job[R]] = deque()  # a turn takes from its left in a thread
        self._task: asyncio.Task[None] | None = None
        self._turn: _Turn[R] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._hurried = False

    @property
    def full(self) -> bool:
        """No further sentence should be given in: all together have too many waiting, or this choice has while others wait."""
        waiting = len(self._jobs)
        ours = waiting + (
            self._turn.taken if self._turn is not None else 0
        )  # what a thread has counts until its turn ends
        return self._pool.full or (waiting >= self._limit and self._pool.waiting > ours)

    @property
    def delay(self) -> float:
        """Seconds that a further job would wait, about: strands take turns, so it waits a round for each turn before it.

        Who has nothing waiting is let in longest, so that what does not fit is shed evenly.
        """
        if not (round_s := self._pool.round):
            return 0.0
        before = sum(not job.quick for job in self._jobs.copy())
        cost = self._pool.cost
        return round_s * (before // max(1, int(self._seconds / cost) if cost else 1) + 1)

    def submit(self, job: Callable[[], R], *, quick: bool = False, kept: bool = False) -> None:
        """`quick`: no work for a thread, but it must keep its place in the order. `kept`: `clear` leaves it."""
        self._jobs.append(_Job(job, quick, kept))
        self._pool.waiting += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
            self._task.add_done_callback(self._ended)

    def clear(self) -> None:
        """Forgets the jobs that did not begin, but for those to be kept."""
        kept = []
        while job := self._next():
            if job.kept:
                kept.append(job)
        self._jobs.extend(kept)
        self._pool.waiting += len(kept)

    def hurry(self) -> None:
        """Waits for no thread any more: `lost` is told, and what is left is done without one."""
        if self._hurried:
            return
        self._hurried = True
        if self._task is not None and not self._task.done():
            self._lost(NotChecked.DEADLINE)
        if self._turn is not None:
            self._turn.end()

    def cancel(self) -> None:
        while self._next():
            pass
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while self._jobs:
            results = self._at_once() if self._hurried or self._jobs[0].quick else await self._results()
            if results:
                await self._done(results)

    def _at_once(self) -> list[R]:
        """What needs no thread."""
        results = []
        while self._jobs and (self._hurried or self._jobs[0].quick) and (job := self._next()):
            results.append(job.work())
        return results

    async def _results(self) -> list[R]:
        """What a turn in a thread brings."""
        self._turn = turn = _Turn(self._pool, self._jobs, self._seconds)
        self._pool.given += 1
        self._pool.give(turn)
        self._wait(min(SLOW_S, self._patience))
        try:
            await turn.over
        finally:
            results = turn.leave()
            self._turn = None
            if self._late is not None:
                self._late.cancel()
            self._pool.given -= 1
            self._pool.waiting -= turn.taken
        if turn.ended:
            self._pool.took(turn.waited, turn.ended - turn.began, turn.ended, jobs=turn.taken)
        if turn.error is not None:
            log.error("a check broke", exc_info=turn.error)
            self._lost(NotChecked.ERROR)
        return results if turn.job is None else [*results, turn.job()]

    def _wait(self, seconds: float) -> None:
        self._late = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        """Does one job run so long that others should not wait for it, or so long that it does not come back?"""
        turn = self._turn
        if turn is None or turn.over.done():
            return
        ran = time.monotonic() - turn.since if turn.since else 0.0
        if ran < self._patience:
            if ran >= SLOW_S:
                self._pool.relieve(turn.thread)
            self._wait(min(SLOW_S, self._patience - ran))
            return
        log.error("a check has not come back for %.0f s and is given up", self._patience)
        self._pool.replace()
        self._lost(NotChecked.DEADLINE)
        turn.end()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a strand broke", exc_info=error)
            self._broken()

    def _next(self) -> _Job[R] | None:
        """The first that waits; a thread may be quicker."""
        with suppress(IndexError):
            job = self._jobs.popleft()
            self._pool.waiting -= 1
            return job
        return None
