"""`guardrail kg import`: files into the graph, and what was made of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from guardrail.cli.kg_mappings import Mappings
from guardrail.cli.kg_open import as_of_option
from guardrail.config import knowledge_file
from guardrail.evidence.catalog.described import summary
from guardrail.evidence.catalog.faults import faults
from guardrail.evidence.catalog.nameless import nameless
from guardrail.evidence.door import open_or_create
from guardrail.evidence.importers.chunk import BadRecord, FileReader
from guardrail.evidence.importers.formats import NAMES, TABLES, reader_for, suffix_of
from guardrail.evidence.importers.load import Loader, Outcome
from guardrail.evidence.importers.load import Progress as Step
from guardrail.evidence.importers.source import Source
from guardrail.evidence.store.graph import Graph

__all__ = ["import_files"]

_SHOWN = 10
_FEW = 5


@click.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--into", "-k", metavar="FILE|URL", help="The graph to import into. It is created if it does not exist."
)
@click.option(
    "--format",
    "form",
    default="",
    metavar="NAME",
    help=f"One of {', '.join(NAMES)}; default: by the extension.",
)
@click.option(
    "--language", "-l", "languages", multiple=True, default=("en",), show_default=True, help="Of names."
)
@click.option("--property", "-p", "properties", multiple=True, help="Import only these relations (ids).")
@click.option(
    "--mapping",
    "-m",
    type=click.Path(path_type=Path),
    help="A YAML file that says what each column of a table is.",
)
@click.option("--yes", "-y", is_flag=True, help="Accept the guessed meaning of a table's columns.")
@click.option("--source", default="", help="The source of every statement. Default: the file's name.")
@as_of_option
@click.option("--strict", is_flag=True, help="Stop at the first record that cannot be read.")
@click.option("--allow-bad", is_flag=True, help="Exit with 0 even if some records cannot be read.")
@click.option("--again", is_flag=True, help="Import files again that were imported before.")
@click.option(
    "--replace/--keep",
    default=None,
    help="Remove what --source, too, said before, or keep all. Default: a file takes the place of a former one of its name.",
)
@click.option("--quiet", is_flag=True, help="Show no progress bar.")
@click.pass_context
def import_files(
    ctx: click.Context,
    files: tuple[Path, ...],
    into: str | None,
    form: str,
    languages: tuple[str, ...],
    properties: tuple[str, ...],
    mapping: Path | None,
    yes: bool,
    source: str,
    as_of: str,
    strict: bool,
    allow_bad: bool,
    again: bool,
    replace: bool | None,
    quiet: bool,
) -> None:
    """Import FILES: RDF, Wikidata dumps, tables. They may be compressed.

    If an import was interrupted, the same command continues it. If some records cannot be read, the exit code is 1; the others
    are imported.
    """
    where = into or ctx.obj or knowledge_file()
    for path in files:
        with Source.open(path):
            pass  # a slip of the pen makes no graph
    mappings = Mappings(where, mapping, yes=yes)
    reading = partial(reader_for, format_name=form, languages=languages, properties=properties)
    readers = [(path, reading(path, mapping=mappings.of(path, form))) for path in files]
    with open_or_create(where) as graph, _bar(quiet) as bar:
        loader = Loader(graph, strict=strict, again=again, source=source, as_of=as_of, replace=replace)
        outcomes = _loaded(loader, readers, mappings, bar)
        _tell_what_it_means(graph, outcomes)
    if any(outcome.bad and not outcome.already for outcome in outcomes) and not allow_bad:
        ctx.exit(1)


def _loaded(
    loader: Loader, readers: Sequence[tuple[Path, FileReader]], mappings: Mappings, bar: Progress
) -> list[Outcome]:
    """What became of each file; what was loaded before one that fails is kept."""
    outcomes = []
    try:
        for path, reader in readers:
            loader.report = _Reporter(bar, bar.add_task(path.name, total=None, rate=""))
            outcomes.append(loader.load(path, reader))
            _tell(outcomes[-1])
            mappings.save(path)
    finally:
        loader.settle()
    return outcomes


def _bar(quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%  {task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=quiet,
        transient=True,
    )


class _Reporter:
    """Moves one bar: by the bytes read, with the rate of what was written."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar, self._task, self._began = bar, task, time.monotonic()

    def __call__(self, step: Step) -> None:
        seconds = max(time.monotonic() - self._began, 0.001)
        rate = f"{step.written / seconds:,.0f}/s"
        bad = f", {step.bad:,} bad" if step.bad else ""
        self._bar.update(
            self._task,
            completed=step.position,
            total=step.size,
            rate=f"{step.written:,} written, {rate}{bad}",
        )


def _tell(outcome: Outcome) -> None:
    if outcome.already:
        click.echo(
            f"{outcome.file}: was imported before ({outcome.resumed:,} written); --again imports it again"
        )
        return
    resumed = f", {outcome.resumed:,} by an earlier run" if outcome.resumed else ""
    click.echo(
        f"{outcome.file}: {outcome.written:,} written{resumed}, {outcome.bad:,} bad of {outcome.read:,} records"
    )
    if outcome.replaced:
        click.echo(
            f"{outcome.file}: {outcome.replaced:,} former statements of it were removed; --keep keeps them"
        )
    if outcome.stays:
        click.echo(f"{outcome.file}: what its source said before stays; --replace removes it", err=True)
    _list(outcome.file, outcome.bad_records, outcome.bad)


def _list(file: str, records: Sequence[BadRecord], count: int) -> None:
    for record in records[:_SHOWN]:
        click.echo(f"   {file}:{record.number}: {record.cause}", err=True)
    if count > _SHOWN:
        click.echo(f"   and {count - _SHOWN:,} more", err=True)


def _tell_what_it_means(graph: Graph, outcomes: Sequence[Outcome]) -> None:
    """What the properties of the graph are taken for, the values that do not fit, and what cannot be true at once."""
    odd = sum(outcome.odd for outcome in outcomes)
    click.echo(f"{summary(graph.properties())}; {odd:,} {'value' if odd == 1 else 'values'} not understood")
    for outcome in outcomes:
        _list(outcome.file, outcome.odd_records, outcome.odd)
    for fault in faults(graph)[:_SHOWN]:
        click.echo(f"   {fault}", err=True)
    if any(suffix_of(Path(outcome.file)) in TABLES for outcome in outcomes):
        _tell_nameless(nameless(graph))


def _tell_nameless(ids: Sequence[str]) -> None:
    if ids:
        shown = ", ".join(ids[:_FEW]) + (", …" if len(ids) > _FEW else "")
        things = "1 thing has" if len(ids) == 1 else f"{len(ids):,} things have"
        click.echo(
            f"   {things} an id and no name, so that no text is found to speak of it: {shown}", err=True
        )
