"""Columns hold what the rows held."""

import numpy as np

from guardrail.evidence.codec import entity_key, literal_key, pack_value
from guardrail.evidence.packed import by_columns, pack
from tests.world import day


def test_columns_give_the_rows_back() -> None:
    """Entities, literals, keys; doubles are dropped."""
    born = day("1990")
    rows = [("b", "p", "a"), ("a", "q", born), ("a", "p", "b"), ("b", "p", "a"), ("b", "q", born)]
    packed = pack(rows)
    read = set()
    for s, p, o, k in zip(packed.subject, packed.predicate, packed.object, packed.k, strict=True):
        item = packed.ids[o] if o >= 0 else packed.values[-1 - o]
        read.add((packed.ids[s], packed.predicates[p], item, int(k)))
    text, key = pack_value(born), literal_key(born)
    assert read == {
        ("b", "p", "a", entity_key("a")),
        ("a", "p", "b", entity_key("b")),
        ("a", "q", text, key),
        ("b", "q", text, key),
    }
    assert len(packed) == 4
    assert dict(zip(packed.predicates, packed.datatypes, strict=True)) == {"p": "entity", "q": "date"}


def test_nothing_packs_to_nothing() -> None:
    """An empty chunk is no error."""
    assert len(pack([])) == 0


def test_rows_are_sorted_by_the_columns_in_turn() -> None:
    """As the tables' keys are."""
    columns = (np.array([2, 1, 1]), np.array([0, 5, 3]))
    assert by_columns(*columns) == [(1, 3), (1, 5), (2, 0)]
