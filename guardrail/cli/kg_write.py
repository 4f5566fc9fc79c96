"""The `kg` commands that change the graph: import, add, complete, retract."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from guardrail.cli.kg_open import as_of_option, graph_of, knowledge_option, sentence
from guardrail.config import knowledge_file
from guardrail.errors import ConfigError, KnowledgeError
from guardrail.evidence import resolve
from guardrail.evidence.completeness import COMPLETE_LIST, mark, names_all
from guardrail.evidence.door import open_or_create
from guardrail.evidence.graph import Graph
from guardrail.evidence.importers.formats import NAMES, reader_for
from guardrail.evidence.importers.load import Loader, Outcome
from guardrail.evidence.importers.load import Progress as Step
from guardrail.evidence.importers.source import Source
from guardrail.evidence.ontology import END, POINT, START
from guardrail.evidence.relations import RelationIndex
from guardrail.evidence.update import check_update
from guardrail.types import Node, Object, Property, Qualifier, Triplet

__all__ = ["add", "complete", "import_files", "retract"]

_SHOWN = 10
_TERMS = {
    label: Property(property_id, label, datatype="date")
    for property_id, label in ((START[0], "start time"), (END[0], "end time"), (POINT[0], "point in time"))
}
"""Since when, until when: known to every graph, so that a statement which is over is known to be."""


@click.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--into", "-k", metavar="FILE|URL", help="The graph to import into; made where there is none.")
@click.option(
    "--format", "form", default="", metavar="NAME", help=f"One of {', '.join(NAMES)}; default: by the ending."
)
@click.option(
    "--language", "-l", "languages", multiple=True, default=("en",), show_default=True, help="Of names."
)
@click.option("--property", "-p", "properties", multiple=True, help="Keep only these relations (ids).")
@click.option(
    "--mapping", "-m", type=click.Path(path_type=Path), help="YAML: which column of a table is what."
)
@click.option("--source", default="", help="Noted at every statement; default: the file's name.")
@as_of_option
@click.option("--strict", is_flag=True, help="Stop at the first bad record.")
@click.option("--again", is_flag=True, help="Read files anew that have been imported already.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def import_files(
    ctx: click.Context,
    files: tuple[Path, ...],
    into: str | None,
    form: str,
    languages: tuple[str, ...],
    properties: tuple[str, ...],
    mapping: Path | None,
    source: str,
    as_of: str,
    strict: bool,
    again: bool,
    quiet: bool,
) -> None:
    """Import FILES: RDF, Wikidata dumps, tables; each may be compressed.

    An import that was interrupted goes on where it stopped when it is started again.
    """
    readers = [
        (f, reader_for(f, format_name=form, languages=languages, properties=properties, mapping=mapping))
        for f in files
    ]
    for path in files:
        with Source.open(path):
            pass  # a slip of the pen makes no graph
    with open_or_create(into or ctx.obj or knowledge_file()) as graph, _bar(quiet) as bar:
        loader = Loader(graph, strict=strict, again=again, source=source, as_of=as_of)
        try:
            for path, reader in readers:
                loader.report = _Reporter(bar, bar.add_task(path.name, total=None, rate=""))
                _tell(loader.load(path, reader))
        finally:
            loader.settle()


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
        click.echo(f"{outcome.file}: imported already ({outcome.resumed:,} written); --again reads it anew")
        return
    resumed = f", {outcome.resumed:,} by an earlier run" if outcome.resumed else ""
    click.echo(
        f"{outcome.file}: {outcome.written:,} written{resumed}, {outcome.bad:,} bad of {outcome.read:,} records"
    )
    for bad in outcome.bad_records[:_SHOWN]:
        click.echo(f"   {outcome.file}:{bad.number}: {bad.cause}", err=True)
    if outcome.bad > _SHOWN:
        click.echo(f"   and {outcome.bad - _SHOWN:,} more", err=True)


@click.command()
@knowledge_option
@click.argument("subject")
@click.argument("predicate")
@click.argument("object", metavar="OBJECT")
@click.option("--qualifier", "-q", "qualifiers", multiple=True, metavar="PROPERTY=VALUE")
@click.option("--rank", type=click.Choice(["preferred", "normal", "deprecated"]), default="normal")
@click.option("--source", default="added by hand", show_default=True)
@as_of_option
@click.option(
    "--new", is_flag=True, help="Make entities and properties that the graph does not know, by these names."
)
@click.option("--force", is_flag=True, help="Add it although it is in conflict with the graph.")
@click.pass_context
def add(
    ctx: click.Context,
    own: str | None,
    subject: str,
    predicate: str,
    object: str,  # noqa: A002
    qualifiers: tuple[str, ...],
    rank: str,
    source: str,
    as_of: str,
    new: bool,
    force: bool,
) -> None:
    """Add a statement; SUBJECT, PREDICATE and OBJECT are ids or names, or a literal."""
    with graph_of(ctx, own, read_only=False) as graph:
        statement = Triplet(
            _entity(graph, subject, new),
            _node(relation := _relation(graph, predicate, new)),
            _item(graph, relation, object, new),
            tuple(_qualifier(graph, text, new) for text in qualifiers),
            source=source,
            as_of=as_of,
            rank=rank,  # type: ignore[arg-type]
        )
        found = check_update(graph, statement)
        if found.state == "conflict" and not force:
            known = "; ".join(sentence(t) for t in found.known[:3])
            raise KnowledgeError(f"{found.why} {known} (--force adds it all the same)")
        with graph.write() as batch:
            batch.add_statements([statement])
        written = graph.version
    click.echo(f"{found.state}: {sentence(statement)}  (version {written})")


@click.command()
@knowledge_option
@click.argument("subject")
@click.argument("predicate", metavar="PROPERTY")
@click.option(
    "--incoming",
    is_flag=True,
    help="The list of those that have SUBJECT as their value: all works of an author.",
)
@click.option("--no", "open_again", is_flag=True, help="The list may go on after all.")
@click.option("--source", default="added by hand", show_default=True)
@as_of_option
@click.pass_context
def complete(
    ctx: click.Context,
    own: str | None,
    subject: str,
    predicate: str,
    incoming: bool,
    open_again: bool,
    source: str,
    as_of: str,
) -> None:
    """Mark that the graph names every value of PROPERTY that SUBJECT has.

    Its values may then be counted, and another one is wrong.
    """
    with graph_of(ctx, own, read_only=False) as graph:
        about, known = resolve.entity(graph, subject), resolve.relation(graph, predicate)
        relation = f"^{known.id}" if incoming else known.id
        told = mark(Node(about.id, about.label), relation, label=known.label, source=source, as_of=as_of)
        with graph.write() as batch:
            if open_again:
                marks = graph.statements(about.id, COMPLETE_LIST.id)
                batch.retract([t.id for t in marks if names_all([t], relation)])
            else:
                batch.add_statements([told])
        values = graph.incoming(about.id, known.id) if incoming else graph.statements(about.id, known.id)
        written = graph.version
    state = "may go on" if open_again else "complete"
    click.echo(f"{about.label} — {known.label}: {state}, {len(values)} in the graph  (version {written})")


@click.command()
@knowledge_option
@click.argument("statement_ids", nargs=-1, metavar="STATEMENT...")
@click.option("--subject", help="All statements of this entity …")
@click.option("--predicate", help="… with this property …")
@click.option("--object", "item", help="… and this object.")
@click.pass_context
def retract(
    ctx: click.Context,
    own: str | None,
    statement_ids: tuple[str, ...],
    subject: str | None,
    predicate: str | None,
    item: str | None,
) -> None:
    """Take statements out of the graph: by their ids (`kg show --ids`), or by subject and property."""
    if bool(statement_ids) == bool(subject) or (subject and not predicate):
        raise ConfigError("name either statements by their ids, or --subject and --predicate")
    with graph_of(ctx, own, read_only=False) as graph:
        wanted = list(statement_ids)
        if subject and predicate:
            known = resolve.relation(graph, predicate)
            found = graph.statements(resolve.entity(graph, subject).id, known.id)
            target = resolve.item(graph, known, item) if item else None
            wanted = [t.id for t in found if target is None or _same(t.object, target)]
        with graph.write() as batch:
            removed = batch.retract(wanted)
        version = graph.version
    if not removed:
        raise KnowledgeError("no such statement in the graph")
    click.echo(f"{removed} retracted (version {version})")


def _same(left: Object, right: Object) -> bool:
    if isinstance(left, Node) or isinstance(right, Node):
        return isinstance(left, Node) and isinstance(right, Node) and left.id == right.id
    return left.value == right.value


def _entity(graph: Graph, text: str, new: bool) -> Node:
    with suppress(KnowledgeError):
        found = resolve.entity(graph, text)
        return Node(found.id, found.label)
    if not new:
        raise KnowledgeError(f"no entity {text!r} in {graph.name}; --new makes it")
    return Node(text, text)


def _relation(graph: Graph, text: str, new: bool) -> Property:
    known = graph.property(text) or _TERMS.get(text)
    if known is not None:
        return known
    found = RelationIndex(graph.properties()).match(text)
    if found:
        return found[0]
    if not new:
        raise KnowledgeError(f"no property {text!r} in {graph.name}; --new makes it")
    return Property(text, text)


def _item(graph: Graph, relation: Property, text: str, new: bool) -> Object:
    if relation.datatype == "entity":
        return _entity(graph, text, new)
    return resolve.item(graph, relation, text)


def _node(relation: Property) -> Node:
    return Node(relation.id, relation.label)


def _qualifier(graph: Graph, text: str, new: bool) -> Qualifier:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise ConfigError(f"a qualifier is PROPERTY=VALUE, not {text!r}")
    relation = _relation(graph, name.strip(), new)
    return Qualifier(_node(relation), _item(graph, relation, value.strip(), new))
