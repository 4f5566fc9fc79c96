"""What the proxy costs, beside its peers: one fake model, one client, one run.

    make bench                                       all of it; installs the peers on the first run
    python -m eval.benchmarks.overhead --only off --only portkey   some of it
    python -m eval.benchmarks.overhead --no-peers --seconds 1      a short look

Targets: the model itself (`direct`), ours with verification off, observing (`annotate`) and holding (`attach`), and the peers
of `bench_peers`. Client and model share the first core, the target has the last one, so figures are per core; targets take
turns in rounds. Of our own server the CPU per token is also told for the event loop alone, without the threads that check.
Only ratios within one run count.
"""

from __future__ import annotations

import asyncio
import gc
import json
import math
import os
import signal
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import click

from eval.benchmarks.peers import NAMES, Left, peer
from eval.benchmarks.target import Target, free_port
from eval.benchmarks.wire import (
    DELAYS,
    PIECES,
    SIZE,
    TEXT,
    Connection,
    Json,
    Reply,
    content,
    spoken,
)
from guardrail.segment import segment

OURS = {"off": "off", "observe": "annotate", "hold": "attach"}
# It adds footnotes and a section: its text is only longer than the model's.
CHANGES_TEXT = frozenset(("hold",))
CONNECTIONS = (1, 8, 64)
AT_ONCE = 16  # fast streams


# ── measures ──────────────────────────────────────────────────────────────────────────────────────────


def _right(target: Target, said: str, expected: str) -> bool:
    same = len(said) >= len(expected) if target.name in CHANGES_TEXT else said == expected
    if not same:
        target.wrong("text differs")
    return same


async def sequential(target: Target, *, requests: int) -> None:
    """Whole answers, one after the other on one connection."""
    raw, connection = target.request("fake-fast", stream=False), None
    for number in range(requests + 10):
        connection, reply = await target.ask(connection, raw)
        if reply is not None and number >= 10:
            target.add("seq_ms", reply.took * 1e3)
    _close(connection)


async def load(target: Target, *, connections: int, seconds: float, stream: bool) -> None:
    """Closed loop: each connection asks again as soon as it is answered."""
    raw = target.request("fake-fast", stream=stream)
    ends, done, begun = perf_counter() + seconds, 0, perf_counter()
    cpu, loop = target.cpu(), target.cpu(loop_only=True)

    async def ask() -> None:
        nonlocal done
        connection: Connection | None = None
        while perf_counter() < ends:
            connection, reply = await target.ask(connection, raw)
            if reply is None:
                await asyncio.sleep(0.01)
                continue
            done += 1
            if stream and b'"content":' not in reply.body:
                target.wrong("no text")
        _close(connection)

    await asyncio.gather(*(ask() for _ in range(connections)))
    rate, used = done / (perf_counter() - begun), target.cpu() - cpu
    if not stream:
        target.add(f"requests_s_{connections}", rate)
        target.add(f"cpu_request_ms_{connections}", used / max(done, 1) * 1e3)
        return
    tokens = max(done, 1) * len(spoken("fake-fast")) / SIZE
    target.add("tokens_s", tokens / (perf_counter() - begun))
    target.add("cpu_token_us", used / tokens * 1e6)
    if target.name in OURS:
        target.add("cpu_token_loop_us", (target.cpu(loop_only=True) - loop) / tokens * 1e6)


async def streamed(target: Target, *, streams: int) -> None:
    """Paced streams, one after the other: first words, and the gaps between them."""
    raw, connection = target.request("fake-10ms", stream=True), None
    for _ in range(streams):
        connection, reply = await target.ask(connection, raw)
        if reply is None:
            continue
        said = [(at, text) for at, event in reply.events() if (text := content(event))]
        if not _right(target, "".join(text for _, text in said), spoken("fake-10ms")):
            continue
        target.add("ttft_ms", said[0][0] * 1e3)
        target.add("total_ms", reply.took * 1e3)
        target.add("gap_ms", *((b[0] - a[0]) * 1e3 for a, b in pairwise(said)))
    _close(connection)


async def verdicts(target: Target, *, streams: int, model: str, at_once: bool) -> None:
    """How long after a sentence's last byte it is judged (observe) or let go (hold)."""
    raw = target.request(model, stream=True)
    name = f"{streams}_streams" if at_once else "one_stream"
    cpu = target.cpu(loop_only=True)

    async def one() -> Reply | None:
        connection, reply = await target.ask(None, raw)
        _close(connection)
        return reply

    replies = (
        await asyncio.gather(*(one() for _ in range(streams)))
        if at_once
        else [await one() for _ in range(streams)]
    )
    for reply in replies:
        if reply is not None:
            target.add(f"lag_{name}_ms", *(late * 1e3 for late in _lags(target, reply, model)))
    if at_once:
        tokens = streams * len(spoken(model)) / SIZE
        target.add(f"rss_{name}_mib", target.memory())
        target.add(f"cpu_token_loop_{name}_us", (target.cpu(loop_only=True) - cpu) / tokens * 1e6)
        target.add(f"dropped_{name}", sum(reply is None for reply in replies))
        target.add(
            f"not_checked_{name}", sum(reply.body.count(b'"reason":"overload"') for reply in replies if reply)
        )


def _lags(target: Target, reply: Reply, model: str) -> list[float]:
    """Seconds for each sentence. The model sends piece i at (i+1) delays after the request, whatever the target does."""
    due = {end: math.ceil(end / SIZE) * DELAYS[model] for end in (s.span.end for s in segment(spoken(model)))}
    found, length = [], 0
    for at, event in reply.events():
        if target.name == "observe":
            told = event.get("guardrail")
            if isinstance(told, dict) and "check_offset" in told:
                done = [end for end in due if end <= told["check_offset"]]
                found += [at - due.pop(end) for end in done]
        elif text := content(event):
            length += len(text)
            found += [at - due.pop(end) for end in [end for end in due if end <= length]]
    return found


def _close(connection: Connection | None) -> None:
    if connection is not None:
        connection.transport.close()


# ── the run ───────────────────────────────────────────────────────────────────────────────────────────


def targets(only: Sequence[str], upstream: str, home: str) -> tuple[list[Target], dict[str, str]]:
    """Those to be measured, and why others are not."""
    found, left = [], {}
    for name, policy in OURS.items():
        if not only or name in only:
            port = free_port()
            options = (
                "--port",
                str(port),
                "--policy",
                policy,
                "--upstream",
                upstream,
                "--log-format",
                "text",
            )
            command = (sys.executable, "-m", "eval.benchmarks.target", *options)
            folder = {"GUARDRAIL_HOME": str(Path(home, name))}
            found.append(Target(name, f"http://127.0.0.1:{port}/v1", command, environment=folder))
    for name in NAMES:
        if not only or name in only:
            try:
                one, port = peer(name, upstream), free_port()
            except Left as reason:
                left[name] = str(reason)
                continue
            started = tuple(part.replace("{port}", str(port)) for part in one.command)
            base = f"http://127.0.0.1:{port}/v1"
            found.append(Target(name, base, started, headers=one.headers, environment=one.environment))
    return found, left


async def run(
    wanted: Sequence[str], *, rounds: int, seconds: float, streams: int, requests: int, crowd: int
) -> tuple[list[Target], dict[str, str]]:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # no server outlives the bench
    cores = sorted(os.sched_getaffinity(0))
    here, there = {cores[0]}, {cores[-1]}
    port = free_port()
    upstream = f"http://127.0.0.1:{port}/v1"
    direct = Target("direct", upstream, (sys.executable, "-m", "eval.benchmarks.wire", str(port)))
    with ExitStack() as ends, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.sched_setaffinity(0, here)
        ends.callback(os.sched_setaffinity, 0, set(cores))
        ends.callback(direct.stop)
        await direct.start(here)
        others, left = targets(wanted, upstream, home)
        ready = [direct]
        for target in others:
            try:
                ends.callback(_stop, target)
                await target.start(there)
            except RuntimeError as error:
                left[target.name] = str(error)
                continue
            target.add("rss_idle_mib", target.memory())
            ready.append(target)
            click.echo(f"{target.name} is ready", err=True)
        gc.disable()
        for number in range(rounds):
            for target in ready[number % len(ready) :] + ready[: number % len(ready)]:
                await _round(target, seconds=seconds, streams=streams, requests=requests)
                click.echo(f"round {number + 1}: {target.name} {target.errors or ''}", err=True)
        for target in [one for one in ready if one.name in ("observe", "hold")]:
            await verdicts(target, streams=streams, model="fake-long", at_once=False)
            for many in (50, crowd):
                await verdicts(target, streams=many, model="fake-50ms", at_once=True)
    return ready, left


async def _round(target: Target, *, seconds: float, streams: int, requests: int) -> None:
    await sequential(target, requests=requests)
    for connections in CONNECTIONS:
        await load(target, connections=connections, seconds=seconds, stream=False)
    await streamed(target, streams=streams)
    await load(target, connections=AT_ONCE, seconds=seconds, stream=True)
    target.add("rss_after_mib", target.memory())
    gc.collect()


def _stop(target: Target) -> None:
    for name, value in target.stop().items():
        target.add(name, float(str(value)))


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────

SPREAD = ("seq_ms", "ttft_ms", "gap_ms", "total_ms")


def figures(target: Target) -> dict[str, float]:
    """Latencies pooled over the rounds (p50 and p99), rates as the median of them."""
    found: dict[str, float] = {}
    for name, values in target.found.items():
        if name in SPREAD or name.startswith("lag_"):
            stem, unit = name.rsplit("_", 1)
            ordered = sorted(values)
            found[f"{stem}_p50_{unit}"] = statistics.median(ordered)
            found[f"{stem}_p99_{unit}"] = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
        else:
            found[name] = statistics.median(values)
    return found


def bars(found: dict[str, dict[str, float]]) -> list[tuple[str, str, bool]]:
    """(what, how it came out, whether the bar is met), as far as its targets were measured."""

    def at(target: str, name: str) -> float:
        return found.get(target, {}).get(name, math.nan)

    added = {name: at(name, "seq_p50_ms") - at("direct", "seq_p50_ms") for name in found}
    rate, nan = "requests_s_64", math.nan
    told = [
        ("overhead off, of LiteLLM's", added.get("off", nan) / added.get("litellm", nan), 0.1, "at most"),
        ("overhead off, of Portkey's", added.get("off", nan) / added.get("portkey", nan), 0.5, "at most"),
        ("requests/s off, times LiteLLM's", at("off", rate) / at("litellm", rate), 20, "at least"),
        ("requests/s off, times Portkey's", at("off", rate) / at("portkey", rate), 2, "at least"),
        ("CPU per token off, µs", at("off", "cpu_token_us"), 20, "at most"),
        ("CPU per token observe without verdicts, µs", at("observe", "cpu_token_loop_us"), 40, "at most"),
        ("TTFT observe over off, ms", at("observe", "ttft_p50_ms") - at("off", "ttft_p50_ms"), 1, "at most"),
        ("hold releases a sentence, p50 ms", at("hold", "lag_one_stream_p50_ms"), 30, "at most"),
        ("hold releases a sentence, p99 ms", at("hold", "lag_one_stream_p99_ms"), 100, "at most"),
        ("loop lag observe, p99 ms", at("observe", "loop_lag_p99_ms"), 50, "at most"),
        ("memory observe, 500 streams, MiB", at("observe", "rss_500_streams_mib"), 1024, "at most"),
        ("streams dropped, observe, of 500", at("observe", "dropped_500_streams"), 0, "at most"),
    ]
    return [
        (what, f"{value:.3g} ({sense} {bar:g})", value <= bar if sense == "at most" else value >= bar)
        for what, value, bar, sense in told
        if not math.isnan(value)
    ]


def table(found: dict[str, dict[str, float]]) -> str:
    names = list(dict.fromkeys(name for one in found.values() for name in one))
    lines = ["| measure |" + "".join(f" {target} |" for target in found), "|---|" + "---|" * len(found)]
    for name in names:
        cells = (f" {one[name]:.4g} |" if name in one else " |" for one in found.values())
        lines.append(f"| {name} |" + "".join(cells))
    return "\n".join(lines)


@click.command()
@click.option(
    "--only", multiple=True, type=click.Choice([*OURS, *NAMES]), help="These targets. Default: all."
)
@click.option("--no-peers", is_flag=True, help="Ours only.")
@click.option("--rounds", default=2, show_default=True)
@click.option("--seconds", default=3.0, show_default=True, help="For each load.")
@click.option("--requests", default=100, show_default=True, help="Sequential whole answers, for each round.")
@click.option("--streams", default=8, show_default=True, help="Sequential paced streams, for each round.")
@click.option(
    "--crowd", default=500, show_default=True, help="Streams at a time, of 20 tokens a second each."
)
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures there too.")
def main(
    only: tuple[str, ...],
    no_peers: bool,
    rounds: int,
    seconds: float,
    requests: int,
    streams: int,
    crowd: int,
    file: Path | None,
) -> None:
    """Measure the proxy against its peers and against going to the model directly."""
    import uvloop

    wanted = only or (tuple(OURS) if no_peers else ())
    ready, left = uvloop.run(
        run(wanted, rounds=rounds, seconds=seconds, streams=streams, requests=requests, crowd=crowd)
    )
    found = {target.name: figures(target) for target in ready}
    click.echo(
        f"{len(TEXT)} characters in {len(PIECES)} chunks; {os.cpu_count()} cores, one for the target\n"
    )
    click.echo(table(found))
    click.echo("\n| bar | |\n|---|---|")
    for what, value, met in bars(found):
        click.echo(f"| {what} | {value}: {'met' if met else 'missed'} |")
    for target in ready:
        if target.errors:
            click.echo(f"errors of {target.name}: {target.errors}")
    for name, reason in left.items():
        click.echo(f"left out: {name}: {reason}")
    if file:
        told: Json = {"figures": found, "left_out": left, "errors": {one.name: one.errors for one in ready}}
        file.write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
