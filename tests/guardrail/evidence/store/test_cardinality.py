"""Whether a property has one value or many is seen in the statements of a graph."""

import pytest

from guardrail.evidence.store.cardinality import inferred
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Object, Property, Qualifier, Triplet, Value
from tests.world import day, triplet


def learn(graph: Graph, *statements: Triplet) -> None:
    with graph.write() as batch:
        batch.add_statements(statements)
        batch.settle()


def cardinality(graph: Graph, property_id: str) -> tuple[str, bool]:
    known = graph.property(property_id)
    assert known is not None
    return known.cardinality, known.temporal


def since(subject: str, predicate: str, item: str, start: str, end: str = "") -> Triplet:
    dates = [("P580", start)] + ([("P582", end)] if end else [])
    return Triplet(
        Node(subject, subject),
        Node(predicate, predicate),
        Node(item, item),
        tuple(Qualifier(Node(i, i), day(date)) for i, date in dates),
    )


def test_three_subjects_with_one_value_show_that_there_is_one(graph: Graph) -> None:
    """Two do not, where neither the values nor the name say so."""
    learn(graph, *(triplet(f"S{i}", "moored at", "Q30") for i in range(2)))
    assert cardinality(graph, "moored at")[0] == "unknown"
    learn(graph, triplet("S3", "moored at", "Q30"))
    assert cardinality(graph, "moored at")[0] == "single"


@pytest.mark.parametrize(
    "item",
    [
        Value("312", "312", "quantity"),
        day("1932-01-11"),
        Value("no", "no", "string"),
        Value("x", "09:00", "string"),
    ],
)
def test_a_number_a_date_a_time_and_a_truth_are_one_from_the_first_subject_on(
    graph: Graph, item: Object
) -> None:
    """Whatever the property is called."""
    learn(graph, triplet("S1", "beds", item))
    assert cardinality(graph, "beds")[0] == "single"


def test_the_name_helps(graph: Graph) -> None:
    """A head office is one, board members are many however many are known of each."""
    learn(
        graph,
        triplet("S1", "head office", "Q30"),
        *(triplet(f"S{i}", "board member", "Q30") for i in range(5)),
    )
    assert cardinality(graph, "head office")[0] == "single"
    assert cardinality(graph, "board member")[0] == "unknown"


@pytest.mark.parametrize(
    ("name", "item", "expected"),
    [
        ("owner", "Q30", "single"),
        ("employees", Value("2270", "2270", "quantity"), "single"),
        ("booking software version", Value("6.2", "6.2", "string"), "single"),
        ("author", "Q30", "list"),
    ],
)
def test_what_a_graph_shows_goes_before_what_the_world_knows_of_the_name(
    graph: Graph, name: str, item: Object | str, expected: str
) -> None:
    """A firm may have several owners, and other figures every year; a table that has one of each says that it is one."""
    learn(graph, triplet("S1", name, item))
    assert cardinality(graph, name)[0] == expected


def test_what_was_inferred_follows_the_data(graph: Graph) -> None:
    """And is told apart from what somebody said."""
    with graph.write() as batch:
        batch.add_properties([Property("motto", "motto", cardinality="single")])
    learn(graph, *(triplet(f"S{i}", "moored at", "Q30") for i in range(3)), triplet("S1", "motto", "Q30"))
    assert inferred(graph.database) == {"moored at"}
    learn(graph, triplet("S1", "moored at", "Q76"))
    assert cardinality(graph, "moored at")[0] == "unknown"
    assert cardinality(graph, "motto")[0] == "single"


def test_start_and_end_show_one_value_at_a_time(graph: Graph) -> None:
    """As long as no two of a subject are so at once."""
    learn(graph, since("S", "head", "a", "2007", "2016-01"), since("S", "head", "b", "2016-02"))
    assert cardinality(graph, "head") == ("single", True)
    learn(graph, since("S", "head", "c", "2015"))
    assert cardinality(graph, "head") == ("unknown", True)


def test_wikidatas_properties_are_left_to_the_curated(graph: Graph) -> None:
    """Three cities with one twin each do not make it single."""
    learn(graph, *(triplet(f"S{i}", "P190", "Q30") for i in range(3)))
    assert cardinality(graph, "P190")[0] != "single"
