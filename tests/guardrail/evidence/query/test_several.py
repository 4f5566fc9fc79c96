"""Several graphs are read as one."""

from pathlib import Path

import pytest

from guardrail.evidence.door import open_all
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.query.paths import paths
from guardrail.evidence.query.several import parts
from guardrail.evidence.store.graph import Graph
from guardrail.types import Label, Property
from guardrail.verifier import Verifier
from tests.world import fill, triplet


@pytest.fixture
def places(tmp_path: Path) -> list[Path]:
    """The small world, and a company that knows one of its people, too."""
    world, company = tmp_path / "world.db", tmp_path / "company.db"
    fill(Graph.create(world)).close()
    with Graph.create(company) as graph, graph.write() as batch:
        batch.add_properties(
            [
                Property("managing director", "managing director", cardinality="single"),
                Property("P26", "partner"),
            ]
        )
        batch.add_statements(
            [
                triplet("Acme Corp", "managing director", "Ann Lee"),
                triplet("Q76", "managing director", "Ann Lee"),
            ]
        )
    return [company, world]


@pytest.fixture
def both(places: list[Path]) -> Knowledge:
    return open_all(places)


def test_what_both_know_is_one_thing_with_what_both_say(both: Knowledge) -> None:
    """The first before the second; a word that names a property in both is asked in both."""
    told = {t.predicate.id for t in both.statements("Q76")}
    assert "managing director" in told
    assert len(told) > 1
    known = both.property("P26")
    assert known is not None
    assert known.label == "partner"
    assert both.statements("Q76", "P26")
    assert both.entity("Acme Corp") is not None
    assert [e.id for e in both.search("Barack Obama")].count("Q76") == 1
    assert {t.predicate.id for t in both.own_statements(10)} == {"managing director"}


def test_numbers_lead_back_to_their_own_graph(both: Knowledge) -> None:
    """Entities, properties, edges and the statements behind them."""
    for entity_id in ("Acme Corp", "Q937"):
        number = both.numbers([entity_id])[entity_id]
        assert both.entities([number])[number].id == entity_id
        _, edges = both.around([entity_id], incoming=10)
        found = both.read_edges(edges)
        assert found
        assert all(both.property_at(abs(edge.p)).id == t.predicate.id for edge, t in found.items())
    assert paths(both, ["Acme Corp", "Ann Lee"])
    assert paths(both, ["Q76", "Q13133"])


def test_the_version_follows_each_of_them(both: Knowledge, places: list[Path]) -> None:
    """So that nothing that was remembered outlives a change in the second."""
    before = both.version
    with Graph.open(places[1], read_only=False) as graph, graph.write() as batch:
        batch.add_statements([triplet("Q76", "P26", "Q937")])
    assert both.version != before


def test_a_text_is_checked_against_all_of_them(places: list[Path]) -> None:
    """A fact of each, in one answer."""
    report = Verifier.open(places).check(
        "The managing director of Acme Corp is Ann Lee. Barack Obama was born in Honolulu."
    )
    assert [verdict.label for verdict in report.verdicts] == [Label.ATTRIBUTABLE, Label.ATTRIBUTABLE]


def test_several_graphs_are_taken_apart_again(both: Knowledge, places: list[Path]) -> None:
    """In their order; one alone is its only part."""
    assert [part.name for part in parts(both)] == [str(place) for place in places]
    assert parts(parts(both)[0]) == (parts(both)[0],)
