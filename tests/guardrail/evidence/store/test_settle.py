"""What is counted at the end of an import."""

import pytest

from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from tests.world import day, triplet


def settle(graph: Graph) -> None:
    with graph.write(settle=False) as batch:
        batch.settle()


def test_settling_twice_changes_nothing_but_the_version(graph: Graph) -> None:
    """It may be done again after an interruption."""
    settle(graph)
    before = (graph.properties(), graph.degrees(list(range(1, 40))))
    settle(graph)
    assert (graph.properties(), graph.degrees(list(range(1, 40)))) == before


def test_a_measure_follows_the_data(graph: Graph) -> None:
    """What looked single is a list once more is known."""
    with graph.write() as batch:
        batch.add_statements(triplet(f"S{i}", "one", "Q30") for i in range(100))
    settle(graph)
    assert graph.property("one").cardinality == "single"  # type: ignore[union-attr]
    with graph.write() as batch:
        batch.add_statements(triplet(f"S{i}", "one", "Q76") for i in range(20))
    settle(graph)
    assert graph.property("one").cardinality == "list"  # type: ignore[union-attr]


def test_what_changes_with_time_is_never_single_by_measure(graph: Graph) -> None:
    """The graph may know the latest head coach only."""
    with graph.write() as batch:
        batch.add_properties([Property("coach", "coach", temporal=True)])
        batch.add_statements(triplet(f"S{i}", "coach", "Q30") for i in range(100))
    settle(graph)
    known = graph.property("coach")
    assert known is not None
    assert (known.cardinality, known.single_ratio) == ("list", 1.0)


@pytest.mark.parametrize(("item", "datatype"), [(day("1990"), "date"), ("Q30", "entity")])
def test_a_property_is_of_the_kind_of_its_values(graph: Graph, item: object, datatype: str) -> None:
    """An ontology may name it before the first statement comes."""
    with graph.write() as batch:
        batch.add_properties([Property("p", "p")])
        batch.add_statements([triplet("Q76", "p", item)])  # type: ignore[arg-type]
    settle(graph)
    assert graph.property("p").datatype == datatype  # type: ignore[union-attr]
