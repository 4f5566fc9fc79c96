"""`guardrail batch INPUT --into OUTPUT`: many texts to reports, in processes, and on again after an interruption."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, cast, get_args

import click
import orjson

from guardrail.cli import options
from guardrail.cli.batch_engines import local
from guardrail.cli.batch_job import Checking, Job, Kind, Layout, alone, begun, opened, written
from guardrail.cli.batch_rows import Part, Source, columns, divide, has_parquet, sources
from guardrail.cli.batch_work import Done, Tick, Worker
from guardrail.cli.lines import FIELDS
from guardrail.cli.reviewer import reviewer_options
from guardrail.config import corpus_is_there
from guardrail.errors import BadRequest
from guardrail.review import ReviewerSettings

Engine = Callable[..., Iterator[Done]]  # (parts, make, told=…)

PAUSE_S = 10.0  # between two lines of progress where it is no terminal


@click.command()
@click.argument("source", metavar="INPUT")
@click.option(
    "--into",
    required=True,
    metavar="FOLDER|URL",
    help="Where to write the reports. An unfinished run in the same place is continued.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["parquet", "jsonl"]),
    help="Default: that of the batch that is continued, else parquet where its extra is installed, else jsonl.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Number of processes. Default: one for each core of this machine or of the cluster.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="local: processes of this machine; ray: a Ray cluster, at RAY_ADDRESS or started here.",
)
@click.option("--rows", default=1000, show_default=True, type=click.IntRange(1), help="Rows in each part.")
@click.option("--text", default="text", show_default=True, metavar="NAME", help="The field to check.")
@click.option("--ignore-others", is_flag=True, help="Ignore unknown fields.")
@click.option("--allow-bad", is_flag=True, help="Exit with 0 even if some rows are set aside.")
@options.knowledge
@options.recognizer
@options.model
@reviewer_options
def batch(
    source: str,
    into: str,
    kind: Kind | None,
    workers: int | None,
    engine: Literal["local", "ray"],
    rows: int,
    text: str,
    ignore_others: bool,
    allow_bad: bool,
    knowledge: tuple[str, ...],
    recognizer: str | None,
    model: str | None,
    reviewer: ReviewerSettings | None,
) -> None:
    """Check the rows of INPUT: a JSONL or Parquet file, a folder of such files, or a URL. A row is {text, id?, question?, references?, …}.

    If some rows cannot be checked, they are set aside, and the exit code is 1.
    """
    corpus_is_there()
    checking = Checking(text, ignore_others, knowledge, recognizer, reviewer, model)
    files, others = sources(source)
    if others:
        click.echo(f"{others} other file(s) in {source} are ignored", err=True)
    _must_be_known(files, checking)
    layout = Layout(_place(into), kind or _kind(_place(into)))
    if layout.into.startswith(f"{_place(source)}/"):
        raise BadRequest(f"{into} is inside {source}: the output would be read as input")
    with alone(layout.journals / "lock"):
        job = _job(layout, checking, tuple(files), rows)
        _run(job, _engine(engine, workers))
    shutil.rmtree(layout.journals, ignore_errors=True)
    if layout.rows_aside() and not allow_bad:
        raise click.exceptions.Exit(1)


def _kind(into: str) -> Kind:
    """What reports are written as where nobody said it. As the batch in this folder was begun, so that it can go on."""
    if (found := begun(into)) is not None and found.get("kind") in get_args(Kind):
        return cast(Kind, found["kind"])
    if has_parquet():
        return "parquet"
    click.echo(
        "the reports are written as JSONL; Parquet needs: pip install 'claim-guardrail[parquet]'", err=True
    )
    return "jsonl"


def _place(into: str) -> str:
    return into.rstrip("/") if "://" in into else str(Path(into).absolute())


def _must_be_known(files: list[Source], checking: Checking) -> None:
    """Tables are looked at before anything is checked: all of their rows would be set aside. Raises BadRequest."""
    known = {"id", checking.text, *FIELDS}
    for file in files:
        names = columns(file)
        if names and checking.text not in names:
            raise BadRequest(f"{file.path} has no column {checking.text!r}; give the right name with --text")
        if not checking.others and (unknown := sorted(set(names) - known)):
            raise BadRequest(
                f"{file.path}: unknown field {unknown[0]!r}; --ignore-others ignores such columns"
            )


def _job(layout: Layout, checking: Checking, files: tuple[Source, ...], rows: int) -> Job:
    """What was begun, or a new one, which is written down."""
    job = Job(layout, checking, files, (), rows)
    if (found := opened(job)) is not None:
        return Job(layout, checking, files, tuple(Part(**part) for part in found["parts"]), rows)
    job = Job(layout, checking, files, tuple(divide(files, rows)), rows)
    written(f"{layout.into}/batch.json", orjson.dumps(job.to_dict()))
    return job


def _engine(engine: str, workers: int | None) -> Engine:
    if engine == "local":
        return partial(local, workers=workers or os.cpu_count() or 1)
    from guardrail.cli.batch_ray import on_ray

    return partial(on_ray, workers=workers)


def _run(job: Job, engine: Engine) -> None:
    done = job.layout.done()
    left = [part for part in job.parts if part.number not in done]
    total = sum(part.count for part in job.parts)
    progress = Progress(total, total - sum(part.count for part in left))
    make = partial(_made, job)
    click.echo(f"{total:,} rows in {len(job.parts):,} parts, {progress.before:,} rows are done", err=True)
    reports = aside = 0
    try:
        for one in engine(left, make, told=progress.tell):
            reports, aside = reports + one.reports, aside + one.set_aside
    except KeyboardInterrupt:
        click.echo("\ninterrupted; the same command continues from here", err=True)
        raise click.exceptions.Exit(130) from None
    progress.end()
    click.echo(f"{reports:,} reports were written to {job.layout.into}/reports", err=True)
    if known := job.layout.rows_aside():
        of_these = "" if known == aside else f" ({aside:,} by this run)"
        click.echo(f"{known:,} rows were set aside{of_these}; {job.layout.into}/set-aside says why", err=True)


def _made(job: Job, tick: Tick) -> Worker:
    return Worker(job.layout, job.checking, tick)


@dataclass(slots=True)
class Progress:
    """How far it is, how fast, and when it will be over; on a terminal in one line. `before`: rows done by earlier runs."""

    total: int
    before: int
    _began: float = field(default_factory=time.monotonic)
    _said: float = field(default_factory=time.monotonic)
    _rows: int = 0

    def tell(self, rows: int) -> None:
        """`rows` done in this run so far."""
        self._rows = rows
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if now - self._said >= (1.0 if terminal else PAUSE_S):
            self._said = now
            click.echo(f"\r{self.line(now)}\033[K" if terminal else self.line(now), err=True, nl=not terminal)

    def line(self, now: float) -> str:
        """`now`: on the monotonic clock."""
        done, rate = self.before + self._rows, self._rows / max(now - self._began, 1e-9)
        left = f"{(self.total - done) / rate:,.0f} s left" if rate else "no row yet"
        return f"{done:,} of {self.total:,} rows, {rate:,.1f} rows/s, {left}"

    def end(self) -> None:
        line = self.line(time.monotonic()).rpartition(",")[0]
        click.echo(f"\r{line}\033[K" if sys.stderr.isatty() else line, err=True)
