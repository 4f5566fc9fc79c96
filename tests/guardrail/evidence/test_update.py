"""A new fact is redundant, new, or in conflict."""

from dataclasses import replace

import pytest

from guardrail.evidence.properties.completeness import mark
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.update import check_update
from guardrail.types import Node, Property, Qualifier
from tests.world import day, node, triplet


@pytest.mark.parametrize(
    ("subject", "predicate", "item", "state"),
    [
        ("Q76", "P19", "Q18094", "redundant"),
        ("Q76", "P19", "Q30", "redundant"),
        ("Q76", "P19", "Q114", "conflict"),
        ("Q76", "P26", "Q937", "new"),
        ("Q25188", "P57", "Q937", "conflict"),
        ("Q13133", "P19", "Q30", "new"),
        ("Q76", "P404", "Q30", "new"),
        ("Q76", "P569", day("1961-08-04"), "redundant"),
        ("Q76", "P569", day("1961"), "redundant"),
        ("Q76", "P569", day("1990"), "conflict"),
    ],
)
def test_states(graph: Graph, subject: str, predicate: str, item: object, state: str) -> None:
    """By cardinality, completeness, hierarchy and the values' precision."""
    found = check_update(graph, triplet(subject, predicate, item))  # type: ignore[arg-type]
    assert found.state == state
    assert found.why.endswith(".")
    assert bool(found.known) == (state != "new" or predicate == "P26")


def test_a_finer_fact_is_new(graph: Graph) -> None:
    """It says more."""
    with graph.write() as batch:
        batch.add_statements([triplet("Q25191", "P19", "Q30")])
    assert check_update(graph, triplet("Q25191", "P19", "Q18094")).state == "new"


def test_a_list_that_is_complete_takes_no_other(graph: Graph) -> None:
    """Also where there is nothing on it."""
    with graph.write() as batch:
        batch.add_statements([mark(node("Q25188"), "P161"), mark(node("Q937"), "P26")])
    another = check_update(graph, triplet("Q25188", "P161", "Q76"))
    assert (another.state, [t.object.label for t in another.known]) == ("conflict", ["Leonardo DiCaprio"])
    assert check_update(graph, triplet("Q25188", "P161", "Q38111")).state == "redundant"
    assert check_update(graph, triplet("Q937", "P26", "Q76")).state == "conflict"
    assert check_update(graph, triplet("Q76", "P26", "Q937")).state == "new"


def test_a_term_of_its_own_makes_another_value_new(graph: Graph) -> None:
    """Of what has one value at a time, the graph is told the next; without a time it is told another."""
    relation = Property("head", "head", cardinality="single", temporal=True)
    with graph.write() as batch:
        batch.add_properties([relation])
        batch.add_statements([triplet("Q76", "head", "Q30")])
    since = Qualifier(Node("P580", "start time"), day("2025-07-01"))
    assert check_update(graph, triplet("Q76", "head", "Q937")).state == "conflict"
    assert check_update(graph, replace(triplet("Q76", "head", "Q937"), qualifiers=(since,))).state == "new"
