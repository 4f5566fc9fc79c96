"""What somebody says of a property goes before what was inferred."""

from dataclasses import replace

import pytest

from guardrail.errors import ConfigError
from guardrail.evidence.catalog.declared import Said, declare
from guardrail.evidence.store.cardinality import inferred
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
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


def test_what_is_not_said_of_a_property_stays() -> None:
    """Further names are added to those that it has; a unit is named as people write it."""
    known = Property("mass", "mass", ("weight",), datatype="quantity", cardinality="single", temporal=True)
    now = Said(temporal=False, unit="kg", aliases=("weight", "heaviness")).of(known)
    assert (now.cardinality, now.temporal, now.aliases) == ("single", False, ("weight", "heaviness"))
    assert now.unit is not None
    assert now.unit.label == "kilogram"
    with pytest.raises(ConfigError, match="nothing to change"):
        Said().of(known)
