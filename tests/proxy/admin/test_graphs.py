"""Where the graphs behind the checker live."""

from __future__ import annotations

from pathlib import Path

from guardrail.evidence.sparql.graph import SparqlGraph
from guardrail.evidence.store.graph import Graph
from proxy.admin.graphs import called


def test_a_reader_learns_the_name_of_a_graph_and_not_the_way_to_it(tmp_path: Path) -> None:
    """Neither folders nor hosts."""
    with Graph.create(tmp_path / "secret" / "facts.db") as graph:
        assert called(graph) == "facts.db"
    assert called(SparqlGraph("https://inside.example/sparql")) == "SPARQL endpoint"
