"""What cannot be true at once is found."""

from guardrail.evidence.faults import faults
from guardrail.evidence.graph import Graph
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
