"""Runs the jobs of one choice in order, in turns on the threads of the pool.

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
from proxy.judging.pool import Pool

R = TypeVar("R")

SLOW_S = 0.5  # seconds after which others do not wait for the thread that does a job
ASIDE_S = 5.0  # seconds for which a job is waited for that asks no checker
ASIDE_TURN_S = 0.05  # seconds for which such a thread goes on with the jobs of one strand
AT_ONCE = 16  # results that come to the loop in one step
COUNTED = 64  # waiting jobs of one strand that count as the server's load

log = logging.getLogger(__name__)


class _Job(NamedTuple, Generic[R]):
    """`quick`: it asks no checker. `kept`: it is done even where what waits is forgotten. `short`: what is done in its place
    when it does not come back; next to no work.
    """

    work: Callable[[], R]
    quick: bool
    kept: bool
    short: Callable[[], R] | None = None


class _Turn(Generic[R]):
    """What one thread does of a strand's `jobs`: one, and the next ones as long as `seconds` are not over."""

    def __init__(
        self,
        pool: Pool,
        jobs: deque[_Job[R]],
        seconds: float,
        *,
        aside: bool = False,
        only_quick: bool = False,
    ) -> None:
        self.pool = pool
        self.aside = aside  # on a thread for jobs that ask no checker …
        self._only_quick = only_quick  # … which does no others
        self._jobs = jobs
        self._seconds = seconds
        self._lock = Lock()
        self._left = False
        self._results: list[R] = []
        # Set at its end, or when nobody waits for it any more.
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waited = 0.0  # seconds for which it let the event loop go first
        self.began = self.ended = 0.0  # monotonic, like `since`
        self.since = 0.0  # when the job that runs began; 0: none has
        self.job: _Job[R] | None = None  # begun and not finished
        self.taken = 0  # jobs that were begun …
        self.quick = 0  # … and how many of them are quick
        self.thread = 0
        self.late = False  # it was given up
        self.error: Exception | None = None  # what broke

    def __call__(self) -> None:
        """In a worker."""
        came = time.monotonic()
        self.thread = threading.get_ident()
        self.pool.give_way()
        self.began = time.monotonic()
        self.waited = self.began - came
        try:
            while job := self._next():
                self._keep(job.work())
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

    def _next(self) -> _Job[R] | None:
        with self._lock:
            now = time.monotonic()
            if self._left or (self.taken and now - self.began >= self._seconds):
                return None
            with suppress(IndexError):  # the strand may forget what waits at any time
                if self._only_quick and not self._jobs[0].quick:
                    return None
                self.job = self._jobs.popleft()
                self.taken += 1
                self.quick += self.job.quick
                self.since = now
            return self.job

    def _keep(self, result: R) -> None:
        with self._lock:
            if not self._left:
                self._results.append(result)
                self.job = None


class Strand(Generic[R]):
    """Jobs in order, one at a time, on the threads of a pool.

    A job that runs too long, or raises, is done again aside: what it does must not depend any more on what did not come back.
    Where it does not come back from there either, its `short` is done. Aside are threads that no checker holds up; what is
    quick is done there, too, and the event loop does none of it.
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
        self._done = done  # gets the results of each turn, on the event loop
        self._lost = lost  # is told why a job was given up
        self._broken = broken  # is called when a job raised aside, too
        self._limit = limit  # waiting jobs from which on it is full while others wait
        self._seconds = seconds  # how long a turn may take further jobs; 0: each result is waited for
        self._patience = patience  # seconds that one job may run
        self._jobs: deque[_Job[R]] = deque()  # a turn takes from its left in a thread
        self._quick = 0  # of those that wait or that a thread has
        self._counted = 0  # so many of them the pool knows of
        self._task: asyncio.Task[None] | None = None
        self._turn: _Turn[R] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._hurried = False

    @property
    def waiting(self) -> int:
        """Jobs that are not done; what a thread has counts until its turn ends."""
        return len(self._jobs) + (self._turn.taken if self._turn is not None else 0)

    @property
    def full(self) -> bool:
        """No further sentence should be given in: all together have too many waiting, or this choice has while others wait."""
        return self._pool.full or (len(self._jobs) >= self._limit and self._pool.waiting > self._counted)

    @property
    def delay(self) -> float:
        """Seconds that a further job would wait, about: strands take turns, so it waits a round for each turn before it.

        Who has nothing waiting is let in longest, so that what does not fit is shed evenly.
        """
        if not (round_s := self._pool.round):
            return 0.0
        cost, turn = self._pool.cost, self._turn
        before = len(self._jobs) - self._quick + (turn.quick if turn is not None else 0)
        return round_s * (before // max(1, int(self._seconds / cost) if cost else 1) + 1)

    def submit(
        self,
        job: Callable[[], R],
        *,
        quick: bool = False,
        kept: bool = False,
        short: Callable[[], R] | None = None,
    ) -> None:
        """`quick`: it asks no checker, but must keep its place in the order. `kept`: `clear` leaves it. `short`: what is done
        where it takes too long without a checker, too.
        """
        self._jobs.append(_Job(job, quick, kept, short))
        self._quick += quick
        self._count()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
            self._task.add_done_callback(self._ended)

    def clear(self) -> None:
        """Forgets the jobs that did not begin, but for those to be kept."""
        kept = []
        with suppress(IndexError):  # a thread may be quicker
            while self._jobs:
                if (job := self._jobs.popleft()).kept:
                    kept.append(job)
        self._jobs.extend(kept)
        self._quick = sum(job.quick for job in kept) + (self._turn.quick if self._turn is not None else 0)
        self._count()

    def hurry(self) -> None:
        """Waits for no checker any more: `lost` is told, and what is left is done aside."""
        if self._hurried:
            return
        self._hurried = True
        if self._task is not None and not self._task.done():
            self._lost(NotChecked.DEADLINE)
        if self._turn is not None and not self._turn.aside:
            self._turn.end()

    def cancel(self) -> None:
        self._jobs.clear()
        self._count()
        if self._task is not None:
            self._task.cancel()

    def _count(self) -> None:
        """Tells the pool how many wait. Of a long answer only some count: what else of it waits is in nobody's way."""
        counted = min(self.waiting, COUNTED)
        self._pool.waiting += counted - self._counted
        self._counted = counted

    async def _work(self) -> None:
        while self._jobs:
            results = await self._results()
            for at in range(0, len(results), AT_ONCE):
                await self._done(results[at : at + AT_ONCE])
                await asyncio.sleep(0)

    async def _results(self) -> list[R]:
        """What a turn in a thread brings."""
        aside = self._hurried or self._jobs[0].quick
        pool, seconds = (self._pool.aside, ASIDE_TURN_S) if aside else (self._pool, self._seconds)
        turn = _Turn(pool, self._jobs, seconds, aside=aside, only_quick=not self._hurried and aside)
        self._turn = turn
        pool.given += 1
        pool.give(turn)
        self._wait(ASIDE_S if aside else min(SLOW_S, self._patience))
        try:
            await turn.over
        finally:
            results = turn.leave()
            self._turn = None
            self._quick -= turn.quick
            if self._late is not None:
                self._late.cancel()
            pool.given -= 1
            self._count()
        if turn.ended:
            pool.took(turn.waited, turn.ended - turn.began, turn.ended, jobs=turn.taken)
        if turn.error is not None:
            log.error("a check broke", exc_info=turn.error)
            self._lost(NotChecked.ERROR)
        job = self._unfinished(turn)
        return results if job is None else [*results, *self._once_more(job, turn)]

    def _unfinished(self, turn: _Turn[R]) -> _Job[R] | None:
        """The job that a turn did not come back from, or did not even begin in time."""
        if turn.job is not None or not turn.late or not self._jobs:
            return turn.job
        job = self._jobs.popleft()
        self._quick -= job.quick
        return job

    def _once_more(self, job: _Job[R], turn: _Turn[R]) -> list[R]:
        """A job that broke or did not come back is done aside; if it was there, it is done short."""
        if turn.aside and turn.error is not None:
            raise turn.error
        if turn.aside:
            return [(job.short or job.work)()]
        self._jobs.appendleft(job._replace(quick=True))
        self._quick += 1
        self._count()
        return []

    def _patience_of(self, turn: _Turn[R]) -> float:
        return ASIDE_S if turn.aside else self._patience

    def _wait(self, seconds: float) -> None:
        self._late = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        """Does one job run so long that others should not wait for it, or so long that it does not come back?"""
        turn = self._turn
        if turn is None or turn.over.done():
            return
        patience = self._patience_of(turn)
        ran = time.monotonic() - turn.since if turn.since else patience if turn.aside else 0.0
        if ran < patience:
            if ran >= SLOW_S and not turn.aside:
                self._pool.relieve(turn.thread)
            self._wait(min(SLOW_S, patience - ran))
            return
        log.error("a job has not come back for %.0f s and is given up", patience)
        if turn.since:
            turn.pool.replace()
        turn.late = True
        self._lost(NotChecked.DEADLINE)
        turn.end()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a strand broke", exc_info=error)
            self._broken()
