"""Checks in threads of the server and in processes beside it: answers a second, the event loop's lag, memory.

    python -m eval.benchmarks.verifiers                       0, 1 and 2 processes, in about three minutes
    python -m eval.benchmarks.verifiers --verifiers 0,4,8 --streams 2000

Server, fake model and client share all cores. Whole answers are asked for one after the other by each of several clients; then
many streams of 20 tokens a second run at a time. Both under `annotate`, where a sentence that cannot be checked in time is not
checked. Each count of processes is compared with the first one.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from eval.benchmarks.streams import MODEL, measure
from eval.benchmarks.target import Target, free_port
from eval.benchmarks.wire import Json

CLIENTS = 6  # that ask for whole answers
RATE = "answers/s"
BUSY = 1.0  # load of the machine beyond which rates and lags tell little


@dataclass(frozen=True)
class Rate:
    """Answers a second, and what each cost in ms of CPU: in the server's process, in those that check."""

    answers: float
    server_ms: float
    checks_ms: float


async def rate(target: Target, *, seconds: float) -> Rate:
    """The clients begin one after the other and end with the answer that they have begun."""
    raw = target.request(MODEL, stream=False)
    begun, server, tree = time.perf_counter(), target.cpu(server_only=True), target.cpu()
    done: list[float] = []

    async def client(number: int) -> None:
        await asyncio.sleep(number * 0.1)
        connection = None
        while time.perf_counter() - begun < seconds:
            connection, reply = await target.ask(connection, raw)
            if reply is not None:
                done.append(time.perf_counter() - begun)
        if connection is not None:
            connection.transport.close()

    await asyncio.gather(*map(client, range(CLIENTS)))
    warm = seconds / 4  # by then all clients are at work
    served = target.cpu(server_only=True) - server
    checked = target.cpu() - tree - served
    counted = sum(warm < at <= seconds for at in done)
    return Rate(counted / (seconds - warm), served / len(done) * 1e3, checked / len(done) * 1e3)


async def answers(verifiers: int, seconds: float) -> Json:
    """Of a server of its own: whole answers a second, and memory."""
    port, upstream = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        model = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "eval.benchmarks.wire", str(upstream)
        )
        options = ["--port", str(port), "--upstream", f"http://127.0.0.1:{upstream}/v1"]
        command = [sys.executable, "-m", "eval.benchmarks.target", *options, "--verifiers", str(verifiers)]
        base = f"http://127.0.0.1:{port}/v1"
        target = Target("guardrail", base, command, environment={"GUARDRAIL_HOME": str(Path(folder))})
        try:
            await target.start(os.sched_getaffinity(0))
            await rate(target, seconds=3)
            seen = await rate(target, seconds=seconds)
            sizes = ", ".join(f"{size:.0f}" for size in target.processes())
        finally:
            target.stop()
            model.terminate()
            await model.wait()
    return {
        "start, s": round(target.found["start_s"][0], 1),
        RATE: round(seen.answers, 2),
        "CPU of the server for an answer, ms": round(seen.server_ms),
        "CPU of the checks for an answer, ms": round(seen.checks_ms),
        "memory of each process, MiB (PSS)": sizes,
    } | {f"error: {what}": count for what, count in target.errors.items()}


async def crowd(verifiers: int, streams: int) -> Json:
    """Of a server of its own: many streams at a time."""
    cores = os.sched_getaffinity(0)
    seen = await measure(streams=streams, policy="annotate", cores=cores, verifiers=verifiers)
    told = sum(seen.sentences.values())
    named = ("dropped", "wrong", "loop_lag_p50_ms", "loop_lag_p99_ms", "loop_us_per_token")
    return {name.replace("_", " "): seen.figures[name] for name in named} | {
        "sentences checked in time, %": round(100 * seen.sentences["checked"] / told, 1)
    }


def compared(columns: Sequence[Json]) -> list[str]:
    """Answers a second of each column against those of the first."""
    rates = [float(str(column[RATE])) for column in columns]
    return [f"{one / rates[0]:.2f}" for one in rates]


@click.command()
@click.option("--verifiers", default="0,1,2", show_default=True, help="Counts of processes that check.")
@click.option("--streams", default=500, show_default=True, help="Open at a time; 0: leave this part out.")
@click.option("--seconds", default=12.0, show_default=True, help="In which whole answers are asked for.")
def main(verifiers: str, streams: int, seconds: float) -> None:
    """Print one column for each count of processes."""
    counts = [int(one) for one in verifiers.split(",")]
    columns: list[Json] = []
    for count in counts:
        load = os.getloadavg()[0]
        found = asyncio.run(answers(count, seconds))
        if streams:
            found |= asyncio.run(crowd(count, streams))
        if not columns and load > BUSY:
            print(f"the load of this machine is {load:.1f}: rates and lags tell little", file=sys.stderr)
        columns.append(found)
    print(f"| {len(os.sched_getaffinity(0))} cores | " + " | ".join(f"{count} processes" for count in counts))
    print("|---" * (1 + len(counts)) + "|")
    rows = {
        name: [str(column.get(name, "")) for column in columns]
        for name in dict.fromkeys(name for column in columns for name in column)
    }
    for name, values in {**rows, f"{RATE}, against the first": compared(columns)}.items():
        print(f"| {name} | " + " | ".join(values) + " |")


if __name__ == "__main__":
    main()
