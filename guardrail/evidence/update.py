"""Would a new fact add to the graph? GraphRetrieve's knowledge-base update check: redundant, new or in conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from guardrail import ontology
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.ontology import START
from guardrail.evidence.query.closure import chain
from guardrail.types import Node, Property, Triplet, Value
from guardrail.values import compare

State = Literal["redundant", "new", "conflict"]


@dataclass(frozen=True, slots=True)
class UpdateCheck:
    """`known`: the statements that decide; `why` in one sentence."""

    state: State
    why: str
    known: tuple[Triplet, ...] = ()


def check_update(graph: Knowledge, fact: Triplet) -> UpdateCheck:
    """How `fact` stands to what the graph holds of its subject and property."""
    known = [t for t in graph.statements(fact.subject.id, fact.predicate.id) if t.rank != "deprecated"]
    for statement in known:
        if _same(fact, statement):
            return UpdateCheck("redundant", "The graph says this already.", (statement,))
    if isinstance(fact.object, Node) and (found := _by_hierarchy(graph, fact.object, known)):
        return found
    relation = graph.property(fact.predicate.id)
    whole = graph.complete(fact.subject.id, fact.predicate.id)
    if relation is None or not (known or whole):
        return UpdateCheck("new", "The graph says nothing of this.")
    return _beside(fact, relation, tuple(known), whole=whole or relation.complete)


def _by_hierarchy(graph: Knowledge, value: Node, known: Sequence[Triplet]) -> UpdateCheck | None:
    """Whether the value lies above or below a known one; None where it does neither."""
    values = [t.object.id for t in known if isinstance(t.object, Node)]
    if above := chain(graph, values, [value.id]):
        return UpdateCheck("redundant", "It follows from a finer statement.", (*known, *above))
    if chain(graph, [value.id], values):
        return UpdateCheck("new", "It is finer than what the graph says.", tuple(known))
    return None


def _beside(fact: Triplet, relation: Property, known: tuple[Triplet, ...], *, whole: bool) -> UpdateCheck:
    """How another value stands to the known ones: `whole` says that they are all that there are."""
    label = relation.label
    if whole:
        return UpdateCheck("conflict", f"The graph names every {label}, and this is not among them.", known)
    if relation.temporal and any(q.predicate.id in START for q in fact.qualifiers):
        return UpdateCheck("new", f"Since then, {label} may be another than before.", known)
    if _single(relation):
        return UpdateCheck("conflict", f"There is one {label}, and the graph has another.", known)
    return UpdateCheck("new", f"There may be several values of {label}; this is not among them.", known)


def _single(relation: Property) -> bool:
    return relation.cardinality == "single" and ontology.record(relation.id).cardinality != "list"


def _same(fact: Triplet, statement: Triplet) -> bool:
    claimed, known = fact.object, statement.object
    if isinstance(claimed, Node) or isinstance(known, Node):
        return isinstance(claimed, Node) and isinstance(known, Node) and claimed.id == known.id
    return isinstance(claimed, Value) and compare(claimed, known) == "agree"
