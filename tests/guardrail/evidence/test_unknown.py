"""Names that the graph does not know."""

import pytest

from guardrail.evidence.graph import Graph, NewEntity
from guardrail.evidence.link import AliasLinker
from guardrail.types import Claim, Context, Entity, Span


@pytest.fixture
def linker(graph: Graph) -> AliasLinker:
    """Over the small world, in which there is no Zorbax."""
    return AliasLinker(graph)


def linked(linker: AliasLinker, text: str, context: Context | None = None) -> dict[str, str | None]:
    mentions = linker.link(text, context=context or Context())
    return {m.text: m.entity.id if m.entity else None for m in mentions}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met Paris Zorbax there.", {"Paris Zorbax": None}),
        ("Zorbax Obama was there.", {"Zorbax Obama": None}),
        ("Recently Obama was there.", {"Obama": "Q76"}),
        ("Reportedly Obama was there.", {"Obama": "Q76"}),
        ("He runs Barack Obama Academy.", {"Barack Obama Academy": None}),
        ("President Barack Obama spoke.", {"Barack Obama": "Q76"}),
        ("It was the Paris Business Academy.", {"Paris Business Academy": None}),
        ("He met Paris Obama there.", {"Paris Obama": None}),
        ("Paris Obama was there.", {"Paris Obama": None}),
        ("It is about Obama of Paris.", {"Obama of Paris": None}),
        ("Physicist Obama spoke.", {"Obama": "Q76"}),
    ],
)
def test_a_run_of_capitals_is_one_name(
    linker: AliasLinker, text: str, expected: dict[str, str | None]
) -> None:
    """Its known words are not somebody else, unless the rest is a title or begins the sentence."""
    found = linked(linker, text)
    assert {name: found.get(name, "nothing") for name in expected} == expected


def test_a_title_between_known_names_keeps_them_apart(linker: AliasLinker, graph: Graph) -> None:
    """Where the graph knows the title as a name, too."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Mayor", popularity=2.0))])
    found = linked(linker, "He met Paris Mayor Obama there.")
    assert (found.get("Paris"), found.get("Obama")) == ("Q90", "Q76")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Barack Obama 2 was directed by her.", {"Barack Obama 2": None}),
        ("She likes Barack Obama 2.", {"Barack Obama 2": None}),
        ("Barack Obama 2 released a song.", {"Barack Obama 2": None}),
        ("In Paris 20 people came.", {"Paris": "Q90"}),
        ("They beat Paris 2-1.", {"Paris": "Q90"}),
        ("Paris 3, London 2.", {"Paris": "Q90"}),
        ("She was in Paris 1999.", {"Paris": "Q90"}),
        ("It costs Barack Obama 2.5 euros.", {"Barack Obama": "Q76"}),
    ],
)
def test_a_number_makes_another_name(linker: AliasLinker, text: str, expected: dict[str, str | None]) -> None:
    """The second part of a film is not the first; a count, a score and a year are no part of the name before them."""
    found = linked(linker, text)
    assert {name: found.get(name, "nothing") for name in expected} == expected


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
