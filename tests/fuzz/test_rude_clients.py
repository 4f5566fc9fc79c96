"""Clients that leave at any moment or read slowly: the upstream is let go, permits come back, memory does not grow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes import chunk, spoken
from tests.fuzz.arena import PATHS, Arena, Play, arena, census
from tests.fuzz.hostile import SCRIPTS, wire

POLICIES = ("annotate", "attach", "revise", "block")
HEADS = {
    True: b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n",
    False: b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n",
}
# The proxy runs beside the strategies, and draws its own pauses.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")
TEXT = "It is true. It is wrong. "


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("rude"), read_timeout=20.0) as running:
        yield running


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    path=st.sampled_from(PATHS),
    policy=st.sampled_from(POLICIES),
    script=SCRIPTS,
    stream=st.booleans(),
    leave=st.integers(0, 3000),
    hang=st.booleans(),
    pause=st.sampled_from([0.0, 0.002]),
)
def test_a_client_may_leave_at_any_byte(
    field: Arena, path: str, policy: str, script: str, stream: bool, leave: int, hang: bool, pause: float
) -> None:
    """Whenever it hangs up, before the head, within an event or after the end, nothing is left of its request.

    The server either ends its answer or waits for ever; where it waits and a client wants more than comes, the client
    leaves when it has what there is.
    """
    pieces = (HEADS[stream], *wire(path, script, stream=stream))
    if hang:
        leave = min(leave, 1 if stream else 0)
    field.ask(
        Play(pieces, pause=pause, hang=hang), path=path, policy=policy, stream=stream, leave_after=leave
    )
    assert field.rests() == ""


@pytest.mark.parametrize("policy", ["annotate", "revise", "block"])
def test_a_slow_client_gets_everything(field: Arena, policy: str) -> None:
    """Who reads a few bytes at a time gets what anybody gets."""
    play = Play((HEADS[True], *spoken(TEXT * 10, size=20)))
    quick = field.ask(play, policy=policy)
    slow = field.ask(play, policy=policy, pause=0.001)
    assert (slow.status, slow.said(), slow.complete) == (quick.status, quick.said(), True)


def test_a_client_that_does_not_read_slows_the_server_down(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Of an answer of a hundred megabytes no more is taken from the server than buffers hold."""
    piece = chunk("x" * 65_000)
    with arena(tmp_path_factory.mktemp("slow"), read_timeout=20.0) as running:
        taken: list[int] = []

        def pieces() -> Iterator[bytes]:
            yield HEADS[True]
            for number in range(1600):
                taken.append(number)
                yield piece

        running.stall(Play(pieces()), seconds=1.0)
        assert running.rests() == ""
    assert len(taken) < 400


def test_leaving_leaves_nothing_behind(tmp_path_factory: pytest.TempPathFactory) -> None:
    """After a hundred clients that left there are as many tasks, sockets and objects of answers as before."""
    play = Play((HEADS[True], *spoken(TEXT)[:-1]), hang=True)
    with arena(tmp_path_factory.mktemp("gone"), read_timeout=20.0) as running:

        def some(count: int) -> None:
            for number in range(count):
                running.ask(play, policy=POLICIES[number % 4], leave_after=number % 3)
            assert running.rests() == ""

        some(10)
        before = census()
        some(100)
        after = census()
    assert {name: count - before[name] for name, count in after.items() if count > before[name]} == {}
