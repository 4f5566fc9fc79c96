"""Bodies up to a size, answers up to a number."""

from __future__ import annotations

import asyncio

import pytest

from guardrail.errors import BadRequest
from proxy.admission import ClientGone, Overloaded, Permits, Staying, read_body


def receiving(*messages: dict):
    rest = list(messages)

    async def receive() -> dict:
        return rest.pop(0)

    return receive


async def test_a_body_is_put_together() -> None:
    """A body in several messages is one."""
    parts = [
        {"type": "http.request", "body": b"a", "more_body": True},
        {"type": "http.request", "body": b"b"},
    ]
    assert await read_body(receiving(*parts), limit=2) == b"ab"


async def test_a_body_beyond_the_limit_is_not_read_on() -> None:
    """The limit holds as soon as it is passed, not after all has been read."""
    endless = {"type": "http.request", "body": b"xxx", "more_body": True}
    with pytest.raises(BadRequest) as caught:
        await read_body(receiving(endless, endless), limit=5)
    assert caught.value.status == 413


async def test_a_client_that_leaves_is_noticed() -> None:
    """A hang-up in mid-request is no empty body."""
    with pytest.raises(ClientGone):
        await read_body(receiving({"type": "http.disconnect"}), limit=5)


def test_permits_come_back() -> None:
    """A permit is given back however its holder ends; without one the door is shut."""
    permits = Permits(1, retry_after=3)
    with permits, pytest.raises(Overloaded) as caught, permits:
        pass
    assert caught.value.retry_after == 3
    with pytest.raises(ZeroDivisionError), permits:
        _ = 1 / 0
    assert permits.taken == 0
    permits.close()
    with pytest.raises(Overloaded), permits:
        pass


async def test_work_goes_on_while_the_client_is_there() -> None:
    """The result comes through, and an error of the work; a client that leaves cancels it, and nobody else's."""

    async def waiting() -> dict:
        await asyncio.sleep(60)
        return {}

    async def work(value: int) -> float:
        async with Staying(waiting):
            await asyncio.sleep(0)
            return 1 / value

    assert await work(1) == 1
    with pytest.raises(ZeroDivisionError):
        await work(0)
    with pytest.raises(ClientGone):
        async with Staying(receiving({"type": "http.request"}, {"type": "http.disconnect"})):
            await waiting()
    await asyncio.sleep(0)
    with pytest.raises(asyncio.TimeoutError):
        async with asyncio.timeout(0.01), Staying(waiting):
            await waiting()
