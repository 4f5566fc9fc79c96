"""Workers keep the event loop free."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from proxy.pool import RECENT, Pool


@pytest.fixture
def pool():
    made = Pool(2, limit=5)
    yield made
    made.close()


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


async def test_what_waits_is_done_by_new_threads_when_one_does_not_come_back() -> None:
    """The work that stood behind it loses nothing but time."""
    pool, begun, gate = Pool(1), threading.Event(), threading.Event()
    stuck = asyncio.create_task(pool.run(lambda: begun.set() or gate.wait(10)))
    waiting = asyncio.create_task(pool.run(lambda: "done"))
    await asyncio.to_thread(begun.wait, 10)
    pool.replace()
    assert await asyncio.wait_for(waiting, 5) == "done"
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
