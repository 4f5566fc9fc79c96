"""Rows that `kg export` wrote, as they are."""

import pytest

from guardrail.evidence.importers.chunk import Chunk
from guardrail.evidence.importers.exported import add, object_of
from guardrail.types import Node, Value


def test_what_a_row_says_is_taken_as_it_is() -> None:
    """Bars, semicolons, white space and quotes mean nothing here."""
    chunk = Chunk()
    add({"rows": "entity", "id": "a", "label": " A|B ", "aliases": ["x|y;z", '"q"'], "language": "en"}, chunk)
    add({"rows": "property", "id": "p", "label": "p|q", "aliases": ["r|s"], "cardinality": "single"}, chunk)
    row = {
        "rows": "statement",
        "subject": "a",
        "predicate": "p",
        "object": {"datatype": "string", "value": " b|c;d=e ", "label": " b|c;d=e "},
        "qualifiers": [{"property": "q", "object": {"id": "x;y|z"}}],
        "id": "a$~0000000000000001",
        "rank": "preferred",
    }
    add(row, chunk)
    [entity], [relation], [statement] = chunk.entities, chunk.properties, chunk.as_is
    assert (entity.entity.label, entity.aliases) == (" A|B ", ("x|y;z", '"q"'))
    assert (relation.label, relation.aliases, relation.cardinality) == ("p|q", ("r|s",), "single")
    assert statement.object == Value(" b|c;d=e ", " b|c;d=e ", "string")
    assert [q.object for q in statement.qualifiers] == [Node("x;y|z", "")]
    assert (statement.id, statement.source, statement.rank) == ("a$~0000000000000001", "", "preferred")


@pytest.mark.parametrize(
    "cell", [{"datatype": "date"}, {"datatype": "string", "value": 5, "label": ""}, {"id": 7}, {"value": "x"}]
)
def test_what_is_no_object_is_refused(cell: dict[str, object]) -> None:
    """With an error that the importer counts as a bad record."""
    with pytest.raises((ValueError, TypeError, KeyError)):
        object_of(cell)
