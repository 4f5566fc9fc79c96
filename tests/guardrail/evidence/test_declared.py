"""What somebody says of a property goes before what was inferred."""

from dataclasses import replace

from guardrail.evidence.cardinality import inferred
from guardrail.evidence.declared import declare
from guardrail.evidence.graph import Graph
from tests.world import triplet


def test_a_record_is_written_as_a_whole(graph: Graph) -> None:
    """Flags that are not set are taken back, and nothing counts as inferred any more."""
    with graph.write() as batch:
        batch.add_statements(triplet(f"S{i}", "moored at", "Q30") for i in range(3))
        batch.settle()
    known = graph.property("moored at")
    assert known is not None
    assert known.cardinality == "single"
    before = graph.version
    declare(graph, replace(known, cardinality="list", temporal=True, aliases=("lies at",)))
    assert graph.version != before
    declare(graph, replace(graph.property("moored at") or known, temporal=False))
    now = graph.property("moored at")
    assert now is not None
    assert (now.cardinality, now.temporal, now.aliases) == ("list", False, ("lies at",))
    assert inferred(graph.database) == frozenset()
