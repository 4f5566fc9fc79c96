"""Batches requests of many threads without a timer: a batch is what queued while the last one ran.

Idle, a request runs at once and alone; under load, batches grow by themselves up to a budget of tokens. A caller who gave
up is dropped before its work is done. As in text-embeddings-inference, core/src/queue.rs.

`buckets` divides what is to be padded to one length.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Batcher", "buckets"]

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Item, Result]):
    item: Item
    cost: int
    future: Future[Result]


class Batcher(Generic[Item, Result]):
    """Runs `work` on batches whose `cost` stays within `budget`; an item that costs more runs alone.

    Up to `workers` daemon threads do the work, a batch each, from the first request on: one for what computes, more for what
    waits for a server. Requests are served in the order they came in. Where a batch fails, its items run once more, each
    alone, if the error may be due to one of them (`divisible`).
    """

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Sequence[Result]],
        *,
        cost: Callable[[Item], int] = lambda item: 1,
        budget: int = 4096,
        workers: int = 1,
        divisible: Callable[[Exception], bool] = lambda error: True,
        name: str = "batcher",
    ) -> None:
        if min(budget, workers) < 1:
            raise ValueError(f"a budget of {budget} for {workers} workers lets nothing through")
        self._work, self._cost, self._budget, self._name = work, cost, budget, name
        self._queue: deque[_Waiting[Item, Result]] = deque()
        self._changed = threading.Condition()
        self._workers, self._divisible = workers, divisible
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._closed = False

    def submit(self, item: Item) -> Future[Result]:
        """The result to come; `cancel()` takes the item out unless it is already running.

        Raises RuntimeError once the batcher is closed.
        """
        return self._enqueue([item])[0]

    def ask(self, items: Sequence[Item], *, timeout: float | None = None) -> list[Result]:
        """The results, in order. Raises what `work` raised, or TimeoutError where not all are there in `timeout` seconds."""
        ends = None if timeout is None else time.monotonic() + timeout
        futures = self._enqueue(items)
        try:
            return [
                future.result(None if ends is None else max(0.0, ends - time.monotonic()))
                for future in futures
            ]
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Refuses new requests, cancels what waits, and lets the running batches end."""
        with self._changed:
            self._closed = True
            waiting = list(self._queue)
            self._queue.clear()
            self._changed.notify_all()
        for one in waiting:
            one.future.cancel()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _enqueue(self, items: Sequence[Item]) -> list[Future[Result]]:
        waiting = [_Waiting(item, max(1, self._cost(item)), Future[Result]()) for item in items]
        with self._changed:
            if self._closed:
                raise RuntimeError(f"{self._name} is closed")
            self._queue.extend(waiting)
            self._call()
        return [one.future for one in waiting]

    def _call(self) -> None:
        """A thread for what is queued, while the lock is held."""
        if self._queue and self._idle:
            self._changed.notify()
        elif self._queue and len(self._threads) < self._workers:
            self._threads.append(threading.Thread(target=self._serve, name=self._name, daemon=True))
            self._threads[-1].start()

    def _serve(self) -> None:
        while batch := self._next():
            self._run(batch)

    def _next(self) -> list[_Waiting[Item, Result]]:
        """What queued, up to the budget, without those who left; empty when closed."""
        with self._changed:
            while True:
                batch: list[_Waiting[Item, Result]] = []
                spent = 0
                while self._queue and (not batch or spent + self._queue[0].cost <= self._budget):
                    one = self._queue.popleft()
                    if one.future.set_running_or_notify_cancel():
                        batch.append(one)
                        spent += one.cost
                if batch or self._closed:
                    self._call()  # another thread for what did not fit
                    return batch
                self._idle += 1
                self._changed.wait()
                self._idle -= 1

    def _run(self, batch: Sequence[_Waiting[Item, Result]]) -> None:
        try:
            results = self._work([one.item for one in batch])
            if len(results) != len(batch):
                raise RuntimeError(f"{self._name}: {len(results)} results for {len(batch)} items")
        except Exception as error:  # noqa: BLE001 -- whatever it is, it belongs to those who asked, not to this thread
            if len(batch) > 1 and self._divisible(error):
                for one in batch:  # one bad item must not fail the others it happened to meet
                    self._run([one])
                return
            for one in batch:
                one.future.set_exception(error)
            return
        for one, result in zip(batch, results, strict=True):
            one.future.set_result(result)


def buckets(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """The places of `lengths` in groups of like length: padded to its longest one, a group has at most `budget` tokens.

    One that is longer than the budget stands alone.
    """
    groups: list[list[int]] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if groups and lengths[at] * (len(groups[-1]) + 1) <= budget:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups
