"""Worker threads for verification, so that the event loop never waits for a checker.

How much waits and how long turns take is counted here, so that a `Strand` can tell what would come too late.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

R = TypeVar("R")
Work = Callable[[], None]

# A thread that computes hands over after this time, so a chunk waits at most about so long for a checker's bytecode.
SWITCH_INTERVAL = 0.0005
SHORT = 32  # jobs: a queue of so few is worth waiting for, whatever the last ones took
LATE = 0.01  # seconds that the event loop may be behind before threads give way to it
RECENT = 1.0  # seconds for which it counts that it was
LEAVE_S = 1.0  # seconds that threads have to end what they do when the pool is closed
SPARE = 8  # threads more than `workers` at most, in place of such as have something slow to do
_WEIGHT = 0.1  # of the last turn in the mean length of a turn


class Pool:
    """`workers` threads; one for each core is right, as the work is computing. `limit`: jobs that may wait.

    `waiting`: jobs that are not done yet. `given`: turns and single jobs that the threads have or that wait for one.
    """

    def __init__(self, workers: int = 1, *, limit: int = 2000) -> None:
        self._workers = workers
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._relieved: set[int] = set()
        self._lock = threading.Lock()
        self._limit = limit
        self._closed = False
        self._aside: Pool | None = None
        self._pace = 0.0
        self._worked = 0.0
        self._lag = 0.0
        self._lag_at = 0.0
        self.cost = 0.0  # seconds of a job, in the mean
        self.waiting = 0
        self.given = 0
        sys.setswitchinterval(SWITCH_INTERVAL)

    @property
    def full(self) -> bool:
        return self.waiting >= self._limit

    @property
    def round(self) -> float:
        """Seconds until all that was given to the threads is done, as the last turns went; 0: few jobs wait."""
        return 0.0 if self.waiting < SHORT else self.given * self._pace / self._workers

    @property
    def aside(self) -> Pool:
        """A thread apart, for what asks no checker and must not stand in line behind those that do."""
        if self._aside is None:
            self._aside = Pool(1)
        return self._aside

    def took(self, waited: float, worked: float, ended: float, *, jobs: int = 1) -> None:
        """A strand's turn, in seconds; it is over since `ended` (monotonic): so much is the loop behind.

        `cost` is the mean of a job.
        """
        self._pace += _WEIGHT * (waited + worked - self._pace)
        self.cost += _WEIGHT * (worked / max(jobs, 1) - self.cost)
        self._worked = worked
        self._lag_at = time.monotonic()
        self._lag = self._lag_at - ended

    def give_way(self) -> None:
        """In a worker: the later the loop, the longer it waits, for both need the interpreter, and streams come first.

        It waits for a multiple of what the last turn took, as a check that costs nothing keeps nobody waiting.
        """
        if self._lag > LATE and time.monotonic() - self._lag_at < RECENT:
            time.sleep(min(self._lag, RECENT, self._worked * self._lag / LATE))

    def give(self, work: Work) -> None:
        """Work for the next thread that is free. It must not raise, and tells by itself that it is done.

        Raises RuntimeError when the pool is closed.
        """
        if self._closed:
            raise RuntimeError("the pool is closed")
        if not self._threads:
            self._start()
        self._queue.put(work)

    async def run(self, job: Callable[[], R]) -> R:
        """Do a job in a worker. Raises what it raises."""
        future: Future[R] = Future()
        self.waiting += 1
        self.given += 1
        try:
            self.give(lambda: _do(job, future))
            return await asyncio.wrap_future(future)
        finally:
            self.waiting -= 1
            self.given -= 1

    def replace(self) -> None:
        """A thread does not come back: the others finish what they do, new ones take over what waits."""
        old, self._queue = self._queue, SimpleQueue()
        with suppress(Empty):
            while True:
                self._queue.put(old.get_nowait())
        for _ in self._threads:
            old.put(None)
        with self._lock:
            self._relieved.clear()
        self._start()

    def relieve(self, thread: int) -> None:
        """What `thread` (its identifier) does takes long: another takes its place, and it ends when that is done."""
        alive = [one for one in self._threads if one.is_alive()]
        with self._lock:
            ours = any(one.ident == thread for one in alive)
            if self._closed or not ours or thread in self._relieved or len(self._relieved) >= SPARE:
                return
            self._relieved.add(thread)
        self._threads = [*alive, self._thread(len(alive))]

    def close(self) -> None:
        """Ends the threads; what did not begin is dropped."""
        self._closed = True
        if self._aside is not None:
            self._aside.close()
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        for _ in self._threads:
            self._queue.put(None)
        ends = time.monotonic() + LEAVE_S
        for thread in self._threads:
            thread.join(max(0.0, ends - time.monotonic()))

    def _start(self) -> None:
        # Daemons: a check that does not come back must not keep the process from ending.
        self._threads = [self._thread(number) for number in range(self._workers)]

    def _thread(self, number: int) -> threading.Thread:
        thread = threading.Thread(
            target=self._serve, args=(self._queue,), name=f"check_{number}", daemon=True
        )
        thread.start()
        return thread

    def _serve(self, queue: SimpleQueue[Work | None]) -> None:
        while (work := queue.get()) is not None:
            work()
            if self._was_relieved():
                return

    def _was_relieved(self) -> bool:
        own = threading.get_ident()
        with self._lock:
            if own not in self._relieved:
                return False
            self._relieved.remove(own)
        return True


def _do(job: Callable[[], R], future: Future[R]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = job()
    except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to the one who asked, not to this thread
        future.set_exception(error)
    else:
        future.set_result(result)
