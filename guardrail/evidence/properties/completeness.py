"""Which lists name all their members: "these are all the moons that Mars has".

A graph is open: that it names four moons of Jupiter does not mean that there are four. That a list is whole is itself a
statement, (subject, `complete-list`, the property's id as text), with a source and an as-of date like any other: it is
imported, exported, versioned and retracted as they are. "^P50" marks the list the other way round: all works of an author.
What `Property.complete` says is weaker: that lists of a property name all members as a rule.
"""

from __future__ import annotations

from collections.abc import Iterable

from guardrail.types import Node, Property, Triplet, Value

COMPLETE_LIST = Property("complete-list", "complete list", datatype="string", cardinality="list")
"""The property of the marks."""


def mark(subject: Node, relation: str, *, label: str = "", source: str = "", as_of: str = "") -> Triplet:
    """The statement that the graph names every value of `relation` ("P398", "^P50") that the subject has."""
    predicate = Node(COMPLETE_LIST.id, COMPLETE_LIST.label)
    return Triplet(
        subject, predicate, Value(label or relation, relation, "string"), source=source, as_of=as_of
    )


def names_all(marks: Iterable[Triplet], relation: str) -> bool:
    """Whether one of a subject's marks is for this relation and is not deprecated."""
    return any(
        isinstance(t.object, Value) and t.object.value == relation and t.rank != "deprecated" for t in marks
    )
