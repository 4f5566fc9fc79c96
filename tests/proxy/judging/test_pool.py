"""Workers keep the event loop free."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from proxy.judging.pool import RECENT, SPARE, Pool
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def pool():
    made = Pool(2, limit=5)
    yield made
    made.close()


async def test_the_event_loop_stays_free_while_workers_compute(pool: Pool) -> None:
    """Pure computing in both threads leaves the loop its turns."""
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
    assert sorted(lags)[len(lags) // 2] < 0.1


def test_workers_give_way_to_a_loop_that_is_behind(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker waits as long as it was late, less after a short turn; not for one that keeps up or was late long ago."""
    slept: list[float] = []
    monkeypatch.setattr("proxy.judging.pool.time.sleep", slept.append)
    now = time.monotonic()
    monkeypatch.setattr("proxy.judging.pool.time.monotonic", lambda: now)
    pool.give_way()
    pool.took(0.0, 0.05, now)
    pool.give_way()
    assert slept == []
    pool.took(0.0, 0.05, now - 0.2)
    pool.give_way()
    assert slept == [pytest.approx(0.2)]
    pool.took(0.0, 0.0001, now - 0.2)
    pool.give_way()
    assert slept.pop() == pytest.approx(0.002)
    pool.took(0.0, 0.05, now - 0.2)
    now += 2 * RECENT
    pool.give_way()
    assert len(slept) == 1


async def test_what_waits_is_done_by_new_threads_when_one_does_not_come_back() -> None:
    """The work that stood behind it loses nothing but time."""
    pool, begun, gate = Pool(1), threading.Event(), threading.Event()
    stuck = asyncio.create_task(pool.run(lambda: begun.set() or gate.wait(30)))
    waiting = asyncio.create_task(pool.run(lambda: "done"))
    await asyncio.to_thread(begun.wait, 30)
    pool.replace()
    assert await asyncio.wait_for(waiting, PATIENCE_S) == "done"
    gate.set()
    assert await stuck
    assert (pool.waiting, pool.given) == (0, 0)
    pool.close()


async def test_a_closed_pool_takes_nothing(pool: Pool) -> None:
    """Its threads have ended, so nobody would be told that nothing happens."""
    assert await pool.run(lambda: threading.current_thread().name.startswith("check"))
    pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        await pool.run(lambda: 1)


async def test_what_a_job_raises_comes_to_the_one_who_asked(pool: Pool) -> None:
    """The thread goes on."""
    with pytest.raises(ZeroDivisionError):
        await pool.run(lambda: 1 // 0)
    assert await pool.run(lambda: 2) == 2


async def test_another_thread_takes_the_place_of_a_slow_one(pool: Pool) -> None:
    """What waits goes on; there are as many threads as before when the slow work is done, and a limit meanwhile."""
    gate, idents = threading.Event(), []

    def slow() -> None:
        idents.append(threading.get_ident())
        gate.wait(30)

    working = [asyncio.create_task(pool.run(slow)) for _ in range(2)]
    await until(lambda: len(idents) == 2)
    waiting = asyncio.create_task(pool.run(lambda: "done"))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    for _ in range(3):
        pool.relieve(idents[0])
    pool.relieve(0)
    assert await asyncio.wait_for(waiting, PATIENCE_S) == "done"
    assert len(pool._threads) == 3
    gate.set()
    await asyncio.gather(*working)
    await until(lambda: sum(one.is_alive() for one in pool._threads) == 2)
    assert await pool.run(lambda: "more") == "more"


async def test_slow_threads_are_relieved_up_to_a_number() -> None:
    """However many jobs are slow, there are no more than so many threads beside."""
    pool, gate = Pool(1), threading.Event()
    idents: list[int] = []

    def slow() -> None:
        idents.append(threading.get_ident())
        gate.wait(30)

    working = [asyncio.create_task(pool.run(slow)) for _ in range(SPARE + 5)]
    await until(lambda: idents)
    await until(lambda: pool.relieve(idents[-1]) or len(idents) == 1 + SPARE)
    for _ in range(20):
        await asyncio.sleep(0.005)
        pool.relieve(idents[-1])
    assert len(idents) == 1 + SPARE
    gate.set()
    await asyncio.gather(*working)
    pool.close()
