"""Graphs for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from guardrail.evidence.graph import Graph
from guardrail.types import Triplet
from tests.world import fill


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Graph]:
    """The small world in a new knowledge file, open for writing."""
    with fill(Graph.create(tmp_path / "world.db")) as made:
        yield made


@pytest.fixture
def make_graph(tmp_path: Path) -> Iterator[Callable[[Sequence[Triplet]], Graph]]:
    """Makes a graph of the statements given."""
    made: list[Graph] = []

    def make(given: Sequence[Triplet]) -> Graph:
        graph = Graph.create(tmp_path / f"made-{len(made)}.db")
        made.append(graph)
        with graph.write() as batch:
            batch.add_statements(given)
        return graph

    yield make
    for graph in made:
        graph.close()
