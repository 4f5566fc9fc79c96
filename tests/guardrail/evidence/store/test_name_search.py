"""Names that somebody types."""

from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.evidence.store.name_search import found_by_name
from guardrail.types import Entity


def labels(graph: Graph, text: str, limit: int = 10) -> list[str]:
    numbers = found_by_name(graph.database, text, limit)
    found = graph.entities(numbers)
    return [found[n].label for n in numbers]


def test_a_word_inside_a_name_is_found_behind_names_that_begin_with_it(graph: Graph) -> None:
    """At any place in the name, and by its beginning."""
    assert labels(graph, "obama")[0] == "Barack Obama"
    assert "Michelle Obama" in labels(graph, "obama")
    assert labels(graph, "dicap") == ["Leonardo DiCaprio"]
    assert labels(graph, "health org") == ["World Health Organization"]
    assert labels(graph, "paris")[:1] == ["Paris"]
    assert labels(graph, "hilton") == ["Paris Hilton"]


def test_letters_in_the_middle_of_a_word_and_signs_find_nothing(graph: Graph) -> None:
    """A sign of the database's own stands for itself."""
    assert labels(graph, "aprio") == labels(graph, "%") == labels(graph, "_") == labels(graph, "") == []


def test_there_are_never_more_than_asked_for(graph: Graph) -> None:
    """The best known first."""
    with graph.write() as batch:
        batch.add_entities(NewEntity(Entity(f"S{i}", f"The Old Mill {i}", popularity=i)) for i in range(9))
    assert labels(graph, "mill", limit=3) == ["The Old Mill 8", "The Old Mill 7", "The Old Mill 6"]
