"""Things that no text can name."""

from guardrail.evidence.catalog.nameless import nameless
from guardrail.evidence.store.graph import Graph
from tests.world import triplet


def test_an_id_without_a_name_is_found(graph: Graph) -> None:
    """Where it is a number or looks like Wikidata's; not where it is a name, nor where nothing is said of the thing."""
    before = nameless(graph)
    with graph.write() as batch:
        batch.add_statements(triplet(one, "berth", "Q1017") for one in ("P1", "1007", "Acme", "_:b1"))
    assert [one for one in nameless(graph) if one not in before] == ["P1", "1007"]
