"""Worker threads for verification: the event loop never waits for a checker.

A `Strand` does the jobs of one choice one after the other; strands take turns in the pool, so that a long answer cannot
starve the others. Jobs beyond `limit` are not taken: their sentences are marked as not checked.
"""

from __future__ import annotations

import asyncio
import functools
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

R = TypeVar("R")

# A thread that computes hands over after this time, so a chunk waits at most about so long for a checker's bytecode.
SWITCH_INTERVAL = 0.0005


class Pool:
    """`workers` threads; one for each core is right, as the work is computing. `limit`: jobs that may wait."""

    def __init__(self, workers: int = 1, *, limit: int = 2000) -> None:
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="check")
        self._limit = limit
        self.waiting = 0
        sys.setswitchinterval(SWITCH_INTERVAL)

    @property
    def full(self) -> bool:
        return self.waiting >= self._limit

    async def run(self, job: Callable[[], R]) -> R:
        """Do a job in a worker."""
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Ends the threads; jobs that did not begin are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class Strand(Generic[R]):
    """Jobs in order, one at a time; each result is handed to `done` on the event loop."""

    def __init__(
        self, pool: Pool, done: Callable[[R], Awaitable[None]], *, limit: int = 200, batch: int = 1
    ) -> None:
        """`batch`: so many jobs that are waiting go to a thread at once, where nobody waits for the first of them."""
        self._batch = batch
        self._pool = pool
        self._done = done
        self._limit = limit
        self._jobs: deque[tuple[Callable[[], R], bool]] = deque()
        self._task: asyncio.Task[None] | None = None

    @property
    def full(self) -> bool:
        """No further sentence should be given in: this choice, or all together, have too many waiting."""
        return len(self._jobs) >= self._limit or self._pool.full

    def submit(self, job: Callable[[], R], *, quick: bool = False) -> None:
        """`quick`: no work for a thread, but it must keep its place in the order."""
        self._jobs.append((job, quick))
        self._pool.waiting += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    def clear(self) -> None:
        """Forgets the jobs that did not begin."""
        self._pool.waiting -= len(self._jobs)
        self._jobs.clear()

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
            for result in await self._pool.run(functools.partial(_all, jobs)):
                await self._done(result)

    def _next(self) -> Callable[[], R]:
        self._pool.waiting -= 1
        return self._jobs.popleft()[0]


def _all(jobs: list[Callable[[], R]]) -> list[R]:
    return [job() for job in jobs]
