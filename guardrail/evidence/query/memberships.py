"""Terms of office that a graph keeps as things of their own: a node with an office, its holder, and when it began and ended.

RDF has statements of two ends only, so who held what office when is told by a node between them (W3C, "Defining N-ary Relations on
the Semantic Web", 2006).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrail import ontology
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.ontology import END, START
from guardrail.types import Node, Object, Qualifier, Triplet, Value

__all__ = ["memberships"]

_START, _END = ontology.names("starts"), ontology.names("ends")
_TIMES = ((Node(START[0], "start time"), _START), (Node(END[0], "end time"), _END))
_CLASS = ontology.roles("instance of")
_HOLDERS = frozenset(
    ("holder", "held by", "office holder", "incumbent", "member", "person", "agent", "employee")
)
_OFFICES = frozenset(("office", "post", "position", "role", "role name", "function", "job title"))
_MOST = 20
_FEW = 12
"""Statements that such a node has at most."""


def memberships(graph: Knowledge, incoming: Sequence[Triplet]) -> Iterator[Triplet]:
    """Of what points at somebody, the terms of office, each as one dated statement: the one whose office it is, the office, the
    holder.
    """
    nodes = [one for one in incoming if one.predicate.label.casefold() in _HOLDERS and not one.qualifiers]
    for held in nodes[:_MOST]:
        found = list(graph.statements(held.subject.id)) if held.subject.id else []
        office = next((one.object for one in found if one.predicate.label.casefold() in _OFFICES), None)
        times = tuple(_times(found))
        if office is None or not times or len(found) > _FEW:
            continue
        name = Node(office.label, office.label)
        owner = _owner(found, held, office)
        yield Triplet(owner, name, held.object, times, held.id, held.source, held.as_of)


def _owner(statements: Sequence[Triplet], held: Triplet, office: Object) -> Node:
    """The thing that the node names beside the holder, the office and the class of the node; the node itself where it names none."""
    for one in statements:
        if not isinstance(one.object, Node) or one.object in (held.object, office):
            continue
        if not ontology.plays(ontology.record(one.predicate.id), _CLASS):
            return one.object
    return held.subject


def _times(statements: Sequence[Triplet]) -> Iterator[Qualifier]:
    for node, names in _TIMES:
        for one in statements:
            dated = isinstance(one.object, Value) and one.object.datatype == "date"
            if dated and one.predicate.label.casefold() in names:
                yield Qualifier(node, one.object)
