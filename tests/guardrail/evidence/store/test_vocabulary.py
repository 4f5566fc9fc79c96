"""A property that takes few texts has them in its record."""

from pathlib import Path

from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Property, Triplet, Value
from tests.world import triplet


def told(subject: str, name: str, text: str) -> Triplet:
    return Triplet(Node(subject, subject), Node(name, name), Value(text, text, "string"))


def test_few_values_of_one_each_are_noted(tmp_path: Path) -> None:
    """Texts and names of things; not those of lists, nor the same one throughout; they go when they become many."""
    with Graph.create(tmp_path / "a.db") as graph:
        with graph.write() as batch:
            batch.add_properties([Property("tag", "tag", datatype="string", cardinality="list")])
            batch.add_statements(
                [
                    statement
                    for place, state in enumerate(("in use", "retired", "in use"))
                    for statement in (
                        told(f"Pump {place}", "state", state),
                        told(f"Pump {place}", "tag", state),
                        told(f"Pump {place}", "owner", "us"),
                        triplet(f"Pump {place}", "maker", f"Maker {place}"),
                    )
                ]
            )
            batch.settle()
        noted = {known.id: known.values for known in graph.properties()}
        assert noted["state"] == ("in use", "retired")
        assert noted["maker"] == ("Maker 0", "Maker 1", "Maker 2")
        assert (noted["tag"], noted["owner"]) == ((), ())
        with graph.write() as batch:
            batch.add_statements([told(f"Valve {place}", "state", f"state {place}") for place in range(70)])
            batch.settle()
        known = graph.property("state")
        assert known is not None
        assert known.values == ()
