"""What cannot be true at once in a graph: several values of what is declared to have one, and hierarchies that bite their tail."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from guardrail.evidence.cardinality import inferred, is_own
from guardrail.evidence.graph import Graph
from guardrail.types import Property

__all__ = ["faults"]

_SHOWN = 20
_MOST_EDGES = 500_000
"""Of one hierarchy: in a larger one no cycle is sought."""


def faults(graph: Graph) -> list[str]:
    """A sentence for each; nothing is taken out of the graph. Of Wikidata's properties nothing is said."""
    unsaid = inferred(graph.database)
    found: list[str] = []
    for known in graph.properties():
        if not is_own(known.id):
            continue
        if known.cardinality == "single" and not known.temporal and known.id not in unsaid:
            found.extend(_several(graph, known))
        if known.hierarchical:
            found.extend(_cycle(graph, known))
    return found


def _several(graph: Graph, known: Property) -> Iterator[str]:
    rows = graph.database.rows(
        "SELECT s.id, s.label FROM statement t JOIN entity s ON s.n = t.s WHERE t.rank < 2 AND t.p = ?"
        " GROUP BY s.n, s.id, s.label HAVING COUNT(*) > 1 ORDER BY s.n LIMIT ?",
        (graph.property_number(known.id) or 0, _SHOWN),
    )
    for subject, label in rows:
        values = dict.fromkeys(
            t.object.label for t in graph.statements(subject, known.id) if t.rank != "deprecated"
        )
        if len(values) > 1:
            yield f"{known.label} is declared to have one value, and {label} has {len(values)}: {', '.join(values)}"


def _cycle(graph: Graph, known: Property) -> Iterator[str]:
    rows = graph.database.rows(
        "SELECT a, b FROM edge WHERE p = ? LIMIT ?", (graph.property_number(known.id) or 0, _MOST_EDGES)
    )
    above: dict[int, set[int]] = {}
    for lower, upper in rows:
        above.setdefault(lower, set()).add(upper)
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        numbers = list(reversed(error.args[1]))
        names = graph.nodes(sorted(set(numbers)))
        yield f"{known.label} goes round in a circle: {' → '.join(names[n].label for n in numbers)}"
