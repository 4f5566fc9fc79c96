"""The `kg` commands that only read: stats, search, classes, show, path, check, export."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from guardrail.cli.kg_json import entity_of, print_object, statements_of
from guardrail.cli.kg_open import (
    console,
    graph_of,
    json_option,
    knowledge_of,
    knowledge_option,
    qualified,
    sentence,
    shown,
)
from guardrail.cli.output import output
from guardrail.errors import ConfigError, KnowledgeError
from guardrail.evidence.catalog.classes import all_classes
from guardrail.evidence.query import resolve
from guardrail.evidence.query.paths import paths
from guardrail.evidence.store import export as exporting
from guardrail.evidence.update import check_update
from guardrail.types import Node, Triplet

__all__ = ["check", "classes", "export", "path_between", "search", "show", "stats"]


@click.command()
@knowledge_option
@json_option
@click.pass_context
def stats(ctx: click.Context, own: str | None, as_json: bool) -> None:
    """Count the contents of the graph."""
    with graph_of(ctx, own) as graph:
        found = {"graph": graph.name, **asdict(graph.stats())}
        if as_json:
            print_object(graph, found)
            return
    for name, value in found.items():
        click.echo(f"{name:<12}{value:,}" if isinstance(value, int) else f"{name:<12}{value}")


@click.command()
@knowledge_option
@click.argument("text")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@json_option
@click.pass_context
def search(ctx: click.Context, own: str | None, text: str, limit: int, as_json: bool) -> None:
    """Find entities by a name, the beginning of one, or an id."""
    table = Table("id", "label", "description", "also known as", box=None)
    with knowledge_of(ctx, own) as graph:
        found = graph.search(text, limit)
        if as_json:
            print_object(graph, {"query": text, "entities": [entity_of(graph, known) for known in found]})
            return
        for entity in found:
            names = ", ".join(graph.aliases(entity.id)[:6])
            table.add_row(entity.id, entity.label, entity.description, names)
    if not found:
        raise KnowledgeError(f"nothing is called {text!r}")
    console().print(table)


@click.command()
@knowledge_option
@click.argument("text", required=False, default="")
@json_option
@click.pass_context
def classes(ctx: click.Context, own: str | None, text: str, as_json: bool) -> None:
    """List the classes of the graph's entities, the largest first. With TEXT: only those with TEXT in their name.

    A policy's `entity_type` takes their ids, names and aliases.
    """
    with graph_of(ctx, own) as graph:
        wanted = text.casefold()
        found = [
            one
            for one in all_classes(graph)
            if any(wanted in name.casefold() for name in (one.id, one.label, *one.aliases))
        ]
        if as_json:
            print_object(graph, {"query": text, "classes": [asdict(one) for one in found]})
            return
    if not found:
        raise KnowledgeError(f"no class has {text!r} in its name" if text else "no entity has a class")
    table = Table("id", "label", "also known as", "entities", box=None)
    for one in found:
        table.add_row(one.id, one.label, ", ".join(one.aliases), f"{one.entities:,}")
    console().print(table)


@click.command()
@knowledge_option
@click.argument("entity")
@click.option(
    "--incoming",
    default=0,
    type=click.IntRange(0, 1000),
    help="Also show this many statements that have it as their object.",
)
@click.option("--ids", is_flag=True, help="Show the statements' ids, which `kg retract` takes.")
@json_option
@click.pass_context
def show(ctx: click.Context, own: str | None, entity: str, incoming: int, ids: bool, as_json: bool) -> None:
    """Show what the graph says about ENTITY (an id or a name)."""
    with knowledge_of(ctx, own) as graph:
        known = resolve.entity(graph, entity)
        statements = graph.statements(known.id)
        about = graph.incoming(known.id, limit=incoming) if incoming else []
        if as_json:
            told = {"statements": statements_of(statements), "incoming": statements_of(about)}
            print_object(graph, {"entity": entity_of(graph, known), **told})
            return
        aliases = graph.aliases(known.id)
    out = console()
    out.print(
        f"[bold]{known.label}[/bold] ({known.id})" + (f": {known.description}" if known.description else "")
    )
    if aliases:
        out.print(f"also known as: {', '.join(aliases[:12])}", style="dim")
    out.print(_table(statements, ids))
    if about:
        out.print()
        out.print(_table(about, ids, subjects=True))


def _table(statements: list[Triplet], ids: bool, *, subjects: bool = False) -> Table:
    head = ["subject"] if subjects else []
    table = Table(*head, "property", "value", "qualifiers", "source", *(["id"] if ids else []), box=None)
    for statement in statements:
        cells = [shown(statement.subject)] if subjects else []
        rank = "" if statement.rank == "normal" else f" ({statement.rank})"
        source = " ".join(filter(None, (statement.source, statement.as_of)))
        table.add_row(
            *cells,
            shown(statement.predicate),
            shown(statement.object),
            qualified(statement.qualifiers) + rank,
            source,
            *([statement.id] if ids else []),
        )
    return table


@click.command(name="path")
@knowledge_option
@click.argument("start")
@click.argument("end")
@click.option("--hops", default=3, show_default=True, type=click.IntRange(1, 3))
@click.option("--limit", default=4, show_default=True, type=click.IntRange(1, 100))
@click.option("--words", default="", help="Words for relations; paths that match them come first.")
@json_option
@click.pass_context
def path_between(
    ctx: click.Context,
    own: str | None,
    start: str,
    end: str,
    hops: int,
    limit: int,
    words: str,
    as_json: bool,
) -> None:
    """Show how START and END (ids or names) are connected."""
    with knowledge_of(ctx, own) as graph:
        ends = [resolve.entity(graph, text).id for text in (start, end)]
        if ends[0] == ends[1]:
            raise ConfigError(f"{start!r} and {end!r} are the same: {ends[0]}")
        found = paths(graph, ends, max_hops=hops, max_paths=limit, words=words.split())
        if as_json:
            told = [{"hops": path.hops, "statements": statements_of(path.triplets)} for path in found]
            print_object(graph, {"start": ends[0], "end": ends[1], "paths": told})
            return
    if not found:
        click.echo(f"no path of up to {hops} statements")
        return
    for number, path in enumerate(found, 1):
        click.echo(f"{number}. {path.hops} {'statement' if path.hops == 1 else 'statements'}")
        for triplet in path.triplets:
            click.echo(f"   {sentence(triplet)}")


@click.command()
@knowledge_option
@click.argument("subject")
@click.argument("predicate")
@click.argument("object", metavar="OBJECT")
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    own: str | None,
    subject: str,
    predicate: str,
    object: str,  # noqa: A002
    as_json: bool,
) -> None:
    """Say whether a fact is new, is already in the graph, or contradicts it.

    OBJECT may be a name that the graph does not know.
    """
    with knowledge_of(ctx, own) as graph:
        about = resolve.entity(graph, subject)
        known = resolve.relation(graph, predicate)
        unknown = ""
        try:
            item = resolve.item(graph, known, object)
        except KnowledgeError as error:
            if known.datatype != "entity":
                raise
            item, unknown = Node(object, object), str(error)
        found = check_update(graph, Triplet(Node(about.id, about.label), Node(known.id, known.label), item))
        if as_json:
            told = {"state": found.state, "why": found.why, "known": statements_of(found.known)}
            print_object(graph, {**told, "unknown": unknown})
            return
    click.echo(f"{found.state}: {found.why}")
    for statement in found.known[:10]:
        click.echo(f"   {sentence(statement)}")
    if unknown:
        click.echo(f"   ({unknown})")


@click.command()
@knowledge_option
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "nt"]),
    help="Default: by the file's extension, else jsonl.",
)
@click.pass_context
def export(ctx: click.Context, own: str | None, file: Path | None, form: str | None) -> None:
    """Write the graph to FILE or to standard output. jsonl keeps everything; nt is for RDF stores."""
    chosen = form or ("nt" if file is not None and file.suffix == ".nt" else "jsonl")
    left_out: Counter[str] = Counter()
    with graph_of(ctx, own) as graph:
        lines = (
            exporting.ntriples(graph, lambda one: left_out.update([one.predicate.label]))
            if chosen == "nt"
            else exporting.jsonl(graph)
        )
        with output(file) as out:
            for line in lines:
                out.write(line.encode())
    if left_out:
        named = ", ".join(f"{name} ({count:,})" for name, count in left_out.most_common(5))
        more = ", …" if len(left_out) > 5 else ""
        click.echo(
            f"{left_out.total():,} values are left out, which N-Triples cannot hold: {named}{more}; jsonl keeps everything",
            err=True,
        )
