"""Names that the graph does not know."""

import pytest

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.linking.spans import scan
from guardrail.evidence.linking.unknown import relatives
from guardrail.evidence.store.graph import Graph, NewEntity
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met Barack Obama Paris there.", {"Barack Obama Paris": None}),
        ("He met Barack Obama II there.", {"Barack Obama II": None}),
        ("He met Barack Obama FRS there.", {"Barack Obama": "Q76"}),
        ("How Barack Obama Is Honoured", {"Barack Obama": "Q76"}),
        ("He met Barack Obama Monday.", {"Barack Obama": "Q76"}),
        ("He left the Zorbaxian United States for good.", {"Zorbaxian United States": None}),
        ("He left the French United States for good.", {"United States": "Q30"}),
        ("He swam in Lake Honolulu once.", {"Lake Honolulu": None}),
        ("He knew the City of Honolulu well.", {"Honolulu": "Q18094"}),
        ("He met Barack Obama the Elder there.", {"Barack Obama the Elder": None}),
        ("He met Barack Obama the President there.", {"Barack Obama": "Q76"}),
        ("He met Barack Obama, the Elder said.", {"Barack Obama": "Q76"}),
        ("He met State Senator Obama there.", {"Obama": "Q76"}),
        ("He met United States Senator Ada N Zorbax.", {"United States": "Q30", "Ada N Zorbax": None}),
    ],
)
def test_a_longer_name_is_another(linker: AliasLinker, text: str, expected: dict[str, str | None]) -> None:
    """A person's name that goes on, a body's with an unknown word before it, a lake's; but not letters, titles, peoples."""
    found = linked(linker, text)
    assert {name: found.get(name, "nothing") for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "kin"),
    [
        ("He and his wife Ada met her sons Max, Tom and Ben.", {"Ada", "Max", "Tom", "Ben"}),
        ("His brother Max Zorbax lives there.", set()),
        ("His brother Max, London's mayor, rests.", {"Max"}),
        ("He left his wife. Ada was gone.", set()),
        ("His wife and Ada rest.", set()),
    ],
)
def test_relatives_are_called_by_their_first_names(text: str, kin: set[str]) -> None:
    """Alone, and in a list where there are several."""
    scanned = scan(text)
    assert {scanned.surface(i, i) for i in relatives(scanned)} == kin


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
