"""The batcher: no timer, no mixing up, nothing done for callers who left."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from guardrail.batch import Batcher, buckets


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


def test_several_workers_take_a_batch_each() -> None:
    """While one batch waits for its server the next one is under way, and no more than `workers` are at once."""
    lock, under_way, most = threading.Lock(), [0], [0]
    together = threading.Barrier(3)

    def work(items: Sequence[int]) -> list[int]:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        if items[0] < 3:
            together.wait(5)
        with lock:
            under_way[0] -= 1
        return list(items)

    batcher = Batcher(work, budget=1, workers=3)
    assert batcher.ask([0, 1, 2, *range(3, 40)], timeout=10) == list(range(40))
    assert most[0] == 3
    batcher.close()


def test_an_error_that_is_no_items_fault_fails_the_batch_at_once() -> None:
    """Where the error is not divisible, the items are not tried again one by one."""
    gate, tries = threading.Event(), []

    def work(items: Sequence[int]) -> list[int]:
        tries.append(len(items))
        assert gate.wait(5)
        raise OSError("the server is away")

    batcher = Batcher(work, divisible=lambda error: not isinstance(error, OSError))
    first = batcher.submit(1)
    while not tries:
        time.sleep(0.001)
    rest = [batcher.submit(item) for item in (2, 3)]
    gate.set()
    assert all(isinstance(one.exception(5), OSError) for one in (first, *rest))
    assert tries == [1, 2]
    batcher.close()


def test_the_time_limit_of_many_items_is_one() -> None:
    """`timeout` is for all items together, however many of them are late."""
    gate = Gate()
    batcher = Batcher(gate, budget=1)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        batcher.ask(list(range(50)), timeout=0.1)
    assert time.monotonic() - began < 2.5
    gate.open.set()
    batcher.close()


def test_buckets_hold_what_is_like_in_length_within_the_budget() -> None:
    """Every item stands in one bucket; padded to its longest item a bucket keeps within the budget, or holds one item."""
    lengths = [48, 3, 500, 50, 47, 4, 2000, 49, 5]
    groups = buckets(lengths, 200)
    assert sorted(at for group in groups for at in group) == list(range(9))
    assert all(len(group) == 1 or len(group) * max(lengths[at] for at in group) <= 200 for group in groups)
    assert groups[0] == [1, 5, 8, 4] or groups[0] == [1, 5, 8]
    assert buckets([], 200) == []
