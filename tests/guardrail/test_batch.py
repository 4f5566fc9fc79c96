"""The batcher: no timer, no mixing up, nothing done for callers who left."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from guardrail.batch import Batcher


class Gate:
    """Work that notes each batch and can be held until it is let go."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.open = threading.Event()
        self.entered = threading.Event()

    def __call__(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        self.entered.set()
        assert self.open.wait(5)
        return [item * 10 for item in items]


def test_results_come_back_in_the_order_asked() -> None:
    """Each item gets its own result."""
    batcher = Batcher(lambda items: [item * 2 for item in items])
    assert batcher.ask([3, 1, 2]) == [6, 2, 4]
    assert batcher.ask([]) == []
    batcher.close()


def test_a_batch_is_what_queued_while_the_last_one_ran() -> None:
    """The first item runs alone at once; all that came meanwhile run together."""
    gate = Gate()
    batcher = Batcher(gate)
    first = batcher.submit(1)
    assert gate.entered.wait(5)
    rest = [batcher.submit(item) for item in (2, 3, 4)]
    gate.open.set()
    assert [first.result(5), *(one.result(5) for one in rest)] == [10, 20, 30, 40]
    assert gate.batches == [[1], [2, 3, 4]]
    batcher.close()


def test_the_budget_bounds_a_batch() -> None:
    """Items are packed in order up to the budget, and one that is larger than the budget runs alone."""
    gate = Gate()
    batcher = Batcher(gate, cost=lambda item: item, budget=10)
    batcher.submit(1)
    assert gate.entered.wait(5)
    futures = [batcher.submit(item) for item in (4, 5, 3, 50, 2)]
    gate.open.set()
    assert [one.result(5) for one in futures] == [40, 50, 30, 500, 20]
    assert gate.batches == [[1], [4, 5], [3], [50], [2]]
    batcher.close()


def test_a_caller_who_left_costs_nothing() -> None:
    """A cancelled item is never worked on, and the others are."""
    gate = Gate()
    batcher = Batcher(gate)
    batcher.submit(1)
    assert gate.entered.wait(5)
    gone, kept = batcher.submit(2), batcher.submit(3)
    assert gone.cancel()
    gate.open.set()
    assert kept.result(5) == 30
    assert gate.batches == [[1], [3]]
    batcher.close()


def test_a_caller_who_waited_too_long_is_dropped() -> None:
    """`ask` with a timeout raises, and takes back what has not begun."""
    gate = Gate()
    batcher = Batcher(gate, cost=lambda item: 1, budget=1)
    with pytest.raises(TimeoutError):
        batcher.ask([1, 2], timeout=0.05)
    gate.open.set()
    assert batcher.ask([3]) == [30]
    assert gate.batches == [[1], [3]]
    batcher.close()


def test_a_bad_item_fails_alone() -> None:
    """An error reaches the caller whose item it was; the items beside it get their results."""

    def work(items: Sequence[int]) -> list[float]:
        return [1 / item for item in items]

    started = threading.Event()
    release = threading.Event()

    def slow_first(items: Sequence[int]) -> list[float]:
        if not started.is_set():
            started.set()
            assert release.wait(5)
        return work(items)

    batcher = Batcher(slow_first)
    batcher.submit(1)
    assert started.wait(5)
    futures = [batcher.submit(item) for item in (2, 0, 4)]
    release.set()
    assert futures[0].result(5) == 0.5
    assert futures[2].result(5) == 0.25
    with pytest.raises(ZeroDivisionError):
        futures[1].result(5)
    batcher.close()


def test_work_that_loses_a_result_is_an_error() -> None:
    """Fewer results than items is never a silent shift."""
    batcher = Batcher(lambda items: [])
    with pytest.raises(RuntimeError, match="0 results for 1 items"):
        batcher.ask([1])
    batcher.close()


def test_many_threads_each_get_their_own() -> None:
    """Sixteen threads asking at once all get their own results, in fewer batches than requests."""
    batches: list[int] = []

    def work(items: Sequence[int]) -> list[int]:
        batches.append(len(items))
        time.sleep(0.002)
        return [item + 1 for item in items]

    batcher = Batcher(work)
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda item: batcher.ask([item, -item]), range(200)))
    assert answers == [[item + 1, 1 - item] for item in range(200)]
    assert sum(batches) == 400
    assert len(batches) < 200
    batcher.close()


def test_closing_refuses_the_next_and_cancels_the_waiting() -> None:
    """After `close` nothing waits for ever."""
    gate = Gate()
    batcher = Batcher(gate)
    running = batcher.submit(1)
    assert gate.entered.wait(5)
    waiting = batcher.submit(2)
    threading.Timer(0.05, gate.open.set).start()
    batcher.close()
    assert running.result(5) == 10
    with pytest.raises(CancelledError):
        waiting.result(5)
    with pytest.raises(RuntimeError, match="closed"):
        batcher.submit(3)


def test_a_budget_of_nothing_is_refused() -> None:
    """A budget below one could never serve anyone."""
    with pytest.raises(ValueError, match="lets nothing through"):
        Batcher(lambda items: items, budget=0)
