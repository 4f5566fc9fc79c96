"""Opens a graph wherever it lives: a file, a PostgreSQL database, a SPARQL endpoint."""

from __future__ import annotations

from pathlib import Path

from guardrail.errors import KnowledgeError
from guardrail.evidence.database import is_postgres
from guardrail.evidence.graph import Graph
from guardrail.evidence.sparql import SparqlGraph


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
        from guardrail.evidence.postgres import PostgresDatabase

        return Graph(PostgresDatabase.open(text, read_only=read_only))
    return Graph.open(where, read_only=read_only)


def open_or_create(where: Path | str) -> Graph:
    """As `open_graph`, for writing; makes an empty graph where there is none."""
    text = str(where)
    if text.startswith("sparql+"):
        return open_graph(text)
    if is_postgres(text):
        from guardrail.evidence.postgres import PostgresDatabase

        return Graph(PostgresDatabase.create(text))
    path = Path(where)
    if path.exists() and path.stat().st_size:
        return Graph.open(path, read_only=False)
    return Graph.create(path)
