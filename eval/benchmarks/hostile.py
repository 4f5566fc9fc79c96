"""Texts that are written to be slow to read, beside ordinary prose: what a kB of each costs the server.

    python -m eval.benchmarks.hostile                       every kind, at 1, 10 and 100 kB: some hours on one core
    python -m eval.benchmarks.hostile --kb 1,10             in other sizes
    python -m eval.benchmarks.hostile jr "wide table"       those kinds alone

Each text is handed in at /guardrail/verify and streamed by a model under `annotate`, one at a time, with the real verifier;
meanwhile somebody asks for /healthz. Counted is the CPU time of the server, which other work on the machine changes little. A
kind is met where no kB costs more than twenty times one of prose through the same door, nor twice as much as in a shorter text,
/healthz is answered in 300 ms, and every word is in a claim, in a named non-claim, or told of as not checked.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson

from eval.benchmarks.attacks import (
    FROZEN_MS,
    GOOD,
    KB,
    fetch,
    post,
    probing,
    prose,
    served,
    streamed,
    whole,
)
from eval.benchmarks.hostile_texts import KINDS, hostile
from eval.benchmarks.target import Target
from guardrail.claims.checkable.coverage import filler
from guardrail.types import Span, tile

TIMES = 20.0  # as much as prose, at most
GROWTH = 2.0  # of the cost of a character from one size to the next
NOISE_S = 0.3  # below it the CPU time of a whole server says little
PROSE = "prose"
STREAM = "content-type: text/event-stream"


def text(kind: str, kb: int) -> str:
    return prose(kb * KB)[: kb * KB] if kind == PROSE else hostile(kind, kb * KB)


def answer(name: str) -> tuple[bytes, str]:
    """Model "KIND KB" streams such a text."""
    kind, _, kb = name.rpartition(" ")
    if not kind:
        return whole(GOOD), "content-type: application/json"
    return streamed(text(kind, int(kb)), 40), STREAM


def verified(kind: str, kb: int) -> bytes:
    return post("/guardrail/verify", orjson.dumps({"text": text(kind, kb)}))


def asked(kind: str, kb: int) -> bytes:
    body = {"model": f"{kind} {kb}", "stream": True, "messages": [{"role": "user", "content": "?"}]}
    return post("/v1/chat/completions", orjson.dumps(body), "x-guardrail-policy: annotate")


DOORS = (verified, asked)


def report_of(told: bytes) -> dict[str, Any]:
    """The report in a whole answer's bytes, or in the last chunk of a stream."""
    body = told.partition(b"\r\n\r\n")[2]
    if b"text/event-stream" not in told[:2000]:
        found: dict[str, Any] = orjson.loads(body[body.find(b"{") : body.rfind(b"}") + 1])
        return found
    said = [line[6:] for line in body.split(b"\n") if line.startswith(b"data: {") and b'"outcome"' in line]
    last = orjson.loads(said[-1])["choices"][0]["delta"]["guardrail"]
    return dict(last)


def untold(report: dict[str, Any], said: str) -> int:
    """Characters of stretches with words in them that the report says nothing of, as far as its lists go (`left_out`)."""
    told = [
        Span(one["start"], one["end"]) for key in ("claims", "unchecked", "skipped") for one in report[key]
    ]
    joined: list[Span] = []
    for span in sorted(told):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    cut = (report[key][-1]["end"] for key in report.get("left_out", ()) if report[key])
    until = min(cut, default=len(said))
    within = [Span(span.start, min(span.end, until)) for span in joined if span.start < until]
    return sum(len(gap) for gap in tile(said[:until], within) if not filler(gap.of(said)))


@dataclass(frozen=True)
class Cost:
    """What a text of `kb` cost through a door, in seconds of CPU; parts of it that were not checked, and not told of."""

    kb: int
    seconds: float
    unchecked: float
    untold: int

    @property
    def per_kb(self) -> float:
        return self.seconds / self.kb


async def cost(target: Target, port: int, door: int, kind: str, kb: int) -> Cost:
    before = target.cpu()
    _, told = await fetch(port, DOORS[door](kind, kb), keep=sys.maxsize)
    seconds, said, report = target.cpu() - before, text(kind, kb), report_of(told)
    unchecked = sum(one["end"] - one["start"] for one in report["unchecked"])
    return Cost(kb, seconds, unchecked / len(said), untold(report, said))


@dataclass(frozen=True)
class Row:
    """The costs of a kind by door and size, those of prose likewise, and the longest wait for /healthz."""

    kind: str
    costs: Sequence[Sequence[Cost]]
    prose: Sequence[Sequence[Cost]]
    waited_ms: float

    @property
    def times(self) -> float:
        """How many times what prose of this size costs, at most."""
        pairs = [
            (one, other)
            for mine, its in zip(self.costs, self.prose, strict=True)
            for one, other in zip(mine, its, strict=True)
        ]
        return max(one.seconds / max(other.seconds, NOISE_S) for one, other in pairs)

    @property
    def met(self) -> bool:
        grown = any(
            long.seconds > NOISE_S and long.per_kb > GROWTH * max(short.per_kb, NOISE_S / short.kb)
            for door in self.costs
            for short, long in pairwise(door)
        )
        told = not any(one.untold for door in self.costs for one in door)
        return self.times <= TIMES and not grown and told and self.waited_ms <= FROZEN_MS

    def __str__(self) -> str:
        figures = " | ".join(f"{one.per_kb * 1e3:.0f}" for door in self.costs for one in door)
        last = self.costs[0][-1]
        rest = f"{self.times:.1f} | {last.unchecked:.0%} | {max(one.untold for door in self.costs for one in door)} | {self.waited_ms:.0f}"
        return f"| {self.kind} | {figures} | {rest} | {'met' if self.met else 'missed'} |"


async def measure(kinds: Sequence[str], sizes: Sequence[int]) -> int:
    """Prints a row for each kind; 1 when a bar is missed."""
    names = [f"{door}, {kb} kB" for door in ("verify", "stream") for kb in sizes]
    rows: list[Row] = []
    async with served(answer) as (target, port):
        print(
            f"| ms of CPU for a kB | {' | '.join(names)} | × prose | unchecked | untold | /healthz max, ms | |"
        )
        print(f"|---|{'---:|' * (len(names) + 4)}---|")
        for kind in (PROSE, *kinds):
            async with probing(port) as waited:
                costs = [
                    [await cost(target, port, door, kind, kb) for kb in sizes] for door in range(len(DOORS))
                ]
            rows.append(Row(kind, costs, rows[0].costs if rows else costs, max(waited)))
            print(rows[-1], flush=True)
    return int(not all(row.met for row in rows[1:]))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], default=[])
    parser.add_argument("--kb", default="1,10,100")
    given = parser.parse_args()
    return asyncio.run(measure(given.kinds or list(KINDS), [int(one) for one in given.kb.split(",")]))


if __name__ == "__main__":
    sys.exit(main())
