"""What somebody says of a property of the graph: it goes before all that was inferred, and may take back what was said before."""

from __future__ import annotations

from guardrail.evidence import cardinality
from guardrail.evidence.graph import Graph
from guardrail.types import Property

__all__ = ["declare"]


def declare(graph: Graph, known: Property) -> None:
    """Writes the whole record of a property that the graph has. Raises KnowledgeError where nothing can be written."""
    with graph.database.transaction() as cursor:
        flags = (known.temporal, known.hierarchical, known.symmetric, known.complete)
        cursor.many(
            "UPDATE property SET cardinality = ?, is_temporal = ?, is_hierarchical = ?, is_symmetric = ?, is_complete = ?"
            " WHERE id = ?",
            [(known.cardinality, *map(int, flags), known.id)],
        )
        cardinality.declare(cursor, known.id)
    with graph.write() as batch:
        batch.add_properties([known])
