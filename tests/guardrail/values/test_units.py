"""The table of units."""

from __future__ import annotations

from guardrail.types import Node
from guardrail.values.units import UNITS, unit_named, unit_of


def test_ids_are_distinct() -> None:
    """No two units share an id or a word."""
    ids = [unit.node.id for unit in UNITS]
    words = [word for unit in UNITS for word in unit.words]
    assert len(ids) == len(set(ids))
    assert len(words) == len(set(words))


def test_symbols_are_case_sensitive_and_names_are_not() -> None:
    """A megawatt is no milliwatt, but Metres are metres."""
    assert unit_named("MW") is not None
    assert unit_named("mw") is None
    assert unit_named("Metres") is unit_named("metres")
    assert unit_named("kgs") is unit_named("kg")


def test_a_unit_is_known_by_id_or_label() -> None:
    """Graphs that are not Wikidata name their units by label."""
    assert unit_of(Node("Q11573", "whatever")) is unit_of(Node("", "metre"))
    assert unit_of(Node("Q33659", "inhabitant")) is None


def test_a_foot_is_a_third_of_a_yard() -> None:
    """Factors are exact."""
    foot, yard = unit_named("foot"), unit_named("yard")
    assert foot is not None
    assert yard is not None
    assert foot.factor * 3 == yard.factor
