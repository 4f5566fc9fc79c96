"""What a graph has of the entities that a claim names."""

from __future__ import annotations

from pathlib import Path

from guardrail.evidence.query.profile import Profiles
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Triplet, Value

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
