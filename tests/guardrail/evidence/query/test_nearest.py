"""The statements of somebody's own graph are found by what they mean."""

from pathlib import Path

import pytest

from guardrail.evidence.properties.completeness import COMPLETE_LIST, mark
from guardrail.evidence.query import nearest
from guardrail.evidence.query.nearest import NearestStatements
from guardrail.evidence.query.profile import Profiles
from guardrail.evidence.store.graph import Graph
from guardrail.models.embed import Embedder
from guardrail.types import Node, Profile, Property, Triplet
from tests.world import triplet

EMBEDDER = Embedder()
ROWS = [
    ("Garden room", "price per night", "GBP 90"),
    ("Garden room", "breakfast", "included"),
    ("Barrow Hotel", "notice of cancellation", "48 hours"),
    ("Barrow Hotel", "manager", "Ann Lee"),
    *((f"Room {number}", "floor", f"floor {number}") for number in range(1, 12)),
]


@pytest.fixture
def hotel(tmp_path: Path) -> Graph:
    made = Graph.create(tmp_path / "hotel.db")
    with made.write() as batch:
        batch.add_properties([Property(name, name) for name in dict.fromkeys(row[1] for row in ROWS)])
        batch.add_statements([triplet(*row) for row in ROWS])
    return made


def test_a_sentence_that_names_nothing_finds_what_it_means(hotel: Graph) -> None:
    """The nearest first, and behind them others of their properties alone."""
    nearest, others = NearestStatements(hotel, EMBEDDER).to(
        "You can still call off your stay two days before you arrive.", ()
    )
    assert nearest[0].predicate.label == "notice of cancellation"
    assert {one.predicate.label for one in others} <= {one.predicate.label for one in nearest}
    assert not set(others) & set(nearest)


def test_what_is_written_later_is_found(hotel: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph is read again when it has changed, and what was there before is not worked out again."""
    near = NearestStatements(hotel, EMBEDDER)
    assert all(one.object.label != "not allowed" for one in near.to("Dogs cannot stay.", ())[0])
    with hotel.write() as batch:
        batch.add_properties([Property("dogs", "dogs")])
        batch.add_statements([triplet("Barrow Hotel", "dogs", "not allowed")])
    embedded: list[str] = []
    embed = EMBEDDER.embed
    monkeypatch.setattr(EMBEDDER, "embed", lambda texts: embedded.extend(texts) or embed(texts))  # type: ignore[func-returns-value]
    assert near.to("Dogs cannot stay.", ())[0][0].object.label == "not allowed"
    assert embedded == ["Barrow Hotel: dogs: not allowed", "Dogs cannot stay."]


def test_marks_and_withdrawn_statements_are_not_read(hotel: Graph) -> None:
    """That a list is complete is no fact of the thing, and what is deprecated is not said any more."""
    with hotel.write() as batch:
        withdrawn = triplet("Barrow Hotel", "manager", "Tom Bell", rank="deprecated")
        batch.add_properties([COMPLETE_LIST])
        batch.add_statements([withdrawn, mark(withdrawn.subject, "manager")])
    found, _ = NearestStatements(hotel, EMBEDDER).to("Tom Bell manages the Barrow Hotel.", ())
    assert "Ann Lee" in {one.object.label for one in found}
    assert {one.object.label for one in found}.isdisjoint({"Tom Bell", "manager"})


def test_of_a_graph_of_the_world_or_a_large_one_the_things_that_are_named_are_read(
    graph: Graph, hotel: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it would take too long."""
    text = "The president came into the world in Honolulu."
    assert NearestStatements(graph, EMBEDDER).to(text, ()) == ((), ())
    (obama,) = Profiles(graph).of(["Q76"])
    found, _ = NearestStatements(graph, EMBEDDER).to(text, [obama])
    assert found[0] in obama.statements
    (honolulu,) = Profiles(graph).of(["Q18094"])
    found, _ = NearestStatements(graph, EMBEDDER).to("A president came into the world there.", [honolulu])
    assert found[0] in honolulu.incoming  # what others are to it counts, too
    monkeypatch.setattr(nearest, "_MOST", len(ROWS) - 1)
    assert NearestStatements(hotel, EMBEDDER).to("Breakfast is included.", ()) == ((), ())


def test_of_a_thing_with_many_statements_those_are_compared_whose_words_are_near(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest stand behind them: none is lost, and few are embedded."""
    river, asked = Node("Q1", "Wend"), Node("P1", "tributary")
    statements = [Triplet(river, asked, Node("", f"Brook {number}")) for number in range(100)]
    length = Triplet(river, Node("P2", "length"), Node("", "62 km"))
    embedded: list[str] = []
    embed = EMBEDDER.embed
    monkeypatch.setattr(EMBEDDER, "embed", lambda texts: embedded.extend(texts) or embed(texts))  # type: ignore[func-returns-value]
    wend = Profile(river, (*statements, length))
    found, others = NearestStatements(graph, EMBEDDER).to("The length of the Wend is 62 km.", [wend])
    assert found[0] == length
    assert len({*found, *others}) == len(found) + len(others) > 60
    assert len(embedded) < 40
