"""Rows of the knowledge file as statements."""

from __future__ import annotations

import pytest

from guardrail.errors import KnowledgeDamaged
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.property_memory import PropertyMemory
from guardrail.evidence.store.statements import StatementReader
from guardrail.types import Value
from tests.world import triplet


def reader(graph: Graph) -> StatementReader:
    return StatementReader(graph.database, PropertyMemory(graph.database))


def test_a_condition_chooses_the_statements(graph: Graph) -> None:
    """With the names of both ends, of the property, and of the source."""
    [found] = reader(graph).where("s.id = ? AND o.id = ?", ("Q25188", "Q25191"))
    assert (found.subject.label, found.predicate.label) == ("Inception", "director")
    assert (found.object.label, found.source, found.rank) == ("Christopher Nolan", "test", "normal")


def test_units_are_named(graph: Graph) -> None:
    """A unit was written by its id; the graph knows what it is called."""
    [height] = reader(graph).where("s.id = ? AND t.o IS NULL AND t.value LIKE ?", ("Q76", "%quantity%"))
    assert isinstance(height.object, Value)
    assert height.object.unit is not None
    assert (height.object.label, height.object.unit.label) == ("1.87 metre", "metre")


def test_what_another_writes_is_read(graph: Graph) -> None:
    """A property and a source that came after the reader was made."""
    own = reader(graph)
    assert own.where("s.id = ?", ("Q18094",)) != []
    with graph.write() as batch:
        batch.add_statements([triplet("Q18094", "P999", "Q30", id="x")])
    [found] = own.where("s.id = ? AND t.local = ?", ("Q18094", "x"))
    assert found.predicate.id == "P999"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE statement SET value = 'no JSON' WHERE value IS NOT NULL",
        "UPDATE statement SET value = '7' WHERE value IS NOT NULL",
        "UPDATE statement SET qualifiers = '[1]'",
        "UPDATE statement SET p = p + 4711",
        "DELETE FROM source",
    ],
)
def test_a_broken_row_is_a_damaged_file(graph: Graph, damage: str) -> None:
    """No traceback, wherever it is broken."""
    with graph.database.transaction() as cursor:
        cursor.rows(damage)
    with pytest.raises(KnowledgeDamaged, match="a statement that cannot be read"):
        reader(graph).where("s.id = ?", ("Q76",))
