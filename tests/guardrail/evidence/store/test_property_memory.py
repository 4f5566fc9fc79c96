"""Properties in memory."""

from __future__ import annotations

import pytest

from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.property_memory import PropertyMemory, version_of
from guardrail.types import Property


def test_properties_are_found_by_id_and_by_number(graph: Graph) -> None:
    """Both ways lead to the same one."""
    memory = PropertyMemory(graph.database)
    number = memory.number("P57")
    assert number is not None
    assert memory.of_number(number) == memory.of_id("P57") == graph.property("P57")
    assert memory.of_id("P0") is None
    assert memory.number("P0") is None
    with pytest.raises(KeyError):
        memory.of_number(10_000)


def test_a_new_property_is_found_at_once(graph: Graph) -> None:
    """Whoever wrote it."""
    memory = PropertyMemory(graph.database)
    assert memory.of_id("P999") is None
    before = version_of(graph.database)
    with graph.write() as batch:
        batch.add_properties([Property("P999", "shoe size")])
    assert version_of(graph.database) != before
    found = memory.of_id("P999")
    assert found is not None
    assert found.label == "shoe size"


def test_a_table_is_kept_while_the_version_stays(graph: Graph) -> None:
    """A fresh look at the same version gives the same table; a forgotten one is read anew."""
    memory = PropertyMemory(graph.database)
    table = memory.table()
    assert memory.table(fresh=True) is table
    memory.forget()
    assert memory.table() is not table
