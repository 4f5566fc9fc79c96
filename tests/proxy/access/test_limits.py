"""A key's limits: requests and tokens a minute, answers at a time."""

from __future__ import annotations

import pytest

from proxy.access.keys import Key
from proxy.access.limits import Bucket, Limits, Spent
from proxy.wire.headers import LimitReached


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_bucket_comes_back_evenly(clock: Clock) -> None:
    """A minute's worth at once, then one every second for sixty a minute; never more than a minute's worth."""
    bucket = Bucket(60, clock)
    for _ in range(60):
        assert bucket.wait(1) == 0
        bucket.take(1)
    assert bucket.wait(1) == pytest.approx(1.0)
    clock.now = 0.5
    assert bucket.wait(1) == pytest.approx(0.5)
    clock.now = 1000.0
    assert bucket.wait(60) == 0
    assert bucket.wait(61) > 0


async def test_requests_a_minute(clock: Clock) -> None:
    """The request beyond the limit is refused and told when to come again; it costs nothing."""
    limits, key = Limits(clock=clock), Key("k1", "a", b"", requests=2)
    for _ in range(2):
        async with limits.admitted(key) as admitted:
            assert admitted.spent is None
    for _ in range(3):
        with pytest.raises(LimitReached, match="k1 has reached its limit of 2 requests") as caught:
            async with limits.admitted(key):
                pass
        assert (caught.value.kind, caught.value.retry_after) == ("requests", 30)
    clock.now = 30.0
    async with limits.admitted(key):
        pass


async def test_answers_at_a_time(clock: Clock) -> None:
    """A place is free again however its answer ended; other keys have their own."""
    limits, key = Limits(clock=clock), Key("k1", "a", b"", concurrent=1)
    async with limits.admitted(key), limits.admitted(Key("k2", "b", b"", concurrent=1)):
        with pytest.raises(LimitReached, match="1 answers at a time"):
            async with limits.admitted(key):
                pass
    with pytest.raises(ZeroDivisionError):
        async with limits.admitted(key):
            _ = 1 / 0
    async with limits.admitted(key):
        pass


async def test_an_answer_that_has_ended_holds_no_place(clock: Clock) -> None:
    """It may say so before its last byte is sent; its place is given back once."""
    limits, key = Limits(clock=clock), Key("k1", "a", b"", concurrent=1)
    async with limits.admitted(key) as first:
        await first.end()
        async with limits.admitted(key):
            await first.end()
            with pytest.raises(LimitReached):
                async with limits.admitted(key):
                    pass
    async with limits.admitted(key):
        pass


async def test_tokens_a_minute(clock: Clock) -> None:
    """What an answer used is known at its end; too much of it is waited for."""
    limits, key = Limits(clock=clock), Key("k1", "a", b"", tokens=600)
    async with limits.admitted(key) as admitted:
        assert admitted.spent is not None
        admitted.spent.read(b'{"usage":{"prompt_tokens":100,"completion_tokens":800,"total_tokens":900}}')
    with pytest.raises(LimitReached) as caught:
        async with limits.admitted(key):
            pass
    assert (caught.value.kind, caught.value.retry_after) == ("tokens", 31)
    clock.now = 31.0
    async with limits.admitted(key):
        pass


@pytest.mark.parametrize(
    ("pieces", "tokens"),
    [
        ([b'{"usage":{"total_tokens": 12, "prompt_tokens": 2}}'], 12),
        ([b'..."total_to', b'kens":12}'], 12),
        (
            [
                b'data: {"usage":{"input_tokens":5,"output_tokens":1}}\n\n',
                b'data: {"usage":{"output_tokens":40}}\n\n',
            ],
            45,
        ),
        ([b'{"input_tokens":5,"output_tokens":6,"total_tokens":11}'], 11),
        ([b"data: {}\n\n", b"data: {}\n\ndata: [DONE]\n\n"], 3 + 25),
        ([b"x" * 40], 10 + 25),
        ([rb'{"content":"he said \"total_tokens\": 99999"}'], 11 + 25),
        ([], 25),
    ],
)
def test_tokens_are_those_that_are_told_else_reckoned(pieces: list[bytes], tokens: int) -> None:
    """OpenAI's and Anthropic's usage, also across pieces; without one an event is a token, or four characters are."""
    spent = Spent(asked=100)
    for piece in pieces:
        spent.read(piece)
    assert spent.tokens == tokens
