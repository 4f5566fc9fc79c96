"""How well a written form fits a name, and which reading wins."""

import pytest

from guardrail.evidence.linking.disambiguate import NameReading, form_score
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Triplet


def reading(text: str, kind: int = 1, *forms: str) -> NameReading:
    return NameReading(1, text, kind, 1.0, 1, forms)


@pytest.mark.parametrize(
    ("surface", "name", "initial"),
    [("Who", "WHO", True), ("apple", "Apple", False), ("Apple", "apple", False), ("us", "US", False)],
)
def test_forms_that_cannot_be_the_name(surface: str, name: str, initial: bool) -> None:
    """Case tells acronyms from words, and names from things."""
    assert form_score(surface, reading(name), initial=initial) is None


def test_a_capital_at_the_start_may_be_a_common_noun() -> None:
    """ "Physics is …"."""
    assert form_score("Physics", reading("physics"), initial=True) is not None


def test_the_same_form_beats_a_similar_one_and_a_label_beats_an_alias() -> None:
    """Exactness counts."""
    same = form_score("Beyoncé", reading("Beyoncé"), initial=False)
    similar = form_score("Beyonce", reading("Beyoncé"), initial=False)
    label = form_score("Beyoncé", reading("Beyoncé", 0), initial=False)
    assert same is not None
    assert similar is not None
    assert label is not None
    assert similar < same < label


def test_any_of_the_forms_will_do() -> None:
    """An entity may be written in several ways under one key."""
    assert form_score("WHO", reading("Who", 1, "WHO"), initial=False) == form_score(
        "WHO", reading("WHO"), initial=False
    )


def test_the_prior_falls_back_on_the_degree() -> None:
    """Well connected is well known."""
    assert NameReading(1, "x", 0, 0.0, 50).prior > NameReading(1, "x", 0, 0.0, 5).prior > 0
    assert NameReading(1, "x", 0, 7.0, 5).prior == 7.0


def test_edges_are_remembered_until_the_graph_changes(graph: Graph) -> None:
    """A statement that joins the less known reading to another name of the text counts from the next text on."""
    with graph.write() as batch:
        batch.add_entities(
            NewEntity(Entity(n, label, popularity=known))
            for n, label, known in (("X1", "Zorbax", 3.0), ("X2", "Zorbax", 2.5), ("X3", "Quuxville", 3.0))
        )
    linker = AliasLinker(graph)

    def best() -> str | None:
        return next(
            m.entity.id
            for m in linker.link("He left Zorbax for Quuxville.")
            if m.text == "Zorbax" and m.entity
        )

    assert best() == "X1"
    with graph.write() as batch:
        batch.add_statements([Triplet(Node("X2", "Zorbax"), Node("P131", "in"), Node("X3", "Quuxville"))])
    assert best() == "X2"
    numbers = graph.numbers(["X2", "X3"])
    assert graph.leaving(list(numbers.values())) == [(numbers["X2"], numbers["X3"])]
