"""The bench measures what it says: both ends understand each other, figures and bars are reckoned right."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from eval.benchmarks import overhead as bench
from eval.benchmarks import peers as bench_peers
from eval.benchmarks.peers import Left, peer
from eval.benchmarks.target import Target
from eval.benchmarks.wire import TEXT, FakeModel, Reply, content, spoken


async def asked(model: str, *, stream: bool) -> Reply:
    server = await asyncio.get_running_loop().create_server(FakeModel, "127.0.0.1", 0)
    async with server:
        target = Target("direct", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        connection, reply = await target.ask(None, target.request(model, stream=stream))
        assert target.errors == {}
        assert connection is not None
        assert reply is not None
        again = (await target.ask(connection, target.request(model, stream=stream)))[1]
        connection.transport.close()
        await asyncio.sleep(0)
    assert again is not None
    assert again.body == reply.body
    return reply


async def test_a_whole_answer_comes_through() -> None:
    """Status and body of a whole answer, twice on one connection."""
    reply = await asked("fake-fast", stream=False)
    assert reply.status == 200
    assert TEXT.encode() in reply.body


@pytest.mark.parametrize("model", ["fake-fast", "fake-10ms"])
async def test_a_stream_comes_with_its_times(model: str) -> None:
    """Each event has the moment of its arrival; the paced model is not faster than its pace."""
    reply = await asked(model, stream=True)
    events = list(reply.events())
    assert "".join(content(event) for _, event in events) == spoken(model)
    times = [at for at, _ in events]
    assert times == sorted(times)
    assert events[-1][1]["usage"]
    if model == "fake-10ms":
        assert times[-1] >= 1.0


async def test_what_goes_wrong_is_counted() -> None:
    """Nobody there is an error of the target, not of the bench."""
    target = Target("nobody", "http://127.0.0.1:9/v1")
    assert await target.ask(None, target.request("m", stream=False)) == (None, None)
    assert target.errors == {"ConnectionRefusedError": 1}


async def test_a_target_that_ends_is_told() -> None:
    """A server that dies at once is left out, and its process is gone."""
    target = Target("dead", "http://127.0.0.1:9/v1", (sys.executable, "-c", "raise SystemExit(3)"))
    with pytest.raises(RuntimeError, match="ended with 3"):
        await target.start(os.sched_getaffinity(0))
    assert target.stop() == {}
    assert target.process is None


def test_figures_and_bars() -> None:
    """Latencies are pooled, rates are the median of rounds; a bar is told for what was measured only."""
    off, direct, litellm = (Target(name, "") for name in ("off", "direct", "litellm"))
    direct.add("seq_ms", 1.0)
    off.add("seq_ms", 1.2, 1.2, 1.4)
    litellm.add("seq_ms", 5.0)
    off.add("requests_s_64", 100.0, 300.0, 200.0)
    litellm.add("requests_s_64", 20.0)
    found = {one.name: bench.figures(one) for one in (direct, off, litellm)}
    assert (found["off"]["seq_p50_ms"], found["off"]["requests_s_64"]) == (1.2, 200.0)
    told = {what: met for what, _, met in bench.bars(found)}
    assert told == {"overhead off, of LiteLLM's": True, "requests/s off, times LiteLLM's": False}
    assert "| seq_p50_ms | 1 | 1.2 | 5 |" in bench.table(found)


def test_a_peer_that_cannot_be_installed_is_left_out(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """The reason is told in one line; nothing is made outside the cache folder."""
    monkeypatch.setenv("GUARDRAIL_BENCH", str(tmp_path))
    monkeypatch.setattr(bench_peers.shutil, "which", lambda _: None)
    with pytest.raises(Left, match="node and npm"):
        peer("portkey", "http://127.0.0.1:9/v1")
    monkeypatch.setattr(bench_peers, "NEMO", "no-such-package-of-guardrail==0")
    monkeypatch.setattr(bench_peers.sys, "executable", "/nowhere/python")
    with pytest.raises(Left, match="cannot be installed"):
        peer("nemo", "http://127.0.0.1:9/v1")
