"""The first look at a graph."""

from pathlib import Path

from guardrail.evidence.catalog.overview import examples, overview
from guardrail.evidence.store.graph import Graph
from tests.world import triplet


def test_examples_are_well_known_things_of_several_classes(knowledge: Path) -> None:
    """Each with a fact; a class such as "city" is none."""
    with Graph.open(knowledge) as graph:
        stats, found = overview(graph)
        assert (stats.entities, stats.statements) == (graph.stats().entities, graph.stats().statements)
        assert len(found) == 8
        assert len({one.entity.types[:1] for one in found}) == 8
        assert all(one.fact.subject.id == one.entity.id for one in found)
        classes = {t for one in found for t in one.entity.types}
        assert not classes & {one.entity.id for one in found}


def test_a_graph_without_classes_has_examples_too(tmp_path: Path) -> None:
    """As many as there are things that something is said of."""
    with Graph.create(tmp_path / "own.db") as graph:
        assert examples(graph) == []
        with graph.write() as batch:
            batch.add_statements(
                [triplet("Petrel", "home port", "Varrey"), triplet("Star", "home port", "Ostmouth")]
            )
        assert {one.entity.label for one in examples(graph)} == {"Petrel", "Star"}
