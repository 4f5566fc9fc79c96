"""Opens a graph wherever it lives: a file, a PostgreSQL database, a SPARQL endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from guardrail.config import knowledge_file
from guardrail.errors import KnowledgeError
from guardrail.evidence import starter
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.query.several import SeveralGraphs
from guardrail.evidence.sparql.graph import SparqlGraph
from guardrail.evidence.store.database import is_postgres
from guardrail.evidence.store.graph import Graph

STARTER = "starter"
"""The name of the starter knowledge where graphs are named."""


def open_all(places: Sequence[Path | str]) -> Knowledge:
    """For reading: one graph, or several as one, the first before the others. `STARTER` is the starter knowledge, as up to date as
    this program. Raises what `open_knowledge` raises.
    """
    graphs = [
        open_knowledge(place if str(place) != STARTER else starter.ensure(knowledge_file()))
        for place in places
    ]
    return graphs[0] if len(graphs) == 1 else SeveralGraphs(graphs)


def open_knowledge(where: Path | str) -> Graph | SparqlGraph:
    """For reading: a path, `postgresql://…`, or `sparql+https://…` for an endpoint."""
    text = str(where)
    if text.startswith(("sparql+http://", "sparql+https://")):
        return SparqlGraph(text.removeprefix("sparql+"))
    return open_graph(where)


def open_graph(where: Path | str, *, read_only: bool = True) -> Graph:
    """The graph at a path or a `postgresql://…` address. Raises KnowledgeMissing, KnowledgeDamaged, KnowledgeError."""
    text = str(where)
    if text.startswith("sparql+"):
        raise KnowledgeError(
            f"{text}: a SPARQL endpoint can be searched and shown, but not changed, counted or exported"
        )
    if is_postgres(text):
        from guardrail.evidence.store.postgres import PostgresDatabase

        return Graph(PostgresDatabase.open(text, read_only=read_only))
    return Graph.open(where, read_only=read_only)


def open_or_create(where: Path | str) -> Graph:
    """As `open_graph`, for writing; makes an empty graph where there is none."""
    text = str(where)
    if text.startswith("sparql+"):
        return open_graph(text)
    if is_postgres(text):
        from guardrail.evidence.store.postgres import PostgresDatabase

        return Graph(PostgresDatabase.create(text))
    path = Path(where)
    if path.exists() and path.stat().st_size:
        return Graph.open(path, read_only=False)
    return Graph.create(path)
