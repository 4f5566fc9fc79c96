"""Each choice's jobs are done in order, a turn at a time, and none leaves an answer hanging."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from guardrail.types import NotChecked
from proxy.judging.pool import SHORT, Pool
from proxy.judging.strand import AT_ONCE, COUNTED, Strand
from tests.waiting import until


@pytest.fixture
def pool():
    made = Pool(2, limit=5)
    yield made
    made.close()


def never(reason: NotChecked) -> None:
    raise AssertionError(f"given up: {reason}")


@pytest.mark.parametrize("seconds", [0.0, 0.005, 1.0])
async def test_jobs_of_a_strand_run_in_order_and_never_together(pool: Pool, seconds: float) -> None:
    """One after the other, in the order given, whatever else the pool does."""
    lock, done = threading.Lock(), []

    def job(number: int) -> int:
        assert lock.acquire(blocking=False)
        time.sleep(0.002)
        lock.release()
        return number

    async def take(results: list[int]) -> None:
        done.extend(results)

    strand: Strand[int] = Strand(pool, take, lost=never, seconds=seconds)
    for number in range(10):
        strand.submit(lambda n=number: job(n), quick=number % 4 == 3)
    await until(lambda: len(done) == 10)
    assert done == list(range(10))
    await until(lambda: pool.waiting == 0)


async def test_strands_take_turns(pool: Pool) -> None:
    """A strand with many jobs does not keep another from its one."""
    order: list[str] = []

    async def take(results: list[str]) -> None:
        order.extend(results)

    long, short = (Strand(pool, take, lost=never) for _ in range(2))
    for _ in range(20):
        long.submit(lambda: time.sleep(0.005) or "long")
    short.submit(lambda: "short")
    await until(lambda: len(order) == 21)
    assert order.index("short") < 5


async def test_no_strand_waits_for_a_slow_job_of_another() -> None:
    """After half a second another thread goes on with what waits, and the slow one's result still counts."""
    pool, gate, done = Pool(1), threading.Event(), []

    async def take(results: list[str]) -> None:
        done.extend(results)

    slow, quick = (Strand(pool, take, lost=never) for _ in range(2))
    slow.submit(lambda: str(gate.wait(30)))
    quick.submit(lambda: "quick")
    await until(lambda: done == ["quick"])
    gate.set()
    await until(lambda: done == ["quick", "True"])
    pool.close()


async def test_what_did_not_begin_can_be_forgotten(pool: Pool) -> None:
    """Cleared jobs never run and count no more."""
    done: list[int] = []

    async def take(results: list[int]) -> None:
        done.extend(results)

    strand: Strand[int] = Strand(pool, take, lost=never)
    begun, gate = threading.Event(), threading.Event()
    strand.submit(lambda: int(begun.set() or gate.wait(30)))
    await until(begun.is_set)
    for _ in range(9):
        strand.submit(lambda: 2)
    assert strand.full
    strand.clear()
    assert not strand.full
    gate.set()
    await until(lambda: pool.waiting == 0)
    assert done == [1]


async def test_a_long_answer_has_the_server_to_itself_until_others_wait() -> None:
    """A strand's own limit holds only while another one has jobs, too."""
    pool = Pool(2, limit=100)

    async def take(results: list[int]) -> None:
        """Nobody asks."""

    long, other = Strand(pool, take, lost=never, limit=3), Strand(pool, take, lost=never, limit=3)
    gate, begun = threading.Event(), threading.Event()

    def job() -> int:
        begun.set()
        return int(gate.wait(30))

    for _ in range(5):
        long.submit(job)
    await until(begun.is_set)
    assert not long.full
    other.submit(lambda: 1)
    assert long.full
    assert not other.full
    gate.set()
    await until(lambda: pool.waiting == 0)
    pool.close()


async def test_a_job_that_does_not_come_back_is_given_up(pool: Pool) -> None:
    """The strand goes on without it, and other strands get new threads."""
    gate, lost, done = threading.Event(), [], []

    async def take(results: list[str]) -> None:
        done.extend(results)

    def job() -> str:
        if not lost:
            gate.wait(30)
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

    async def take(results: list[str]) -> None:
        done.extend(results)

    def job() -> str:
        if not lost:
            raise ValueError("broken")
        return "without"

    strand = Strand(pool, take, lost=lost.append)
    strand.submit(job)
    await until(lambda: done == ["without"])
    assert lost == [NotChecked.ERROR]


async def test_a_strand_that_is_told_to_hurry_waits_for_no_thread(pool: Pool) -> None:
    """What runs is left to itself, what waits is done aside, in order, and none of it on the event loop."""
    begun, gate, told, done = threading.Event(), threading.Event(), [], []

    def job(number: int) -> int:
        assert threading.current_thread() is not threading.main_thread()
        begun.set()
        if not told:
            gate.wait(30)
        return number

    async def take(results: list[int]) -> None:
        done.extend(results)

    strand: Strand[int] = Strand(pool, take, lost=told.append)
    for number in range(3):
        strand.submit(lambda n=number: job(n))
    await until(begun.is_set)
    assert done == []
    strand.hurry()
    await until(lambda: len(done) == 3)
    strand.submit(lambda: job(3))
    await until(lambda: len(done) == 4)
    gate.set()
    assert done == [0, 1, 2, 3]
    assert told == [NotChecked.DEADLINE]


async def test_what_does_not_come_back_from_aside_either_is_done_short(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that takes too long even without a checker is replaced by a short one; others are not held up."""
    monkeypatch.setattr("proxy.judging.strand.ASIDE_S", 0.1)
    gate, told, done = threading.Event(), [], []

    async def take(results: list[str]) -> None:
        done.extend(results)

    strand, other = Strand(pool, take, lost=told.append), Strand(pool, take, lost=never)
    strand.submit(lambda: str(gate.wait(30)), kept=True, short=lambda: "short")
    strand.hurry()
    await until(lambda: done == ["short"])
    other.submit(lambda: "other", quick=True)
    await until(lambda: done == ["short", "other"])
    gate.set()
    await until(lambda: pool.waiting == pool.given == 0)


async def test_of_a_long_answer_only_some_jobs_are_load(pool: Pool) -> None:
    """Others are let in although many of its sentences wait."""
    gate = threading.Event()

    async def take(results: object) -> None:
        """Nobody asks."""

    strand = Strand(pool, take, lost=never)
    for _ in range(10 * COUNTED):
        strand.submit(lambda: gate.wait(30))
    assert pool.waiting == COUNTED
    strand.clear()
    gate.set()
    await until(lambda: pool.waiting == 0)


async def test_results_reach_the_loop_in_small_steps(pool: Pool) -> None:
    """Whatever a turn brings, the loop turns to others between a few of them."""
    steps: list[int] = []

    async def take(results: list[int]) -> None:
        steps.append(len(results))

    strand = Strand(pool, take, lost=never, seconds=5.0)
    for number in range(100):
        strand.submit(lambda n=number: n, quick=number % 2 == 0)
    await until(lambda: sum(steps) == 100)
    assert max(steps) <= AT_ONCE


async def test_the_wait_is_told_from_the_jobs_before_and_their_length() -> None:
    """A strand with jobs of its own waits longer than an idle one; a short queue is always worth it."""
    pool, begun, gate = Pool(1), threading.Event(), threading.Event()

    async def take(results: object) -> None:
        pass

    try:
        busy, idle = (Strand(pool, take, lost=never) for _ in range(2))
        for _ in range(5):
            busy.submit(lambda: time.sleep(0.02))
        await until(lambda: pool.waiting == 0)
        busy.submit(lambda: begun.set() or gate.wait(30))
        await until(begun.is_set)
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


async def test_the_results_of_a_turn_come_together(pool: Pool) -> None:
    """As many as were done before its time was up; without time each comes alone."""
    together: list[list[int]] = []
    alone: list[list[int]] = []

    async def take(results: list[int]) -> None:
        together.append(results)

    async def one(results: list[int]) -> None:
        alone.append(results)

    quick, slow = Strand(pool, take, lost=never, seconds=5.0), Strand(pool, one, lost=never)
    for number in range(8):
        quick.submit(lambda n=number: n)
        slow.submit(lambda n=number: n)
    await until(lambda: pool.waiting == 0 and len(alone) == 8)
    assert together == [list(range(8))]
    assert alone == [[number] for number in range(8)]


async def test_a_job_that_breaks_in_a_turn_keeps_what_was_done_before(pool: Pool) -> None:
    """It is done again without a thread, in its place; those behind it follow."""
    lost, done = [], []

    async def take(results: list[int]) -> None:
        done.extend(results)

    def job(number: int) -> int:
        if number == 2 and not lost:
            raise ValueError("broken")
        return number

    strand: Strand[int] = Strand(pool, take, lost=lost.append, seconds=5.0)
    for number in range(5):
        strand.submit(lambda n=number: job(n))
    await until(lambda: len(done) == 5)
    assert done == list(range(5))
    assert lost == [NotChecked.ERROR]
    await until(lambda: pool.waiting == pool.given == 0)


async def test_a_cancelled_strand_leaves_nothing_counted(pool: Pool) -> None:
    """What ran comes to nobody, what waited is forgotten, and others have the pool to themselves."""
    begun, gate = threading.Event(), threading.Event()

    async def take(results: object) -> None:
        raise AssertionError("nobody waits")

    strand = Strand(pool, take, lost=never, seconds=5.0)
    for _ in range(4):
        strand.submit(lambda: begun.set() or gate.wait(30))
    await until(begun.is_set)
    strand.cancel()
    await until(lambda: pool.waiting == pool.given == 0)
    gate.set()
    assert await pool.run(lambda: 1) == 1


async def test_what_is_to_be_kept_is_done_though_the_rest_is_forgotten(pool: Pool) -> None:
    """A client that leaves takes back its sentences, never the report that its record needs."""
    done: list[str] = []
    begun, go = threading.Event(), threading.Event()

    async def take(results: list[str]) -> None:
        done.extend(results)

    def first() -> str:
        begun.set()
        go.wait(30)
        return "first"

    strand: Strand[str] = Strand(pool, take, lost=never)
    strand.submit(first)
    strand.submit(lambda: "sentence")
    strand.submit(lambda: "report", kept=True)
    await until(begun.is_set)
    strand.clear()
    go.set()
    await until(lambda: "report" in done)
    assert done == ["first", "report"]
    await until(lambda: pool.waiting == 0)
