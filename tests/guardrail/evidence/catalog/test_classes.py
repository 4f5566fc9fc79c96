"""The classes of a graph, by id and by name."""

from __future__ import annotations

import pytest

from guardrail.evidence.catalog.classes import all_classes, classes_called, classes_near
from guardrail.evidence.store.graph import Graph


@pytest.mark.parametrize("word", ["Q5", "human", "Human"])
def test_a_class_is_found_by_its_id_and_its_name(graph: Graph, word: str) -> None:
    """In any case."""
    assert classes_called(graph, word) == ("Q5",)


@pytest.mark.parametrize("word", ["Paris", "Q937", "medication", "", "?"])
def test_what_nothing_is_an_instance_of_is_no_class(graph: Graph, word: str) -> None:
    """An entity is not, nor is a word that the graph does not know."""
    assert classes_called(graph, word) == ()


def test_a_misspelt_name_leads_to_the_class(graph: Graph) -> None:
    """And never to an entity that is none."""
    assert [one.label for one in classes_near(graph, "humen")] == ["human"]
    assert classes_near(graph, "Pariss") == ()


def test_all_classes_are_listed_with_their_size(graph: Graph) -> None:
    """The largest first."""
    found = all_classes(graph)
    assert [(one.id, one.label, one.entities) for one in found][:2] == [
        ("Q5", "human", 3),
        ("Q11424", "film", 1),
    ]
