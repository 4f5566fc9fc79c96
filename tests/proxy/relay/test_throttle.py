"""How fast an answer is read."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from policies.terms import Hold, Mode, Request
from proxy.relay.throttle import PIECE, WAITING, Throttle
from proxy.stream.exchange import Exchange
from tests.proxy.streams import policy
from tests.waiting import PATIENCE_S


def intake(mode: Mode, waiting: list[int], **hold: int) -> Throttle:
    chosen = replace(policy("attach", mode), hold=Hold(**hold))
    exchange = Exchange(policy=chosen, request=Request(model="m"), mode=mode, stream=True, id="grd_1")
    return Throttle(exchange, lambda: waiting)


def test_much_is_read_in_pieces() -> None:
    """One step reads little, and nothing is lost between the pieces."""
    data = bytes(range(256)) * 100
    pieces = list(intake(Mode.OBSERVE, []).pieces(data))
    assert b"".join(pieces) == data
    assert max(map(len, pieces)) == PIECE


def test_what_is_observed_is_never_waited_for() -> None:
    """Text that goes out at once is read as it comes, in one step where it is short."""
    reads = intake(Mode.OBSERVE, [10_000])
    assert reads.at_once(b"x" * 100)
    assert not reads.at_once(b"x" * (PIECE + 1))


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
async def test_no_more_is_read_than_is_judged(mode: Mode) -> None:
    """Where many sentences wait it waits, until few do or the answer is over."""
    waiting, over = [0, WAITING[mode]], asyncio.Event()
    reads = intake(mode, waiting)
    assert not reads.at_once(b"x")
    easing = asyncio.create_task(reads.ease(over))
    await asyncio.sleep(0.01)
    reads.tell()
    await asyncio.sleep(0.01)
    assert not easing.done()
    waiting[1] -= 1
    reads.tell()
    await asyncio.wait_for(easing, PATIENCE_S)
    waiting[1] += 1
    over.set()
    await asyncio.wait_for(reads.ease(over), PATIENCE_S)


def test_a_limit_of_characters_is_kept_to() -> None:
    """So little is read at a time that no more than the limit waits."""
    reads = intake(Mode.HOLD, [1], characters=400)
    assert max(map(len, reads.pieces(b"x" * 1000))) <= 100
