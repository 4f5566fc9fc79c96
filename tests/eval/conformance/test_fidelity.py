"""What the proxy passes on, byte for byte beside what goes directly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from eval.conformance.exchanges import EXCHANGES, Exchange, Reads, asked, whole
from eval.conformance.fidelity import Problem, differing
from tests.eval.conformance.stages import stage


async def test_nothing_differs_through_the_proxy(tmp_path: Path) -> None:
    """Every exchange arrives and comes back as it does directly, under each policy that it is played under."""
    async with stage(tmp_path) as ready:
        assert [str(one) for one in await differing(ready) if not one.known] == []


async def test_each_policy_and_each_way_of_reading_is_played() -> None:
    """The exchanges cover passed, whole and streamed answers, under a policy that observes, one that holds and one that buffers."""
    played = {(one.reads, policy) for one in EXCHANGES for policy in one.policies}
    read = {
        (reads, policy) for reads in (Reads.WHOLE, Reads.EVENTS) for policy in ("annotate", "revise", "block")
    }
    assert played == read | {(Reads.NOTHING, "annotate")}
    assert len({one.name for one in EXCHANGES}) == len(EXCHANGES)


async def test_a_changed_text_is_told(tmp_path: Path) -> None:
    """Where a policy does change words, fidelity says so: what it compares is not empty."""
    said = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"This is wrong."},"finish_reason":"stop"}]}'
    wrong = Exchange(
        "wrong", asked("POST /v1/chat/completions", b'{"messages":[]}'), whole(said), Reads.WHOLE, ("revise",)
    )
    async with stage(tmp_path) as ready:
        (problem,) = await differing(ready, [wrong])
    assert problem == Problem(
        "wrong", "revise", "$.choices[0].message.content is 'This is right.', not 'This is wrong.'"
    )


async def test_a_stream_that_comes_only_when_it_is_complete_is_told(tmp_path: Path) -> None:
    """Without a byte being changed: the server holds its end back until the client has seen the beginning."""
    (exchange,) = (one for one in EXCHANGES if one.name == "chat stream")
    async with stage(tmp_path) as ready:
        ready.client.set(answer=lambda raw: raw)
        found = await differing(ready, [replace(exchange, policies=("annotate",))])
    assert [one.what for one in found] == ["the beginning of the stream came only with its end"]


async def test_what_is_known_is_said(tmp_path: Path) -> None:
    """A known problem keeps its reason, so that it is told and not passed over."""
    exchange = Exchange("known", asked("GET /v1/models"), whole(b"{}"), known={"annotate": "a reason"})
    async with stage(tmp_path) as ready:
        ready.client.set(answer=lambda raw: raw.replace(b"200", b"500", 1))
        found = await differing(ready, [exchange])
    assert [one.known for one in found] == ["a reason"]
