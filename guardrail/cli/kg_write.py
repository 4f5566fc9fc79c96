"""The `kg` commands that change statements: add, complete, retract."""

from __future__ import annotations

from contextlib import suppress

import click

from guardrail.cli.kg_open import as_of_option, graph_of, knowledge_option, sentence
from guardrail.errors import ConfigError, KnowledgeError
from guardrail.evidence.properties.completeness import COMPLETE_LIST, mark, names_all
from guardrail.evidence.properties.ontology import END, POINT, START
from guardrail.evidence.query import resolve
from guardrail.evidence.query.relations import RelationIndex
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.update import check_update
from guardrail.types import Node, Object, Property, Qualifier, Triplet

__all__ = ["add", "complete", "retract"]

_TERMS = {
    label: Property(property_id, label, datatype="date")
    for property_id, label in ((START[0], "start time"), (END[0], "end time"), (POINT[0], "point in time"))
}
"""Since when, until when: known to every graph, so that a statement which is over is known to be."""


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
    "--new",
    is_flag=True,
    help="Create entities and properties that the graph does not know, with these names.",
)
@click.option("--force", is_flag=True, help="Add it even if it contradicts the graph.")
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
    """Add a statement. SUBJECT and PREDICATE are ids or names; OBJECT is one of them or a literal value."""
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
            raise KnowledgeError(f"{found.why} {known} (--force adds it anyway)")
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
    help="The other direction: all that have SUBJECT as their value, such as all works of an author.",
)
@click.option(
    "--no", "open_again", is_flag=True, help="Take the declaration back: there may be further values."
)
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
    """Declare that the graph has every value of PROPERTY for SUBJECT.

    The values can then be counted, and any other value is wrong.
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
    """Remove statements from the graph, by their ids (`kg show --ids`) or by subject and property."""
    if bool(statement_ids) == bool(subject) or (subject and not predicate):
        raise ConfigError("give either the ids of statements, or --subject and --predicate")
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
        raise KnowledgeError(f"no entity {text!r} in {graph.name}; --new creates it")
    return Node(text, text)


def _relation(graph: Graph, text: str, new: bool) -> Property:
    known = graph.property(text) or _TERMS.get(text)
    if known is not None:
        return known
    found = RelationIndex(graph.properties()).match(text)
    if found:
        return found[0]
    if not new:
        raise KnowledgeError(f"no property {text!r} in {graph.name}; --new creates it")
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
