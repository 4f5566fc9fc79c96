"""Graphs for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guardrail.evidence.store.graph import Graph
from guardrail.types import Triplet
from tests.world import fill

if TYPE_CHECKING:
    from tests.postgres_server import Server


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Graph]:
    """The small world in a new knowledge file, open for writing."""
    with fill(Graph.create(tmp_path / "world.db")) as made:
        yield made


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server for all corpora of this room that are not in a file."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    from tests.postgres_server import started

    yield from started()


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a corpus may be made: a path, or the address of an empty database."""
    if request.param == "file":
        return str(tmp_path / "corpus.db")
    server: Server = request.getfixturevalue("postgres")
    return server.new_database()


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
