"""Bodies up to a size, answers up to a number."""

from __future__ import annotations

import asyncio

import pytest

from guardrail.errors import BadRequest
from proxy.server import admission
from proxy.server.admission import (
    SMALL,
    Bodies,
    ClientGone,
    Overloaded,
    Permits,
    Staying,
    read_body,
)
from proxy.wire.headers import bad_request
from tests.waiting import until


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


async def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence ends the wait for a body, with a 408 that closes the connection."""
    monkeypatch.setattr(admission, "SILENCE_S", 0.05)

    async def receive() -> dict:
        await asyncio.sleep(10)
        return {}

    with pytest.raises(BadRequest) as caught:
        await read_body(receive, limit=5)
    assert (caught.value.status, caught.value.code) == (408, "request_timeout")
    assert (b"connection", b"close") in bad_request(caught.value).headers()


async def test_a_byte_now_and_then_is_no_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never silent and never done: below the pace a body has no more time than one that is silent, above it all it needs."""
    monkeypatch.setattr(admission, "SILENCE_S", 0.5)

    def dripping(piece: bytes, count: int):
        rest = [piece] * count

        async def receive() -> dict:
            await asyncio.sleep(0.02)
            return {"type": "http.request", "body": rest.pop(), "more_body": bool(rest)}

        return receive

    assert len(await read_body(dripping(b"x" * 200, 40), limit=9000)) == 8000
    with pytest.raises(BadRequest) as caught:
        await read_body(dripping(b"x", 1000), limit=9000)
    assert caught.value.status == 408


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


def unfinished(size: int):
    """A body of which `size` bytes come, and no end."""
    pieces = [b"x" * 10_000] * (size // 10_000)

    async def receive() -> dict:
        if not pieces:
            await asyncio.sleep(60)
        await asyncio.sleep(0)
        return {"type": "http.request", "body": pieces.pop(), "more_body": True}

    return receive


async def test_unfinished_bodies_are_held_up_to_a_limit() -> None:
    """However many there are: where there is no more room, the one that has been silent longest is told to come again."""
    bodies = Bodies(10_000_000)
    reads = [asyncio.create_task(bodies.read(unfinished(1_900_000), limit=20_000_000)) for _ in range(40)]
    most = 0
    for _ in range(300):
        await asyncio.sleep(0)
        most = max(most, bodies.held)
    assert most <= 10_000_000
    refused = [read for read in reads if read.done()]
    assert len(refused) == 35
    assert {type(read.exception()) for read in refused} == {Overloaded}
    # Whoever comes now is let in.
    part = {"type": "http.request", "body": b"y" * 5_000_000}
    assert len(await asyncio.create_task(bodies.read(receiving(part), limit=20_000_000))) == 5_000_000
    for read in reads:
        read.cancel()
    await asyncio.gather(*reads, return_exceptions=True)
    assert bodies.held == 0


async def test_complete_bodies_are_held_until_their_requests_end() -> None:
    """They do not give way; a newcomer that does not fit is refused, a short one never is."""
    bodies = Bodies(1_000_000)
    part = {"type": "http.request", "body": b"y" * 1_000_000}
    answered = asyncio.Event()

    async def request() -> None:
        await bodies.read(receiving(part), limit=20_000_000)
        await answered.wait()

    first = asyncio.create_task(request())
    await until(lambda: bodies.held == 1_000_000 - SMALL)
    with pytest.raises(Overloaded):
        await bodies.read(receiving(part), limit=20_000_000)
    short = {"type": "http.request", "body": b"z" * SMALL}
    assert len(await bodies.read(receiving(short), limit=20_000_000)) == SMALL
    answered.set()
    await first
    await asyncio.sleep(0)
    assert bodies.held == 0
    await asyncio.create_task(bodies.read(receiving(part), limit=20_000_000))


async def test_so_many_bodies_may_be_unfinished() -> None:
    """The one that has been silent longest gives way to a further one."""
    bodies = Bodies(count=3)
    reads = [asyncio.create_task(bodies.read(unfinished(10_000), limit=20_000)) for _ in range(5)]
    await until(lambda: [read.done() for read in reads] == [True, True, False, False, False])
    for read in reads:
        read.cancel()
    await asyncio.gather(*reads, return_exceptions=True)
    assert isinstance(reads[0].exception(), Overloaded)


async def test_a_burst_earns_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that came fast and then a byte now and then has no more time than one that was slow from the beginning."""
    monkeypatch.setattr(admission, "SILENCE_S", 0.1)
    pieces = [b"x"] * 1000 + [b"x" * 1_000_000]

    async def receive() -> dict:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": pieces.pop(), "more_body": True}

    with pytest.raises(BadRequest) as caught:
        await asyncio.wait_for(read_body(receive, limit=9_000_000), 20)
    assert caught.value.status == 408


def test_a_full_house_reads_nothing() -> None:
    """Whether there is a permit can be asked before a request is read."""
    permits = Permits(1)
    permits.ask()
    with permits, pytest.raises(Overloaded):
        permits.ask()
    assert permits.taken == 0
