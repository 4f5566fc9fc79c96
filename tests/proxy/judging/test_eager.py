"""A coroutine is begun without a task, and what is left of it awaited in one."""

from __future__ import annotations

import asyncio

import pytest

from proxy.judging.eager import begin


async def test_what_need_not_wait_is_over_at_once() -> None:
    """No task and no turn of the loop is needed."""
    done = []

    async def work() -> None:
        done.append(1)

    assert begin(work()) is None
    assert done == [1]


async def test_the_rest_is_awaited() -> None:
    """It goes on where it waited, as often as it waits."""
    done: list[int] = []
    gates = [asyncio.Event(), asyncio.Event()]

    async def work() -> None:
        for number, gate in enumerate(gates):
            await gate.wait()
            done.append(number)

    rest = begin(work())
    assert rest is not None
    assert not done
    for gate in gates:
        gate.set()
    await rest
    assert done == [0, 1]


async def test_an_error_goes_to_whoever_waits() -> None:
    """At once, or from the rest."""
    gate = asyncio.Event()

    async def at_once() -> None:
        raise ValueError("now")

    async def later() -> None:
        await gate.wait()
        raise ValueError("later")

    with pytest.raises(ValueError, match="now"):
        begin(at_once())
    rest = begin(later())
    assert rest is not None
    gate.set()
    with pytest.raises(ValueError, match="later"):
        await rest


async def test_a_cancelled_rest_lets_go_of_what_it_holds() -> None:
    """Cancelling the task that awaits it reaches the coroutine."""
    lock, begun = asyncio.Lock(), asyncio.Event()

    async def work() -> None:
        async with lock:
            await asyncio.Event().wait()

    async def wait() -> None:
        rest = begin(work())
        assert rest is not None
        begun.set()
        await rest

    task = asyncio.create_task(wait())
    await begun.wait()
    assert lock.locked()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not lock.locked()
