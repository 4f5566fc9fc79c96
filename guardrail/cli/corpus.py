"""`guardrail corpus`: the documents that answers are checked against."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from guardrail.config import corpus_place
from guardrail.evidence.corpus.corpus import Corpus, exists
from guardrail.evidence.corpus.documents import ENDINGS, Skipped
from guardrail.evidence.corpus.frames import Granularity, named
from guardrail.evidence.corpus.indexing import Names, index
from guardrail.evidence.corpus.localize import marks
from guardrail.evidence.corpus.rank import rank
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.store.graph import Graph

__all__ = ["corpus"]

_SHOWN = 20


_file = click.option(
    "--corpus",
    "place",
    help="A file, or postgresql://… [default: $GUARDRAIL_CORPUS, else corpus.db in the home directory]",
)


@click.group()
def corpus() -> None:
    """Index reference documents and search them."""


@corpus.command("index")
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@_file
@click.option(
    "--frame",
    type=click.Choice([size.value for size in Granularity]),
    default=None,
    help="What a passage is, for a new corpus. [default: sentence]",
)
@click.option(
    "--knowledge",
    "-k",
    type=click.Path(path_type=Path, exists=True),
    help="Link names to entities of this knowledge file.",
)
def index_command(source: Path, place: str | None, frame: str | None, knowledge: Path | None) -> None:
    """Index SOURCE: a directory (txt, md, html, pdf), or a JSONL or CSV file with a `text` column. Reads only what has changed.

    What cannot be read, and files of other kinds, are named and skipped.
    """
    opened = _opened(place or corpus_place(), frame)
    console = Console(stderr=True)
    with opened, Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("indexing", total=None)
        done = index(
            opened,
            source,
            names=_linked(knowledge) if knowledge else None,
            progress=lambda at, total: bar.update(task, completed=at, total=total),
        )
        stats = opened.stats()
    if not done.files:
        click.echo(f"nothing to index in {source}: no files ending in {', '.join(sorted(ENDINGS))}", err=True)
    _tell_skipped([*done.skipped, *done.others])
    click.echo(
        f"{done.files} files ({done.unchanged} unchanged): {done.documents} documents read, {done.passages} passages"
        f" added, {done.removed} documents removed, {len(done.skipped) + len(done.others)} skipped"
    )
    click.echo(f"{opened.name}: {stats.documents} documents, {stats.passages} passages, {stats.nodes} names")


def _tell_skipped(items: Sequence[Skipped]) -> None:
    for skipped in items[:_SHOWN]:
        click.echo(f"skipped {skipped.id}: {skipped.cause}", err=True)
    if len(items) > _SHOWN:
        click.echo(f"skipped {len(items) - _SHOWN} more", err=True)


@corpus.command("search")
@click.argument("text")
@_file
@click.option("--limit", default=5, show_default=True, type=click.IntRange(1, 1000))
def search_command(text: str, place: str | None, limit: int) -> None:
    """Show the passages that TEXT would be checked against, best first."""
    with Corpus.open(place or corpus_place()) as opened:
        hits = rank(opened, text, limit=limit)
        passages = opened.passages(hit.passage for hit in hits)
        empty = not hits and not opened.stats().passages
    if empty:
        click.echo("the corpus is empty; fill it with `guardrail corpus index`", err=True)
    elif not hits:
        click.echo("no passage of the corpus shares a word with this text", err=True)
    for hit in hits:
        passage = passages[hit.passage]
        click.echo(f"{hit.score:.2f}  {passage.title or passage.id}  [{passage.id}]")
        shown, at = "", 0
        for mark in marks(text, passage.text):
            shown += passage.text[at : mark.start] + click.style(mark.of(passage.text), bold=True)
            at = mark.end
        click.echo(f"      {shown}{passage.text[at:]}")


@corpus.command("stats")
@_file
def stats_command(place: str | None) -> None:
    """Count the documents and passages of the corpus."""
    with Corpus.open(place or corpus_place()) as opened:
        stats = opened.stats()
    click.echo(
        f"documents {stats.documents}\npassages  {stats.passages} ({stats.granularity})\n"
        f"names     {stats.nodes}\nmentions  {stats.mentions}"
    )


def _opened(place: str, frame: str | None) -> Corpus:
    if not exists(place):
        return Corpus.create(place, granularity=Granularity(frame or Granularity.SENTENCE))
    opened = Corpus.open(place, read_only=False)
    kept = opened.stats().granularity
    if frame and frame != kept:
        opened.close()
        raise click.UsageError(
            f"{opened.name} has passages of the size {kept}; index into another file for {frame}"
        )
    return opened


def _linked(knowledge: Path) -> Names:
    """Names by the knowledge graph's linker: the entity's id, and the words themselves."""
    linker = AliasLinker(Graph.open(knowledge))

    def names(text: str) -> Sequence[str]:
        linked = [f"={m.entity.id}" for m in linker.link(text) if m.entity is not None]
        return [*dict.fromkeys([*linked, *named(text)])]

    return names
