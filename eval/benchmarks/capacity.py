"""How many processes a load needs, on paper: a simulation fed with measured costs, and checked against a real run of this size.

    python -m eval.benchmarks.capacity plan --rate 10 --rate 1000      processes, machines, database and Redis for so many answers a second
    python -m eval.benchmarks.capacity check                           measure one process, then compare simulated with real answer times

The model: answers come at random times (Poisson) and go to any process. A process judges the sentences of its answers in turns, one at a
time, on one core; the event loop takes its share of that core for every token. An answer that comes whole has all its sentences at
once, a stream has one after the other. What is not in the model: the model's own server, the network, and other work on the machine.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import aiohttp
import click

from eval.benchmarks.attacks import prose
from eval.benchmarks.target import free_port

LENGTH = 1_200  # characters of an answer
TOKENS = 300  # of such an answer


@dataclass(frozen=True)
class Costs:
    """Measured on the two shared vCPUs of the development machine; `docs/scale.md` says how each was taken. Times are seconds.

    `answer`: of a core, to check an answer of 1,200 characters. `token`: of the event loop, under `observe`. `records`: rows a second
    that one PostgreSQL made durable in one chain. `redis`: of Redis' core, to admit a request of a key, to end it, and to keep a report of
    10 kB. `memory`: MiB of a process under load.
    """

    answer: float = 0.25
    sentences: int = 33
    token: float = 40e-6
    records: float = 4_900
    redis: float = 230e-6
    memory: float = 420

    @property
    def of_a_core(self) -> float:
        """What an answer that is streamed takes of its process's core."""
        return self.answer + TOKENS * self.token


@dataclass(frozen=True)
class Waits:
    """Of a simulation: times of answers from their last word to their last verdict, and of sentences, in seconds."""

    answers: Sequence[float]
    sentences: Sequence[float]
    busy: float

    def answer(self, share: float) -> float:
        return _quantile(self.answers, share)

    def sentence(self, share: float) -> float:
        return _quantile(self.sentences, share)


@dataclass(frozen=True)
class Plan:
    """`processes`: each with a core of its own. `chains`: audit logs, each in a PostgreSQL of its own. `redis`: servers."""

    rate: float
    processes: int
    memory_gib: float
    chains: int
    redis: int
    waits: Waits


def simulate(
    costs: Costs,
    rate: float,
    *,
    processes: int = 1,
    stream_s: float = 0.0,
    answers: int = 4000,
    seed: int = 1,
) -> Waits:
    """`rate`: answers a second for all processes. `stream_s`: how long an answer takes to come; 0: all at once."""
    dice = random.Random(seed)
    # One process gets its share of a Poisson stream, which is one, too; all are alike, so one tells of all.
    share = rate / processes
    slow = 1 - share * TOKENS * costs.token if stream_s else 1.0
    if slow <= 0:
        raise ValueError("the event loop alone needs more than the core")
    cost = costs.answer / costs.sentences / slow
    arrivals: list[tuple[float, int]] = []
    ends, now = [], 0.0
    for number in range(answers):
        now += dice.expovariate(share)
        ends.append(now + stream_s)
        arrivals += [(now + stream_s * (nth + 1) / costs.sentences, number) for nth in range(costs.sentences)]
    # A sentence costs what it costs: half as much as the mean at least, twice as much at times.
    return _served(sorted(arrivals), ends, lambda: cost * (0.5 + dice.expovariate(2.0)))


def _served(arrivals: Sequence[tuple[float, int]], ends: Sequence[float], cost: Callable[[], float]) -> Waits:
    """The answers that wait take turns, a sentence each."""
    waiting: dict[int, deque[float]] = {}
    turns: deque[int] = deque()
    done = [0.0] * len(ends)
    sentences: list[float] = []
    now = busy = 0.0
    at = 0
    while at < len(arrivals) or turns:
        if not turns:
            now = max(now, arrivals[at][0])
        while at < len(arrivals) and arrivals[at][0] <= now:
            came, number = arrivals[at]
            if number not in waiting:
                waiting[number] = deque()
                turns.append(number)
            waiting[number].append(came)
            at += 1
        number = turns.popleft()
        spent = cost()
        now, busy = now + spent, busy + spent
        sentences.append(now - waiting[number].popleft())
        done[number] = now
        if waiting[number]:
            turns.append(number)
        else:
            del waiting[number]
    answers = [max(0.0, last - end) for last, end in zip(done, ends, strict=True)]
    warm = len(answers) // 10  # the beginning is emptier than the rest
    return Waits(answers[warm:], sentences[warm * len(sentences) // len(answers) :], busy / now)


def plan(costs: Costs, rate: float, *, within_s: float = 1.0, stream_s: float = 15.0) -> Plan:
    """As few processes as keep 99 of 100 sentences within `within_s` seconds, and no core busier than three quarters."""
    least = max(1, math.ceil(rate * costs.of_a_core / 0.75))
    for processes in range(least, least * 4):
        waits = simulate(costs, rate, processes=processes, stream_s=stream_s)
        if waits.sentence(0.99) <= within_s:
            # Half of what one can do: room for bursts, clean-up and one that is away.
            chains, redis = math.ceil(rate / costs.records * 2), math.ceil(rate * costs.redis * 2)
            return Plan(rate, processes, processes * costs.memory / 1024, chains, redis, waits)
    raise ValueError("no number of processes is enough")


# ── a real run ────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Server:
    """A real `guardrail serve` of one process, asked at `/guardrail/verify`."""

    base: str
    process: subprocess.Popen[bytes]

    async def verify(self, http: aiohttp.ClientSession) -> float:
        """Seconds until the report of an answer is there."""
        begun = time.perf_counter()
        async with http.post(f"{self.base}/guardrail/verify", json={"text": prose(LENGTH)}) as answer:
            answer.raise_for_status()
            await answer.read()
        return time.perf_counter() - begun

    def cpu_s(self) -> float:
        """What the process has used of all cores."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def alone(self, http: aiohttp.ClientSession, answers: int) -> tuple[float, float]:
        """Seconds of an answer that has the process to itself: by the clock, and of a core."""
        before = self.cpu_s()
        took = [await self.verify(http) for _ in range(answers)]
        return statistics.mean(took), (self.cpu_s() - before) / answers

    async def loaded(self, http: aiohttp.ClientSession, rate: float, answers: int) -> list[float]:
        """Times of answers that come at random, `rate` a second."""
        dice, asked = random.Random(answers), []
        for _ in range(answers):
            asked.append(asyncio.create_task(self.verify(http)))
            await asyncio.sleep(dice.expovariate(rate))
        return list(await asyncio.gather(*asked))


@contextmanager
def serving(home: str) -> Iterator[Server]:
    """One on a free port, until the block ends."""
    port = free_port()
    code = "from guardrail.cli.main import main; main()"
    command = [sys.executable, "-c", code, "serve", f"--port={port}", f"--audit={home}/audit.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield Server(f"http://127.0.0.1:{port}", process)
        finally:
            process.kill()


@dataclass(frozen=True)
class Compared:
    """`core`: seconds of a core for an answer; `before`, `after`: of the clock, alone; `took`: seconds of each answer under load."""

    load: float
    core: float
    before: float
    after: float
    took: Sequence[float]
    waits: Waits

    def __str__(self) -> str:
        real = f"{statistics.mean(self.took) * 1e3:.0f} / {_quantile(self.took, 0.9) * 1e3:.0f}"
        answers = self.waits.answers
        simulated = f"{statistics.mean(answers) * 1e3:.0f} / {self.waits.answer(0.9) * 1e3:.0f}"
        alone = f"{self.before * 1e3:.0f} to {self.after * 1e3:.0f}"
        return f"| {self.load:.0%} | {self.core * 1e3:.0f} | {alone} | {real} | {simulated} |"


async def compare(server: Server, answers: int, loads: Sequence[float]) -> list[Compared]:
    """Real and simulated times of one process. An answer alone is measured before and after, as other work on the machine changes it."""
    found = []
    async with aiohttp.ClientSession() as http:
        await server.alone(http, 5)  # what is loaded at first
        for load in loads:
            before, core = await server.alone(http, answers // 4)
            took = await server.loaded(http, load / before, answers)
            after, _ = await server.alone(http, answers // 4)
            clock = (before + after) / 2
            waits = simulate(replace(Costs(), answer=clock), load / before)
            found.append(Compared(load, core, before, after, took, waits))
    return found


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


@click.group()
def main() -> None:
    """Capacity on paper, and how near it is to a real run."""


@main.command("plan")
@click.option("--rate", "rates", type=float, multiple=True, default=(10, 1000, 100_000), show_default=True)
@click.option(
    "--answer-ms",
    default=Costs().answer * 1e3,
    show_default=True,
    help="Of a core, for an answer of 1,200 characters.",
)
@click.option(
    "--within", default=1.0, show_default=True, help="Seconds within which 99 of 100 sentences are judged."
)
def show(rates: tuple[float, ...], answer_ms: float, within: float) -> None:
    """Processes, memory and databases for so many streamed answers a second."""
    costs = replace(Costs(), answer=answer_ms / 1e3)
    print(
        "| answers/s | processes (cores) | memory, GiB | a core is busy | sentence p50 / p99, ms | PostgreSQL | Redis |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for rate in rates:
        made = plan(costs, rate, within_s=within)
        waits = made.waits
        wait = f"{waits.sentence(0.5) * 1e3:.0f} / {waits.sentence(0.99) * 1e3:.0f}"
        cells = (
            f"{rate:,.0f}",
            f"{made.processes:,}",
            f"{made.memory_gib:,.0f}",
            f"{waits.busy:.0%}",
            wait,
            made.chains,
            made.redis,
        )
        print(f"| {' | '.join(map(str, cells))} |")


@main.command()
@click.option("--answers", default=60, show_default=True, help="At each load.")
def check(answers: int) -> None:
    """Compare simulated with real answer times of one process."""
    print("| load | an answer, ms of a core | alone, ms | mean / p90, ms | simulated |")
    print("|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as home, serving(home) as server:
        for one in asyncio.run(compare(server, answers, (0.3, 0.6, 0.8))):
            print(one)


if __name__ == "__main__":
    main()
