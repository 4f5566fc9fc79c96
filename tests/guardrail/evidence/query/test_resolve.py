"""What a user types is an id, a name or a value."""

import pytest

from guardrail.errors import KnowledgeError
from guardrail.evidence.query import resolve
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node


def test_ids_and_names_of_entities(graph: Graph) -> None:
    """Aliases too; the best known where several have the name."""
    assert resolve.entity(graph, "Q76").label == "Barack Obama"
    assert resolve.entity(graph, "barack hussein obama").id == "Q76"
    assert resolve.entity(graph, "Paris").id == "Q90"


def test_an_unknown_entity_is_named_with_what_is_near(graph: Graph) -> None:
    """So that the user can go on."""
    with pytest.raises(KnowledgeError, match=r"no entity 'Barack' in .*near it: Barack Obama \(Q76\)"):
        resolve.entity(graph, "Barack")
    with pytest.raises(KnowledgeError, match="no entity 'Zorbax'"):
        resolve.entity(graph, "Zorbax")


def test_relations_by_id_and_words(graph: Graph) -> None:
    """As claims name them."""
    assert resolve.relation(graph, "P19").id == resolve.relation(graph, "was born in").id == "P19"
    with pytest.raises(KnowledgeError, match="no property 'zorbs'"):
        resolve.relation(graph, "zorbs")


def test_objects_by_the_relations_datatype(graph: Graph) -> None:
    """Entities, dates in words, quantities with units."""
    assert resolve.item(graph, resolve.relation(graph, "P19"), "Hawaii") == Node("Q782", "Hawaii")
    assert resolve.item(graph, resolve.relation(graph, "P569"), "4 August 1961").value == "1961-08-04"  # type: ignore[union-attr]
    assert resolve.item(graph, resolve.relation(graph, "P569"), "^1961-08-04/11").value == "1961-08-04"  # type: ignore[union-attr]
    height = resolve.item(graph, resolve.relation(graph, "P2048"), "1.87 m")
    assert height.value == "1.87"  # type: ignore[union-attr]
    with pytest.raises(KnowledgeError, match="not a date"):
        resolve.item(graph, resolve.relation(graph, "P569"), "long ago")
