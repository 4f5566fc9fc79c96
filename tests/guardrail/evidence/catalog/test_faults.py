"""What cannot be true at once is found."""

from pathlib import Path

from guardrail.evidence.catalog.faults import disagreements, faults
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from tests.world import triplet


def test_two_values_of_what_is_declared_to_have_one(graph: Graph) -> None:
    """What was only inferred to have one is a list then, and no fault."""
    with graph.write() as batch:
        batch.add_properties([Property("berth", "berth", cardinality="single"), Property("skill", "skill")])
        batch.add_statements(triplet("Q76", p, item) for p in ("berth", "skill") for item in ("Q30", "Q937"))
        batch.settle()
    [told] = faults(graph)
    assert told.startswith("berth is declared to have one value, and Barack Obama has 2: ")


def test_a_circle_in_a_hierarchy(graph: Graph) -> None:
    """Each lies in the next, and the last in the first."""
    with graph.write() as batch:
        batch.add_properties([Property("within", "within", hierarchical=True)])
        batch.add_statements(
            triplet(a, "within", b) for a, b in (("A", "B"), ("B", "C"), ("C", "A"), ("D", "A"))
        )
        batch.settle()
    [told] = faults(graph)
    assert told.startswith("within goes round in a circle: ")
    assert {"A", "B", "C"} == set(told.removeprefix("within goes round in a circle: ").split(" → "))


def test_what_two_graphs_say_against_each_other(graph: Graph, tmp_path: Path) -> None:
    """In both directions: one of them knows that there is one value."""
    with graph.write() as batch:
        batch.add_properties([Property("berth", "berth", cardinality="single")])
        batch.add_statements([triplet("Q76", "berth", "Q30"), triplet("Q76", "anchor", "Q30")])
    with Graph.create(tmp_path / "other.db") as other:
        with other.write() as batch:
            batch.add_properties([Property("anchor", "anchor", cardinality="single")])
            batch.add_statements([triplet("Q76", p, "Q937") for p in ("berth", "anchor", "skill")])
            batch.add_statements([triplet("Q77", "berth", "Q937")])
        told = disagreements(other, graph, names=("the table", "the graph"))
        assert sorted(told) == [
            "anchor of Barack Obama: United States in the graph, Albert Einstein in the table",
            "berth of Barack Obama: Albert Einstein in the table, United States in the graph",
        ]
        assert disagreements(other, other) == []
