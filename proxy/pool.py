"""Worker threads for verification: the event loop never waits for a checker.

A `Strand` does the jobs of one choice one after the other; strands take turns in the pool, so that a long answer cannot
starve the others. Jobs beyond `limit` are not taken: their sentences are marked as not checked.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from guardrail.types import NotChecked

R = TypeVar("R")
log = logging.getLogger(__name__)

# A thread that computes hands over after this time, so a chunk waits at most about so long for a checker's bytecode.
SWITCH_INTERVAL = 0.0005
SHORT = 32  # jobs: a queue of so few is worth waiting for, whatever the last ones took
LATE = 0.01  # seconds that the event loop may be behind before threads give way to it
RECENT = 1.0  # seconds for which it counts that it was
_WEIGHT = 0.1  # of the last turn in the mean length of a turn


class Pool:
    """`workers` threads; one for each core is right, as the work is computing. `limit`: jobs that may wait."""

    def __init__(self, workers: int = 1, *, limit: int = 2000) -> None:
        self._workers = workers
        self._threads = self._new()
        self._limit = limit
        self._given = 0
        self._pace = 0.0
        self._worked = 0.0
        self._lag = 0.0
        self._lag_at = 0.0
        self.waiting = 0
        sys.setswitchinterval(SWITCH_INTERVAL)

    def _new(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._workers, thread_name_prefix="check")

    @property
    def full(self) -> bool:
        return self.waiting >= self._limit

    @property
    def round(self) -> float:
        """Seconds until all that was given to the threads is done, as the last turns went; 0: few jobs wait."""
        return 0.0 if self.waiting < SHORT else self._given * self._pace / self._workers

    def took(self, waited: float, worked: float, ended: float) -> None:
        """A strand's turn, in seconds; it is over since `ended` (monotonic): so much is the loop behind."""
        self._pace += _WEIGHT * (waited + worked - self._pace)
        self._worked = worked
        self._lag_at = time.monotonic()
        self._lag = self._lag_at - ended

    def give_way(self) -> None:
        """In a worker: the later the loop, the longer it waits, for both need the interpreter, and streams come first.

        It waits for a multiple of what the last turn took, as a check that costs nothing keeps nobody waiting.
        """
        if self._lag > LATE and time.monotonic() - self._lag_at < RECENT:
            time.sleep(min(self._lag, RECENT, self._worked * self._lag / LATE))

    async def run(self, job: Callable[[], R]) -> R:
        """Do a job in a worker."""
        self.waiting += 1
        self._given += 1
        try:
            while True:
                threads = self._threads
                try:
                    return await asyncio.get_running_loop().run_in_executor(threads, job)
                except asyncio.CancelledError:
                    task = asyncio.current_task()
                    if threads is self._threads or task is None or task.cancelling():
                        raise
        finally:
            self.waiting -= 1
            self._given -= 1

    def replace(self) -> None:
        """A thread does not come back: the others finish what they do, new ones take over what waits."""
        old, self._threads = self._threads, self._new()
        old.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Ends the threads; jobs that did not begin are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)


@dataclass(slots=True)
class _Turn(Generic[R]):
    """The jobs of one turn in a worker, when they began and ended (monotonic; 0: not yet), and how many seconds it waited."""

    pool: Pool
    jobs: list[Callable[[], R]]
    since: float = 0.0
    ended: float = 0.0
    waited: float = 0.0

    def __call__(self) -> list[R]:
        came = time.monotonic()
        self.pool.give_way()
        self.since = time.monotonic()
        self.waited = self.since - came
        results = [job() for job in self.jobs]
        self.ended = time.monotonic()
        return results


class Strand(Generic[R]):
    """Jobs in order, one at a time; each result is handed to `done` on the event loop.

    `batch`: so many jobs that are waiting go to a thread at once, where nobody waits for the first of them. `patience`:
    seconds that one job may run; after that, and when one raises, `lost` is told why, and the job is done again without
    a thread: what it does must not depend any more on what did not come back. `broken`: it raised even so.
    """

    def __init__(
        self,
        pool: Pool,
        done: Callable[[R], Awaitable[None]],
        *,
        lost: Callable[[NotChecked], None],
        broken: Callable[[], None] = lambda: None,
        limit: int = 200,
        batch: int = 1,
        patience: float = 60.0,
    ) -> None:
        self._pool = pool
        self._done = done
        self._lost = lost
        self._broken = broken
        self._limit = limit
        self._batch = batch
        self._patience = patience
        self._jobs: deque[tuple[Callable[[], R], bool]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._hurry: asyncio.Future[None] | None = None

    @property
    def full(self) -> bool:
        """No further sentence should be given in: this choice, or all together, have too many waiting."""
        return len(self._jobs) >= self._limit or self._pool.full

    @property
    def delay(self) -> float:
        """Seconds that a further job would wait, about: strands take turns, so it waits a round for each turn before it.

        Who has nothing waiting is let in longest, so that what does not fit is shed evenly.
        """
        if not (round_s := self._pool.round):
            return 0.0
        before = sum(not quick for _, quick in self._jobs)
        return round_s * (before // self._batch + 1)

    def submit(self, job: Callable[[], R], *, quick: bool = False) -> None:
        """`quick`: no work for a thread, but it must keep its place in the order."""
        self._jobs.append((job, quick))
        self._pool.waiting += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
            self._task.add_done_callback(self._ended)

    def clear(self) -> None:
        """Forgets the jobs that did not begin."""
        self._pool.waiting -= len(self._jobs)
        self._jobs.clear()

    def hurry(self) -> None:
        """Waits for no thread any more: `lost` is told, and what is left is done without one."""
        if self._hurry is None:
            self._hurry = asyncio.get_running_loop().create_future()
        if not self._hurry.done():
            self._hurry.set_result(None)
            if self._task is not None and not self._task.done():
                self._lost(NotChecked.DEADLINE)

    def cancel(self) -> None:
        self.clear()
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while self._jobs:
            if self._jobs[0][1]:
                await self._done(self._next()())
                continue
            jobs = [self._next()]
            while len(jobs) < self._batch and self._jobs and not self._jobs[0][1]:
                jobs.append(self._next())
            for result in await self._results(_Turn(self._pool, jobs)):
                await self._done(result)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a strand broke", exc_info=error)
            self._broken()

    async def _results(self, turn: _Turn[R]) -> list[R]:
        if self._hurry is None:
            self._hurry = asyncio.get_running_loop().create_future()
        if self._hurry.done():
            return turn()
        task = asyncio.create_task(self._pool.run(turn))
        patience = self._patience * len(turn.jobs)
        either: tuple[asyncio.Future[Any], ...] = (task, self._hurry)
        first = asyncio.FIRST_COMPLETED
        try:
            while not (await asyncio.wait(either, timeout=patience, return_when=first))[0]:
                if turn.since and time.monotonic() - turn.since > patience:
                    log.error("a check has not come back for %.0f s and is given up", patience)
                    self._pool.replace()
                    self._lost(NotChecked.DEADLINE)
                    return turn()
            if not task.done():  # it was told to hurry; the thread finishes for nobody
                task.cancel()
                return turn()
            results = task.result()
            self._pool.took(turn.waited, turn.ended - turn.since, turn.ended)
            return results
        except asyncio.CancelledError:
            task.cancel()
            raise
        except Exception:  # whatever breaks in a check, the answer goes on and says that it was not checked
            log.exception("a check broke")
            self._lost(NotChecked.ERROR)
            return turn()

    def _next(self) -> Callable[[], R]:
        self._pool.waiting -= 1
        return self._jobs.popleft()[0]
