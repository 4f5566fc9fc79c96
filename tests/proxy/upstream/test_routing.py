"""Servers are chosen by model, fall back on each other, and are given a rest when they are down."""

from __future__ import annotations

import pytest

from guardrail.errors import UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.demo import DemoUpstream
from proxy.upstream.http import Answer, Call, Refused
from proxy.upstream.routing import Breaker, Route, Routed
from tests.fakes import FakeModel, Script


class Scripted:
    """An upstream that answers with a status, or fails."""

    def __init__(self, status: int | None = 200) -> None:
        self.status, self.asked, self.closed = status, 0, 0
        self.headers: list = []

    async def open(self) -> None: ...

    async def send(self, call: Call) -> Answer:
        self.asked += 1
        if self.status is None:
            raise UpstreamUnreachable("the model server cannot be reached")
        return self  # type: ignore[return-value]

    def close(self):  # type: ignore[no-untyped-def]
        self.closed += 1


def call(model: str) -> Call:
    return Call("POST", "/chat/completions", [], model=model)


async def test_models_go_to_the_servers_they_fit() -> None:
    """Patterns come before the server for everything else, whatever the order on the command line."""
    rest, gpt = Scripted(), Scripted()
    routed = Routed([Route(("*",), rest), Route(("gpt-*",), gpt)])
    assert await routed.send(call("gpt-5")) is gpt  # type: ignore[comparison-overlap]
    assert await routed.send(call("other")) is rest  # type: ignore[comparison-overlap]
    assert await routed.send(call("")) is rest  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("status", [None, 429, 500, 503])
async def test_the_next_server_is_asked_when_one_cannot_answer(status: int | None) -> None:
    """Unreachable, overloaded and broken servers are passed over, and their answers closed."""
    down, up = Scripted(status), Scripted()
    routed = Routed([Route(("*",), down), Route(("*",), up)])
    assert await routed.send(call("m")) is up  # type: ignore[comparison-overlap]
    assert down.closed == (status is not None)


@pytest.mark.parametrize("status", [200, 400, 401, 404])
async def test_what_is_the_requests_own_fault_is_not_asked_twice(status: int) -> None:
    """A 4xx is an answer."""
    first, second = Scripted(status), Scripted()
    assert (await Routed([Route(("*",), first), Route(("*",), second)]).send(call("m"))).status == status
    assert second.asked == 0


async def test_the_last_servers_answer_stands_whatever_it_is() -> None:
    """When nobody can answer, the client gets the last one's words or error."""
    assert (
        await Routed([Route(("*",), Scripted(None)), Route(("*",), Scripted(503))]).send(call("m"))
    ).status == 503
    with pytest.raises(UpstreamError, match="cannot be reached"):
        await Routed([Route(("*",), Scripted(None))]).send(call("m"))


async def test_a_server_that_is_down_is_given_a_rest() -> None:
    """After failures in a row nobody waits for it; after the rest one request tries again."""
    now = [0.0]
    down = Scripted(None)
    routed = Routed([Route(("*",), down, Breaker(failures=3, rest=10, clock=lambda: now[0]))])
    for _ in range(5):
        with pytest.raises(UpstreamError):
            await routed.send(call("m"))
    assert down.asked == 3
    now[0], down.status = 11.0, 200
    assert (await routed.send(call("m"))).status == 200
    assert down.asked == 4


async def test_the_only_servers_own_errors_are_passed_on() -> None:
    """Where nobody else could answer, its words are better than ours, however often it fails."""
    broken = Scripted(500)
    alone = Routed([Route(("*",), broken, Breaker(failures=2))])
    assert [(await alone.send(call("m"))).status for _ in range(5)] == [500] * 5
    assert broken.asked == 5
    second = Scripted(200)
    helped = Routed([Route(("*",), broken, Breaker(failures=2)), Route(("*",), second)])
    assert [(await helped.send(call("m"))).status for _ in range(5)] == [200] * 5
    assert (broken.asked, second.asked) == (7, 5)


async def test_after_the_rest_one_request_finds_out_for_all() -> None:
    """While the one that tries is still waiting, the others do not wait with it."""
    now = [0.0]
    breaker = Breaker(failures=2, rest=10, clock=lambda: now[0])
    for _ in range(2):
        assert breaker.admits()
        breaker.told(failed=True)
    assert not breaker.admits()
    now[0] = 10.0
    assert breaker.admits()
    assert not breaker.admits()
    breaker.told(failed=False)
    assert breaker.admits()
    assert breaker.admits()


async def test_a_server_that_is_overloaded_is_not_given_a_rest() -> None:
    """429 is about a limit, not about a server that is down."""
    busy = Scripted(429)
    routed = Routed([Route(("*",), busy, Breaker(failures=2))])
    for _ in range(4):
        assert (await routed.send(call("m"))).status == 429
    assert busy.asked == 4


async def test_an_answer_that_is_not_used_is_closed() -> None:
    """Of several broken servers the last one's answer stands, and only that stays open."""
    first, second, resting = Scripted(503), Scripted(500), Scripted(200)
    closed = Breaker(failures=1)
    closed.told(failed=True)
    routed = Routed([Route(("*",), first), Route(("*",), second), Route(("*",), resting, closed)])
    assert (await routed.send(call("m"))).status == 500
    assert (first.closed, second.closed, resting.asked) == (1, 0, 0)


async def test_a_model_without_a_server_is_told() -> None:
    """No pattern fits: a clear error."""
    with pytest.raises(UpstreamUnreachable, match="no model server is set up"):
        await Routed([Route(("gpt-*",), Scripted())]).send(call("other"))


async def test_real_servers_can_be_routed_to() -> None:
    """Opening and closing reach all of them."""
    async with FakeModel(Script([b"hi"], headers=(("content-type", "text/plain"),))).running() as model:
        from proxy.upstream.http import HttpUpstream

        routed = Routed([Route(("m",), HttpUpstream(model.url)), Route(("demo",), DemoUpstream())])
        await routed.open()
        answer = await routed.send(call("m"))
        assert b"".join([data async for data in answer.body()]) == b"hi"
        answer.close()
        await routed.close()


@pytest.mark.parametrize(
    ("target", "error", "asked"),
    [
        ("/batches", UpstreamUnreachable("in time"), 0),
        ("/batches", UpstreamBroken("dropped", begun=True), 0),
        ("/batches", Refused("nobody"), 1),
        ("/chat/completions", UpstreamBroken("dropped", begun=True), 1),
    ],
)
async def test_what_one_server_may_have_done_no_other_is_asked_for(
    target: str, error: UpstreamError, asked: int
) -> None:
    """A job may have begun where nobody answered; an answer may be had from somebody else."""

    class Failing:
        async def send(self, call: Call) -> Answer:
            raise error

    class Other:
        asked = 0

        async def send(self, call: Call) -> Answer:
            self.asked += 1
            raise UpstreamUnreachable("neither")

    other = Other()
    routed = Routed([Route(("*",), Failing()), Route(("*",), other)])  # type: ignore[arg-type]
    with pytest.raises(UpstreamError):
        await routed.send(Call("POST", target, []))
    assert other.asked == asked
