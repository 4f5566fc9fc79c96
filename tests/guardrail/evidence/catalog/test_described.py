"""What the properties of a graph are taken for."""

import pytest

from guardrail.evidence.catalog.described import described, summary
from guardrail.evidence.store.graph import Graph
from guardrail.types import Object, Property, Value
from tests.world import day, triplet


@pytest.mark.parametrize(
    ("item", "type_"),
    [(day("1999"), "date"), (Value("7", "7", "quantity"), "number"), (Value("x", "x", "string"), "text")],
)
def test_a_property_is_told_with_its_type_and_counts(graph: Graph, item: Object, type_: str) -> None:
    """And with who said how many values it has."""
    with graph.write() as batch:
        batch.add_properties([Property("motto", "motto", cardinality="single")])
        batch.add_statements([triplet("Q76", "motto", item), triplet("Q937", "motto", item)])
        batch.settle()
    [found] = [one for one in described(graph) if one.known.id == "motto"]
    assert (found.type, found.statements, found.subjects, found.said) == (type_, 2, 2, True)


def test_the_summary_counts_what_is_the_users_own() -> None:
    """Wikidata's properties are curated; start and end are no facts of their own."""
    own = [
        Property("price", "price", cardinality="single"),
        Property("head", "head", cardinality="single", temporal=True),
        Property("skill", "skill"),
        Property("P19", "place of birth"),
        Property("P580", "start time"),
    ]
    assert summary(own) == "3 properties: 1 single-valued, 1 list, 1 changes over time"
