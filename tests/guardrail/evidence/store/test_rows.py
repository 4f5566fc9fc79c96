"""Rows become nouns, and the table of properties can be asked from every side."""

from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.rows import SELECT_PROPERTY, PropertyTable


def test_the_property_table_agrees_with_itself(graph: Graph) -> None:
    """Ids, numbers and properties lead to each other."""
    table = PropertyTable.of("v", graph.database.rows(SELECT_PROPERTY))
    assert len(table.by_id) == len(table.by_number) == len(table.numbers) >= 18
    for property_id, known in table.by_id.items():
        assert table.by_number[table.numbers[property_id]] == known
    assert table.by_id["P26"].aliases == ("wife", "husband", "married to")


def test_a_name_comes_with_its_entity(graph: Graph) -> None:
    """One question gives both: the entity need not be asked for again."""
    found = graph.named({"barack obama": ["Barack Obama"]})
    assert [(row.text, row.known) for row in found] == [("Barack Obama", graph.entity("Q76"))]
