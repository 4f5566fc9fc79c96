"""Values, qualifiers and statement ids survive the way into a row and back."""

import pytest

from guardrail.evidence.store.codec import (
    identity,
    local_key,
    nodes_in,
    pack_qualifiers,
    pack_value,
    statement_id,
    unpack_qualifiers,
    unpack_value,
)
from guardrail.types import Node, Qualifier, Value
from tests.world import day, triplet

VALUES = [
    Value("13 December 1989", "1989-12-13", "date", 11, "Q1985727"),
    Value("44 BC", "-0044", "date", 9),
    Value("381 metre", "381", "quantity", unit=Node("Q11573", "metre"), lower="380", upper="382"),
    Value("42", "42", "quantity"),
    Value("Gabon", "Gabon", "string", language="fr"),
    Value("48.85,2.35", "48.85,2.35", "coordinate"),
    Value("", "", "string"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: v.value or "empty")
def test_a_value_comes_back_as_it_was(value: Value) -> None:
    """Every field of a literal is kept."""
    assert unpack_value(pack_value(value), {}) == value


def test_a_unit_without_a_name_gets_the_one_of_the_graph() -> None:
    """An import may meet a unit before its label: the reader sees the label all the same."""
    packed = pack_value(Value("42 Q11573", "42", "quantity", unit=Node("Q11573", "")))
    assert nodes_in(packed, None) == ["Q11573"]
    assert unpack_value(packed, {"Q11573": "metre"}).label == "42 metre"


def test_qualifiers_come_back_with_the_labels_of_today() -> None:
    """Labels of qualifier objects are those that the graph has when it is read."""
    qualifiers = (
        Qualifier(Node("P580", "start time"), day("1990")),
        Qualifier(Node("P17", "x"), Node("Q183", "old")),
    )
    read = unpack_qualifiers(
        pack_qualifiers(qualifiers), {"Q183": "Germany"}, {"P580": "start time", "P17": "country"}
    )
    assert read == (qualifiers[0], Qualifier(Node("P17", "country"), Node("Q183", "Germany")))


def test_the_same_statement_has_the_same_identity() -> None:
    """Labels do not matter; qualifiers do, but not their order."""
    start, end = Qualifier(Node("P580", "a"), day("1990")), Qualifier(Node("P582", "b"), day("1994"))
    assert identity(triplet("Q1", "P6", "Q2", start, end)) == identity(triplet("Q1", "P6", "Q2", end, start))
    assert identity(triplet("Q1", "P6", "Q2", start)) != identity(triplet("Q1", "P6", "Q2"))
    assert identity(triplet("Q1", "P6", day("1990"))) != identity(triplet("Q1", "P6", day("1990-01")))


def test_a_statement_id_leads_back_to_its_row() -> None:
    """Ids of the source and ids made here both name subject and row."""
    k, local = identity(triplet("Q1", "P6", "Q2", id="Q1$ABC-1"))
    assert local == "ABC-1"
    assert local_key(statement_id("Q1", k, local)) == ("Q1", k)
    k, local = identity(triplet("Q1", "P6", "Q2"))
    assert local is None
    assert local_key(statement_id("Q1", k, local)) == ("Q1", k)


@pytest.mark.parametrize("nonsense", ["", "Q1", "Q1$", "Q1$~xyz"])
def test_what_is_no_statement_id_leads_nowhere(nonsense: str) -> None:
    """An id of somebody else is no error."""
    assert local_key(nonsense) is None
