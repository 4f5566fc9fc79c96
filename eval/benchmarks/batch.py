"""`guardrail batch` with one worker and with several: rows a second, from the first part that is done to the last.

    python -m eval.benchmarks.batch                 120 answers of 1,200 characters, 1 and 2 workers, three times in turn
    python -m eval.benchmarks.batch --workers 4 --rows 400 --engine ray

What each process costs before its first row (imports, knowledge, models) is told apart, as a batch of millions pays it once. The
runs take turns, and the median of the ratios is told: other work on the machine changes both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from eval.benchmarks.attacks import prose
from guardrail.cli.batch_engines import local
from guardrail.cli.batch_job import Checking, Layout
from guardrail.cli.batch_rows import divide, sources
from guardrail.cli.batch_work import Done, Tick, Worker

LENGTH = 1_200
PART = 5


def made(layout: Layout, tick: Tick) -> Worker:
    return Worker(layout, Checking(), tick)


def run(source: Path, engine: str, workers: int) -> tuple[float, float]:
    """Rows a second, and the seconds until the first part was done."""
    with tempfile.TemporaryDirectory() as folder:
        parts = list(divide(sources(str(source))[0], PART))
        make, begun = partial(made, Layout(f"{folder}/out", "jsonl")), time.perf_counter()
        done: Iterator[Done]
        if engine == "ray":
            from guardrail.cli.batch_ray import on_ray

            done = on_ray(parts, make, workers=workers, told=lambda _: None)
        else:
            done = local(parts, make, workers=workers, told=lambda _: None)
        ends = [time.perf_counter() for _ in done]
        # Of the parts that the workers began together all but the first are left out, too: they were begun before.
        first = ends[workers - 1]
        return (len(ends) - workers) * PART / (ends[-1] - first), ends[0] - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=120)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.jsonl"
        text = prose(LENGTH)[:LENGTH]
        source.write_text("".join(json.dumps({"id": n, "text": text}) + "\n" for n in range(given.rows)))
        ratios = []
        for _ in range(given.rounds):
            (one, opened), (many, _) = (run(source, given.engine, count) for count in (1, given.workers))
            ratios.append(many / one)
            print(
                f"{one:.1f} rows/s with 1 worker ({opened:.1f} s until its first part), {many:.1f} with {given.workers}"
            )
        print(f"{statistics.median(ratios):.2f} times as fast")


if __name__ == "__main__":
    main()
