"""Names that the graph does not know."""

import pytest

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Claim, Context, Entity, Span


@pytest.fixture
def linker(graph: Graph) -> AliasLinker:
    """Over the small world, in which there is no Zorbax."""
    return AliasLinker(graph)


def linked(linker: AliasLinker, text: str, context: Context | None = None) -> dict[str, str | None]:
    mentions = linker.link(text, context=context or Context())
    return {m.text: m.entity.id if m.entity else None for m in mentions}


def test_a_title_between_known_names_keeps_them_apart(linker: AliasLinker, graph: Graph) -> None:
    """Where the graph knows the title as a name, too."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Mayor", popularity=2.0))])
    found = linked(linker, "He met Paris Mayor Obama there.")
    assert (found.get("Paris"), found.get("Obama")) == ("Q90", "Q76")


def test_the_last_name_of_an_unknown_person_is_unknown(linker: AliasLinker, graph: Graph) -> None:
    """Introduced in full as somebody else, a name no longer means the one the graph knows; the well-known still does."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Zorbax", popularity=2.0))])
    text = "He met Zorbax."
    assert linked(linker, text)["Zorbax"] == "Q1"
    assert linked(linker, "Ada Zorbax came late. " + text)["Zorbax"] is None
    earlier = Claim(0, Span(0, 1), "x", "x", mentions=tuple(linker.link("Ada Zorbax came late.")))
    assert linked(linker, text, Context(earlier=(earlier,)))["Zorbax"] is None
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Zorbax", popularity=9.0))])
    assert linked(linker, "Ada Zorbax came late. " + text)["Zorbax"] == "Q1"


def test_the_last_name_of_a_known_person_means_that_person(linker: AliasLinker, graph: Graph) -> None:
    """Also where another bears it alone; a thing's last word means nothing of the kind."""
    with graph.write() as batch:
        batch.add_entities(
            [
                NewEntity(Entity("Q1", "Nolan", popularity=6.0)),
                NewEntity(Entity("Q2", "Inception Nolan", popularity=3.0)),
                NewEntity(Entity("Q3", "Ann Nolan", types=("Q5",), popularity=3.0)),
            ]
        )
    assert linked(linker, "Ann Nolan came. He likes Nolan.")["Nolan"] == "Q3"
    assert linked(linker, "Inception Nolan came. He likes Nolan.")["Nolan"] == "Q1"


def test_a_relative_is_nobody_known_by_chance(linker: AliasLinker, graph: Graph) -> None:
    """Of the many who bear a first name only one that is well known or told of is meant."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Ada", types=("Q5",), popularity=2.0))])
    assert linked(linker, "He met Ada there.") == {"Ada": "Q1"}
    assert linked(linker, "He met his wife Ada there.") == {"Ada": None}


def test_a_first_name_alone_is_who_was_named_in_full(linker: AliasLinker, graph: Graph) -> None:
    """Known or not; but a company is no person of that name, and a city is better known."""
    with graph.write() as batch:
        batch.add_entities(
            [
                NewEntity(Entity("Q1", "Ada", types=("Q5",), popularity=2.0)),
                NewEntity(Entity("Q2", "Lotus", types=("Q4830453",), popularity=2.0)),
            ]
        )
    assert linked(linker, "Ada Zorbax met him. Then Ada left.")["Ada"] is None
    assert linked(linker, "Lotus Zorbax won. Then Lotus left.")["Lotus"] == "Q2"
    assert linked(linker, "Paris Hilton sang. Then Paris slept.")["Paris"] == "Q90"
    assert linked(linker, "Barack Obama sang. Then Barack slept.")["Barack"] == "Q76"
