"""Things that no text can name: the graph has nothing but their ids, and these are numbers or look like Wikidata's."""

from __future__ import annotations

from guardrail.evidence.store.graph import Graph

__all__ = ["nameless"]

_MOST = 100_000
"""Things of a graph: in a larger one nobody looks."""


def nameless(graph: Graph) -> list[str]:
    """The ids of things of which the graph says something and which it cannot find in a text, in the order in which they came."""
    if (graph.database.rows("SELECT MAX(n) FROM entity")[0][0] or 0) > _MOST:
        return []
    rows = graph.database.rows(
        "SELECT id FROM entity WHERE label = id AND EXISTS (SELECT 1 FROM statement WHERE s = n)"
        " AND NOT EXISTS (SELECT 1 FROM alias WHERE entity = n) ORDER BY n"
    )
    return [entity_id for (entity_id,) in rows if not entity_id.startswith("_:")]
