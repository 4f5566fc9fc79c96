"""Many open streams at a time, each of 20 tokens a second: what is dropped, what is checked, and what it costs.

    python -m eval.benchmarks.streams                                500 streams under `annotate` (mode observe)
    python -m eval.benchmarks.streams --streams 100 --policy attach  fewer, held

The fake model and the client share the first core, the server has the last one (or `--cores`). What the server cannot check
in time must say so: every sentence of every report is counted as checked or as not checked, by reason; an answer whose
text or sentences are missing, or which is called confirmed or unconfirmed with sentences unchecked, is counted as wrong.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from eval.benchmarks.target import Target, free_port
from eval.benchmarks.wire import Json, Reply, content, spoken
from guardrail.segment import segment

MODEL = "fake-50ms"
BARS = (
    ("streams dropped", "dropped", 0.0),
    ("answers wrong or silently confirmed", "wrong", 0.0),
    ("event loop lag p99, ms", "loop_lag_p99_ms", 50.0),
    ("memory, MiB", "rss_mib", 1024.0),
    ("CPU of the event loop, µs per token", "loop_us_per_token", 40.0),
)


@dataclass
class Seen:
    """`sentences`: by what became of them. `outcomes`: of the answers."""

    replies: int = 0
    wrong: int = 0
    sentences: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    figures: Json = field(default_factory=dict)

    def add(self, reply: Reply | None) -> None:
        """Counts one answer; without one, or without its report, the stream was dropped."""
        events = [event for _, event in reply.events()] if reply else []
        report: Any = next((found for one in events if (found := _report(one))), None)
        if report is None:
            return
        self.replies += 1
        text = spoken(MODEL)
        unchecked = report["unchecked"]
        said = "".join(map(content, events))
        covered = [*report["claims"], *unchecked, *report["skipped"]]
        lost = sum(
            not any(one["start"] < sentence.span.end and sentence.span.start < one["end"] for one in covered)
            for sentence in segment(text)
        )
        self.sentences["checked"] += len(segment(text)) - len(unchecked) - lost
        self.sentences["without a claim"] += lost
        self.sentences.update(f"not checked: {one['reason']}" for one in unchecked)
        self.outcomes[report["outcome"]] += 1
        passed_all_the_same = bool(unchecked) and report["outcome"] not in ("flagged", "not_checked")
        self.wrong += not said.startswith(text) or passed_all_the_same


def _report(event: Json) -> Json:
    """The report that stands beside the last words of a choice."""
    choices = event.get("choices")
    found = [_of(_of(one, "delta"), "guardrail") for one in choices] if isinstance(choices, list) else []
    return found[0] if found else {}


def _of(event: Json, key: str) -> Json:
    found = event.get(key)
    return found if isinstance(found, dict) else {}


async def crowd(target: Target, *, streams: int) -> Seen:
    """All streams at once; they begin within a second, as clients do."""
    seen, raw = Seen(), target.request(MODEL, stream=True)
    before, loop_before = target.cpu(), target.cpu(loop_only=True)

    async def one(number: int) -> None:
        await asyncio.sleep(number / streams)
        connection, reply = await target.ask(None, raw)
        if connection is not None:
            connection.transport.close()
        seen.add(reply)

    await asyncio.gather(*(one(number) for number in range(streams)))
    tokens = streams * len(spoken(MODEL)) / 4
    seen.figures = {
        "streams": streams,
        "dropped": streams - seen.replies,
        "wrong": seen.wrong,
        "rss_mib": round(target.memory(), 1),
        "us_per_token": round((target.cpu() - before) / tokens * 1e6, 1),
        "loop_us_per_token": round((target.cpu(loop_only=True) - loop_before) / tokens * 1e6, 1),
    }
    return seen


async def measure(*, streams: int, policy: str, cores: set[int], verifiers: int = 0) -> Seen:
    """One run against a server of its own. Raises RuntimeError when it does not start."""
    port, upstream = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        model = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "eval.benchmarks.wire", str(upstream)
        )
        options = ["--port", str(port), "--upstream", f"http://127.0.0.1:{upstream}/v1", "--policy", policy]
        options += ["--verifiers", str(verifiers), "--max-answers", str(streams + 10)]
        command = [sys.executable, "-m", "eval.benchmarks.target", *options]
        environment = {"GUARDRAIL_HOME": str(Path(folder))}
        target = Target(policy, f"http://127.0.0.1:{port}/v1", command, environment=environment)
        try:
            await target.start(cores)
            await target.ask(None, target.request("fake-fast", stream=True))
            seen = await crowd(target, streams=streams)
        finally:
            lag = target.stop()
            model.terminate()
            await model.wait()
    seen.figures |= lag | {f"error: {what}": count for what, count in target.errors.items()}
    return seen


@click.command()
@click.option("--streams", default=500, show_default=True, help="Open at a time.")
@click.option("--policy", default="annotate", show_default=True, help="Preset or file.")
@click.option("--cores", default=1, show_default=True, help="For the server: the last ones.")
@click.option("--verifiers", default=0, show_default=True, help="Processes that check.")
def main(streams: int, policy: str, cores: int, verifiers: int) -> None:
    """Print the table of many open streams."""
    have = sorted(os.sched_getaffinity(0))
    if len(have) > cores:
        os.sched_setaffinity(0, set(have[:-cores]))
    seen = asyncio.run(measure(streams=streams, policy=policy, cores=set(have[-cores:]), verifiers=verifiers))
    print("| measure | found | bar | |\n|---|---|---|---|")
    bars = {key: (name, bar) for name, key, bar in BARS}
    for key, value in seen.figures.items():
        name, bar = bars.get(key, (key.replace("_", " "), None))
        told = " |" if bar is None else f"at most {bar:g} | {'met' if float(str(value)) <= bar else 'missed'}"
        print(f"| {name} | {value} | {told} |")
    for what, count in [*seen.sentences.most_common(), *seen.outcomes.most_common()]:
        print(f"| {what} | {count} | | |")


if __name__ == "__main__":
    main()
