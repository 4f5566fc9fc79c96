"""Workers keep the event loop free, and each choice's jobs in order."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from guardrail.types import NotChecked
from proxy.pool import RECENT, SHORT, Pool, Strand


@pytest.fixture
def pool():
    made = Pool(2, limit=5)
    yield made
    made.close()


def never(reason: NotChecked) -> None:
    raise AssertionError(f"given up: {reason}")


async def until(condition) -> None:
    for _ in range(400):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not happen")


@pytest.mark.parametrize("batch", [1, 3, 100])
async def test_jobs_of_a_strand_run_in_order_and_never_together(pool: Pool, batch: int) -> None:
    """One after the other, in the order given, whatever else the pool does."""
    lock, done = threading.Lock(), []

    def job(number: int) -> int:
        assert lock.acquire(blocking=False)
        time.sleep(0.002)
        lock.release()
        return number

    async def take(result: int) -> None:
        done.append(result)

    strand: Strand[int] = Strand(pool, take, lost=never, batch=batch)
    for number in range(10):
        strand.submit(lambda n=number: job(n), quick=number % 4 == 3)
    await until(lambda: len(done) == 10)
    assert done == list(range(10))
    await until(lambda: pool.waiting == 0)


async def test_strands_take_turns(pool: Pool) -> None:
    """A strand with many jobs does not keep another from its one."""
    order: list[str] = []

    async def take(result: str) -> None:
        order.append(result)

    long, short = (Strand(pool, take, lost=never) for _ in range(2))
    for _ in range(20):
        long.submit(lambda: time.sleep(0.005) or "long")
    short.submit(lambda: "short")
    await until(lambda: len(order) == 21)
    assert order.index("short") < 5


async def test_what_did_not_begin_can_be_forgotten(pool: Pool) -> None:
    """Cleared jobs never run and count no more."""
    done: list[int] = []

    async def take(result: int) -> None:
        done.append(result)

    strand: Strand[int] = Strand(pool, take, lost=never)
    gate = threading.Event()
    strand.submit(lambda: int(gate.wait(5)))
    await asyncio.sleep(0.05)
    for _ in range(9):
        strand.submit(lambda: 2)
    assert strand.full
    strand.clear()
    assert not strand.full
    gate.set()
    await until(lambda: pool.waiting == 0)
    assert done == [1]


async def test_the_event_loop_stays_free_while_workers_compute(pool: Pool) -> None:
    """Pure computing in both threads delays the loop by milliseconds at most."""
    ends = time.monotonic() + 0.5

    def compute() -> None:
        while time.monotonic() < ends:
            sum(range(200))

    running = [asyncio.create_task(pool.run(compute)) for _ in range(2)]
    lags = []
    while time.monotonic() < ends:
        started = time.monotonic()
        await asyncio.sleep(0.001)
        lags.append(time.monotonic() - started - 0.001)
    await asyncio.gather(*running)
    assert sorted(lags)[len(lags) // 2] < 0.02


async def test_a_job_that_does_not_come_back_is_given_up(pool: Pool) -> None:
    """The strand goes on without it, and other strands get new threads."""
    gate, lost, done = threading.Event(), [], []

    async def take(result: str) -> None:
        done.append(result)

    def job() -> str:
        if not lost:
            gate.wait(10)
        return "without"

    stuck = [Strand(pool, take, lost=lost.append, patience=0.1) for _ in range(2)]
    for strand in stuck:
        strand.submit(job)
    await asyncio.sleep(0.02)
    other = Strand(pool, take, lost=never)
    other.submit(lambda: "other")
    await until(lambda: len(done) == 3)
    gate.set()
    assert sorted(done) == ["other", "without", "without"]
    assert set(lost) == {NotChecked.DEADLINE}
    await until(lambda: pool.waiting == 0)


async def test_a_job_that_raises_is_given_up(pool: Pool) -> None:
    """An error in a worker does not leave the answer hanging."""
    lost, done = [], []

    async def take(result: str) -> None:
        done.append(result)

    def job() -> str:
        if not lost:
            raise ValueError("broken")
        return "without"

    strand = Strand(pool, take, lost=lost.append)
    strand.submit(job)
    await until(lambda: done == ["without"])
    assert lost == [NotChecked.ERROR]


async def test_a_strand_that_is_told_to_hurry_waits_for_no_thread(pool: Pool) -> None:
    """What runs is left to itself, what waits is done at once without a thread, in order."""
    gate, told, done = threading.Event(), [], []

    def job(number: int) -> int:
        if threading.current_thread() is not threading.main_thread():
            gate.wait(10)
        return number

    async def take(result: int) -> None:
        done.append(result)

    strand: Strand[int] = Strand(pool, take, lost=told.append)
    for number in range(3):
        strand.submit(lambda n=number: job(n))
    await asyncio.sleep(0.05)
    assert done == []
    strand.hurry()
    await until(lambda: len(done) == 3)
    strand.submit(lambda: job(3))
    await until(lambda: len(done) == 4)
    gate.set()
    assert done == [0, 1, 2, 3]
    assert told == [NotChecked.DEADLINE]


async def test_the_wait_is_told_from_the_jobs_before_and_their_length() -> None:
    """A strand with jobs of its own waits longer than an idle one; a short queue is always worth it."""
    pool, gate = Pool(1), threading.Event()

    async def take(result: object) -> None:
        pass

    try:
        busy, idle = (Strand(pool, take, lost=never) for _ in range(2))
        for _ in range(5):
            busy.submit(lambda: time.sleep(0.02))
        await until(lambda: pool.waiting == 0)
        busy.submit(lambda: gate.wait(10))
        await asyncio.sleep(0.02)
        for _ in range(SHORT - 2):
            busy.submit(lambda: None)
        assert busy.delay == idle.delay == 0
        busy.submit(lambda: None)
        assert busy.delay > 20 * idle.delay > 0
        busy.submit(lambda: None, quick=True)
        assert busy.delay == pytest.approx(SHORT * idle.delay)
        gate.set()
        await until(lambda: pool.waiting == 0)
        assert busy.delay == 0
    finally:
        gate.set()
        pool.close()


def test_workers_give_way_to_a_loop_that_is_behind(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker waits as long as it was late, less after a short turn; not for one that keeps up or was late long ago."""
    slept: list[float] = []
    monkeypatch.setattr("proxy.pool.time.sleep", slept.append)
    pool.give_way()
    pool.took(0.0, 0.05, time.monotonic())
    pool.give_way()
    assert slept == []
    pool.took(0.0, 0.05, time.monotonic() - 0.2)
    pool.give_way()
    assert slept == [pytest.approx(0.2, abs=0.05)]
    pool.took(0.0, 0.0001, time.monotonic() - 0.2)
    pool.give_way()
    assert 0 < slept.pop() < 0.02
    pool.took(0.0, 0.05, time.monotonic() - 0.2)
    later = time.monotonic() + 2 * RECENT
    monkeypatch.setattr("proxy.pool.time.monotonic", lambda: later)
    pool.give_way()
    assert len(slept) == 1
