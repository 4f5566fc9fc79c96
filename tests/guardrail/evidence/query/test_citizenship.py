"""When one citizenship rules another out."""

from __future__ import annotations

import pytest

from guardrail.evidence.query.citizenship import foreign
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Triplet
from tests.world import day

COUNTRY, GONE = "Q6256", "Q3024240"


@pytest.fixture
def peopled(graph: Graph) -> Graph:
    """Ada (1990) and old Bob (1750), citizens of Here, next to which lies There; Far is far, Once is gone."""
    with graph.write() as batch:
        batch.add_entities(
            NewEntity(Entity(i, i, types=t))
            for i, t in (("Ada", ()), ("Bob", ()), ("Here", (COUNTRY,)), ("There", (COUNTRY,)), ("Far", (COUNTRY,)),
                         ("Once", (COUNTRY, GONE)), ("Town", ()), ("Home", ()), ("Eve", ()), ("Word", ()))
        )  # fmt: skip
        rows = (
            ("Ada", "P569", day("1990")), ("Bob", "P569", day("1750")), ("Here", "P47", Node("There", "There")),
            ("There", "P47", Node("Here", "Here")), ("Ada", "P551", Node("Town", "Town")), ("Town", "P17", Node("Far", "Far")),
            ("Ada", "P19", Node("Home", "Home")), ("Bob", "P19", Node("Home", "Home")), ("Home", "P17", Node("Here", "Here")),
            ("Eve", "P569", day("1990")), ("Here", "P31", Node(COUNTRY, "country")), ("There", "P31", Node(COUNTRY, "country")),
            ("Far", "P31", Node(COUNTRY, "country")), ("Once", "P31", Node(COUNTRY, "country")),
            ("Once", "P31", Node(GONE, "historical country")),
        )  # fmt: skip
        batch.add_statements(
            Triplet(Node(s, s), Node(p, p), o, source="t")  # type: ignore[arg-type]
            for s, p, o in rows
        )
    return graph


@pytest.mark.parametrize(
    ("person", "known", "claimed", "wrong"),
    [
        ("Ada", ["Here"], "There", True),
        ("Ada", ["Here"], "Far", False),  # she lives there
        ("Bob", ["Here"], "Far", True),
        ("Eve", ["Here"], "Far", False),  # nobody knows where she was born
        ("Bob", ["Here"], "There", False),  # neighbours, before passports
        ("Ada", ["Once"], "There", False),
        ("Ada", ["Here", "Once"], "There", False),
        ("Ada", ["Here"], "Once", False),
        ("Ada", ["Here"], "Word", False),
    ],
)
def test_nothing_ties_her_to_it(
    peopled: Graph, person: str, known: list[str], claimed: str, wrong: bool
) -> None:
    """Only a standing country without any tie is ruled out, and only by standing ones."""
    entity = peopled.entity(claimed)
    assert entity is not None
    assert foreign(peopled, person, known, entity) is wrong
