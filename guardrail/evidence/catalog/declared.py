"""What somebody says of a property of the graph: it goes before all that was inferred, and may take back what was said before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from guardrail.errors import ConfigError
from guardrail.evidence.store import cardinality
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Property
from guardrail.values.units import unit_named

__all__ = ["Said", "declare"]


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says of a property; what is None or empty stays as it was. `unit`: as people write it; `aliases` are added."""

    cardinality: Literal["single", "list"] | None = None
    temporal: bool | None = None
    complete: bool | None = None
    hierarchical: bool | None = None
    unit: str = ""
    aliases: Sequence[str] = ()
    label: str = ""

    def of(self, known: Property) -> Property:
        """The property as it is said to be. Raises ConfigError where nothing is said."""
        names = ("cardinality", "temporal", "complete", "hierarchical")
        changed: dict[str, Any] = {n: value for n in names if (value := getattr(self, n)) is not None}
        changed |= {"unit": _unit(self.unit)} if self.unit else {}
        changed |= {"label": self.label} if self.label else {}
        changed |= {"aliases": tuple(dict.fromkeys((*known.aliases, *self.aliases)))} if self.aliases else {}
        if not changed:
            raise ConfigError("nothing to change: name one of cardinality, unit, alias …")
        return replace(known, **changed)


def _unit(text: str) -> Node:
    found = unit_named(text)
    return found.node if found is not None else Node(text, text)


def declare(graph: Graph, known: Property, *, record: Callable[[], None] = lambda: None) -> None:
    """Writes the whole record of a property that the graph has. `record` is called before: what it raises undoes the change.

    Raises KnowledgeError where nothing can be written.
    """
    with graph.database.transaction() as cursor:
        record()
        flags = (known.temporal, known.hierarchical, known.symmetric, known.complete)
        cursor.many(
            "UPDATE property SET cardinality = ?, is_temporal = ?, is_hierarchical = ?, is_symmetric = ?, is_complete = ?"
            " WHERE id = ?",
            [(known.cardinality, *map(int, flags), known.id)],
        )
        cardinality.declare(cursor, known.id)
    with graph.write() as batch:
        batch.add_properties([known])
