"""What a graph has of the entities that a claim names."""

from __future__ import annotations

from pathlib import Path

from guardrail.evidence.query.profile import Profiles
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Triplet, Value
from guardrail.values import find_values

CLINIC, LEE = Node("c", "Elm Clinic"), Node("l", "Ann Lee")


def world(path: Path) -> Graph:
    graph = Graph.create(path)
    with graph.write() as batch:
        batch.add_entities(
            [NewEntity(Entity("c", "Elm Clinic")), NewEntity(Entity("l", "Ann Lee", types=("person",)))]
        )
        batch.add_statements(
            [
                Triplet(CLINIC, Node("director", "director"), LEE, source="t"),
                Triplet(CLINIC, Node("beds", "beds"), Value("312", "312", "quantity"), source="t"),
            ]
        )
    return graph


def test_a_profile_has_the_statements_with_their_records(tmp_path: Path) -> None:
    """And what it is itself a value of; an unknown id has none."""
    clinic, lee = Profiles(world(tmp_path / "kg.db")).of(["c", "l", "nobody"])
    assert {one.predicate.label for one in clinic.statements} == {"director", "beds"}
    assert set(clinic.properties) == {"director", "beds"}
    assert lee.object_of == {"director"}
    assert lee.statements == ()


def test_a_changed_graph_is_asked_again(tmp_path: Path) -> None:
    """What is remembered is of one version."""
    graph = world(tmp_path / "kg.db")
    profiles = Profiles(graph)
    profiles.of(["c"])
    with graph.write() as batch:
        batch.add_statements(
            [Triplet(CLINIC, Node("town", "town"), Value("Ulm", "Ulm", "string"), source="t")]
        )
    (clinic,) = profiles.of(["c"])
    assert "town" in clinic.properties


def term(*statements: tuple[str, str]) -> list[Triplet]:
    """A node of its own between somebody and an office."""
    dates = {
        text: found[0].value for _, text in statements if (found := find_values(text)) and found[0].value
    }
    ends = {"Elm Clinic": CLINIC, "Ann Lee": LEE} | dates
    return [
        Triplet(
            Node("t1", "t1"), Node(label, label), ends.get(text) or Value(text, text, "string"), source="t"
        )
        for label, text in statements
    ]


def of_lee(path: Path, *statements: tuple[str, str]) -> tuple[Triplet, ...]:
    graph = world(path)
    with graph.write() as batch:
        batch.add_statements(term(*statements))
    (lee,) = Profiles(graph).of(["l"])
    return lee.terms


def test_a_term_of_office_may_be_a_node(tmp_path: Path) -> None:
    """Who holds an office where, and from when to when, becomes one dated statement that cites the node."""
    (found,) = of_lee(
        tmp_path / "kg.db",
        ("holder", "Ann Lee"),
        ("office", "treasurer"),
        ("office at", "Elm Clinic"),
        ("from", "1 March 2015"),
        ("until", "31 May 2020"),
    )
    assert (found.subject.label, found.predicate.label, found.object.label) == (
        "Elm Clinic",
        "treasurer",
        "Ann Lee",
    )
    assert [one.object.label for one in found.qualifiers] == ["1 March 2015", "31 May 2020"]
    assert found.id.startswith("t1$")


def test_a_node_without_a_date_or_an_office_is_no_term(tmp_path: Path) -> None:
    """A row about somebody else who has a post, too."""
    assert of_lee(tmp_path / "a.db", ("holder", "Ann Lee"), ("office", "treasurer")) == ()
    assert of_lee(tmp_path / "b.db", ("holder", "Ann Lee"), ("from", "1 March 2015")) == ()
    reports = (("reports to", "Ann Lee"), ("post", "nurse"), ("from", "1 March 2015"))
    assert of_lee(tmp_path / "c.db", *reports) == ()
