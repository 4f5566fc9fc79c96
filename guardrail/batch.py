"""Batches requests of many threads without a timer: a batch is what queued while the last one ran.

Idle, a request runs at once and alone; under load, batches grow by themselves up to a budget of tokens. A caller who gave
up is dropped before its work is done. As in text-embeddings-inference, core/src/queue.rs.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Batcher"]

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Item, Result]):
    item: Item
    cost: int
    future: Future[Result]


class Batcher(Generic[Item, Result]):
    """Runs `work` on batches whose `cost` stays within `budget`; an item that costs more runs alone.

    One daemon thread does the work, from the first request on. Requests are served in the order they came in.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Sequence[Result]],
        *,
        cost: Callable[[Item], int] = lambda item: 1,
        budget: int = 4096,
        name: str = "batcher",
    ) -> None:
        if budget < 1:
            raise ValueError(f"a budget of {budget} lets nothing through")
        self._work, self._cost, self._budget, self._name = work, cost, budget, name
        self._queue: deque[_Waiting[Item, Result]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, item: Item) -> Future[Result]:
        """The result to come; `cancel()` takes the item out unless it is already running.

        Raises RuntimeError once the batcher is closed.
        """
        return self._enqueue([item])[0]

    def ask(self, items: Sequence[Item], *, timeout: float | None = None) -> list[Result]:
        """The results, in order. Raises what `work` raised, or TimeoutError after `timeout` seconds for each."""
        futures = self._enqueue(items)
        try:
            return [future.result(timeout) for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Refuses new requests, cancels what waits, and lets the running batch end."""
        with self._changed:
            self._closed = True
            waiting = list(self._queue)
            self._queue.clear()
            self._changed.notify_all()
        for one in waiting:
            one.future.cancel()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _enqueue(self, items: Sequence[Item]) -> list[Future[Result]]:
        waiting = [_Waiting(item, max(1, self._cost(item)), Future[Result]()) for item in items]
        with self._changed:
            if self._closed:
                raise RuntimeError(f"{self._name} is closed")
            self._queue.extend(waiting)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify()
        return [one.future for one in waiting]

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
                    return batch
                self._changed.wait()

    def _run(self, batch: Sequence[_Waiting[Item, Result]]) -> None:
        try:
            results = self._work([one.item for one in batch])
            if len(results) != len(batch):
                raise RuntimeError(f"{self._name}: {len(results)} results for {len(batch)} items")
        except Exception as error:  # noqa: BLE001 -- whatever it is, it belongs to those who asked, not to this thread
            if len(batch) == 1:
                batch[0].future.set_exception(error)
                return
            for one in batch:  # one bad item must not fail the others it happened to meet
                self._run([one])
            return
        for one, result in zip(batch, results, strict=True):
            one.future.set_result(result)
