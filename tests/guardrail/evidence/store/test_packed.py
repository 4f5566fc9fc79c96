"""Columns hold what the rows held."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.store.codec import entity_key, literal_key, pack_value
from guardrail.evidence.store.packed import Columns, Name, Packed, distinct_rows, key_order, rows_of
from guardrail.types import Value
from tests.world import day

Row = tuple[str, str, str | Value]


def columns(rows: list[Row]) -> Columns:
    made = Columns()
    for row in rows:
        made.add(*row)
    return made


def read(packed: Packed) -> list[tuple[str, str, str, int]]:
    """Subject, property, object or the literal's text, key."""
    texts = [packed.values[-1 - o] if o < 0 else None for o in packed.object.tolist()]
    places = zip(packed.subject, packed.predicate, packed.object, texts, packed.k, strict=True)
    return [
        (packed.ids[s], packed.predicates[p], packed.ids[o] if text is None else text, int(k))
        for s, p, o, text, k in places
    ]


def test_columns_give_the_rows_back() -> None:
    """Entities, literals, keys; doubles are dropped, the first stays."""
    born = day("1990")
    rows: list[Row] = [
        ("b", "p", "a"),
        ("a", "q", born),
        ("a", "p", "b"),
        ("b", "p", "a"),
        ("b", "q", born),
    ]
    packed = columns(rows).pack()
    text, key = pack_value(born), literal_key(born)
    assert read(packed) == [
        ("b", "p", "a", entity_key("a")),
        ("a", "q", text, key),
        ("a", "p", "b", entity_key("b")),
        ("b", "q", text, key),
    ]
    assert dict(zip(packed.predicates, packed.datatypes, strict=True)) == {"p": "entity", "q": "date"}


@given(st.lists(st.tuples(*[st.sampled_from("abcde")] * 3), max_size=60))
def test_nothing_is_lost_and_nothing_is_there_twice(rows: list[tuple[str, str, str]]) -> None:
    """Whatever repeats in whatever order; only ids that are used are there."""
    packed = columns(list(rows)).pack()
    assert [row[:3] for row in read(packed)] == list(dict.fromkeys(rows))
    assert set(packed.ids) == {name for s, _, o in rows for name in (s, o)}


def test_what_is_taken_back_leaves_no_trace() -> None:
    """Ids of a statement that turned out bad make no entities."""
    made = columns([("a", "p", "b")])
    mark = made.mark()
    made.add("c", "p", "d")
    made.names.append(Name(made.entity("e"), "E", "en", "label", "e"))
    made.cut(mark)
    packed = made.pack()
    assert packed.ids == ["a", "b"]
    assert len(packed) == 1


def test_an_id_is_told_once() -> None:
    """What is packed later speaks of it by the place that it had before."""
    made = columns([("a", "p", "b")])
    first = made.pack()
    made.add("b", "p", "c")
    second = made.pack()
    assert (first.first, first.ids, second.first, second.ids) == (0, ["a", "b"], 2, ["c"])
    assert (second.subject.tolist(), second.object.tolist()) == ([1], [2])
    assert second.k.tolist() == [entity_key("c")]


def test_names_come_in_the_order_of_the_index() -> None:
    """The last label is the label; a name without letters is none of the index; doubles are one."""
    made = Columns()
    place = made.entity("a")
    for text, kind, key in (
        ("Old", "label", "old"),
        ("New", "label", "new"),
        ("Old", "alias", "old"),
        ("?", "alias", ""),
    ):
        made.names.append(Name(place, text, "en", kind, key))  # type: ignore[arg-type]
    found = made.pack().names
    assert list(zip(found.key, found.entity, found.text, found.kind, strict=True)) == [
        ("new", 0, "New", 0),
        ("old", 0, "Old", 1),
    ]
    assert found.labels == {0: "New"}
    assert found.count == 4


def test_nothing_packs_to_nothing() -> None:
    """An empty chunk is no error."""
    assert len(Columns().pack()) == 0


def test_rows_are_in_the_order_of_the_keys() -> None:
    """Entity first, then property; those that arrive, with a minus, before those that leave."""
    entity, by, other = np.array([2, 1, 1, 1]), np.array([-7, 5, -3, 2]), np.array([9, 8, 7, 6])
    rows = rows_of(key_order(entity, by), entity, by, other)
    assert rows.tolist() == [[1, -3, 7], [1, 2, 6], [1, 5, 8], [2, -7, 9]]


def test_of_rows_with_one_key_the_last_stays() -> None:
    """In the order of the keys; the value is no part of them."""
    entity, by, key, value = (
        np.array([2, 1, 2, 1]),
        np.array([7, 5, 7, 5]),
        np.array([3, 4, 3, 9]),
        np.arange(4),
    )
    assert distinct_rows(entity, by, key, value).tolist() == [[1, 5, 4, 1], [1, 5, 9, 3], [2, 7, 3, 2]]
    assert distinct_rows(entity[:0], by[:0], key[:0], value[:0]).tolist() == []
