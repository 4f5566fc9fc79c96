"""Opens a graph wherever it lives: a file, a PostgreSQL database, a SPARQL endpoint."""

from __future__ import annotations

from pathlib import Path

from guardrail.evidence.graph import Graph


def open_graph(where: Path | str, *, read_only: bool = True) -> Graph:
    """The graph at a path or a `postgresql://…` address. Raises KnowledgeMissing, KnowledgeDamaged, KnowledgeError."""
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        from guardrail.evidence.postgres import PostgresDatabase

        return Graph(PostgresDatabase.open(text, read_only=read_only))
    return Graph.open(where, read_only=read_only)


def open_or_create(where: Path | str) -> Graph:
    """As `open_graph`, for writing; makes an empty graph where there is none."""
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        from guardrail.evidence.postgres import PostgresDatabase

        return Graph(PostgresDatabase.create(text))
    path = Path(where)
    if path.exists() and path.stat().st_size:
        return Graph.open(path, read_only=False)
    return Graph.create(path)
