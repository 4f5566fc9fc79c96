"""A sum has the currency that a property of its own names."""

from pathlib import Path

import pytest

from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Triplet, Value
from tests.world import triplet

SUM = Value("145", "145", "quantity")


def told(subject: str, name: str, value: Value) -> Triplet:
    return Triplet(Node(subject, subject), Node(name, name), value)


@pytest.mark.parametrize(
    ("sum_of", "currency", "unit"),
    [
        ("price", "price currency", "pound sterling"),
        ("ticket price", "currency", "pound sterling"),
        ("visitors", "currency", None),
        ("price", "salary currency", None),
    ],
)
def test_a_bare_sum_gets_its_currency(sum_of: str, currency: str, unit: str | None, tmp_path: Path) -> None:
    """However often it is settled; a number that is no money by its name, or is not the one that is meant, stays bare."""
    with Graph.create(tmp_path / "a.db") as graph, graph.write() as batch:
        batch.add_statements(
            [
                told("Pass", sum_of, SUM),
                told("Pass", currency, Value("GBP", "GBP", "string")),
                told("Tour", sum_of, SUM),
            ]
        )
        for _ in range(2):
            batch.settle()
        [found] = [t.object for t in graph.statements("Pass", sum_of)]
        assert isinstance(found, Value)
        assert (found.unit.label if found.unit else None) == unit
        assert found.label == ("145 pounds sterling" if unit else "145")
        [other] = [t.object for t in graph.statements("Tour", sum_of)]
        assert isinstance(other, Value)
        assert other.unit is None


def test_a_currency_may_be_a_thing(tmp_path: Path) -> None:
    """Tables name it so; what is no currency is none."""
    with Graph.create(tmp_path / "a.db") as graph, graph.write() as batch:
        batch.add_statements(
            [
                told("Pass", "price", SUM),
                triplet("Pass", "currency", "EUR"),
                told("Tour", "price", SUM),
                triplet("Tour", "currency", "barter"),
            ]
        )
        batch.settle()
        [[one], [other]] = [[t.object for t in graph.statements(name, "price")] for name in ("Pass", "Tour")]
        assert isinstance(one, Value)
        assert isinstance(other, Value)
        assert one.unit is not None
        assert (one.unit.label, other.unit) == ("euro", None)
