"""Plain statements in columns: what a large import moves from the reader to the writer.

Ids stand once for many chunks; statements are arrays of places in them. That is small to send to another process, and the
writer turns places into row numbers, makes both directions of every edge and sorts them without a loop in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.store.codec import entity_key, literal_key, pack_value
from guardrail.types import Value

Ints = NDArray[np.int64]
_MIXED = np.int64(0x9E3779B97F4A7C15 - (1 << 64)), np.int64(0xC2B2AE3D27D4EB4F - (1 << 64))
_PROPERTIES = 20
"""Bits of the number of a property in a sort key."""


class Name(NamedTuple):
    """A name or description of the entity at a place, as it is read; `key` as `names.key` folds it, none of a description."""

    entity: int
    text: str
    language: str
    kind: Literal["label", "alias", "description"]
    key: str = ""


@dataclass(slots=True)
class Known:
    """Row numbers that the batches of one import have learned: by id, and by the places of packed statements."""

    by_id: dict[str, int] = field(default_factory=dict)
    at: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def clear(self) -> None:
        self.by_id.clear()
        self.at = self.at[:0]


@dataclass(frozen=True, slots=True)
class PackedNames:
    """Names of entities in the order of the index: of `entity[i]` (a place) `text[i]`, folded to `key[i]`.

    `kind`: 0 where it is the label, else 1. `labels`: the label of each entity that got one, by its place.
    `count`: how many names and descriptions were read.
    """

    entity: list[int] = field(default_factory=list)
    key: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    language: list[str] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    descriptions: dict[int, str] = field(default_factory=dict)
    count: int = 0


@dataclass(frozen=True, slots=True)
class Packed:
    """`subject`, `predicate`, `object` and `k` have one entry per statement, without doubles.

    Subjects and objects are places of entities, predicates places in `predicates`; the object of the literal number i
    is -1 - i, its text `values[i]`. `datatypes`: what the first object of each predicate was. `ids` are those of the
    places from `first` on; the places before them were given by earlier ones of the same columns.
    """

    ids: list[str]
    predicates: list[str]
    datatypes: list[str]
    subject: Ints
    predicate: Ints
    object: Ints
    k: Ints
    values: list[str]
    first: int = 0
    names: PackedNames = field(default_factory=PackedNames)

    def __len__(self) -> int:
        """Of statements and names."""
        return len(self.k) + self.names.count


class Mark(NamedTuple):
    """How much columns hold at some moment."""

    rows: int
    names: int
    ids: int


@dataclass(slots=True)
class Columns:
    """Statements without qualifiers, ranks and ids, as they are read: `subject[i]`, `predicate[i]`, `object[i]`.

    A reader asks for places and appends them itself; that is the innermost loop of an import. What has been appended
    is packed from time to time; the places of entities and properties go on.
    """

    subject: list[int] = field(default_factory=list)
    predicate: list[int] = field(default_factory=list)
    object: list[int] = field(default_factory=list)
    names: list[Name] = field(default_factory=list)
    _ids: dict[str, int] = field(default_factory=dict)
    _predicates: dict[str, int] = field(default_factory=dict)
    _datatypes: list[str] = field(default_factory=list)
    _values: list[Value] = field(default_factory=list)
    _keys: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # of the places packed so far

    def __len__(self) -> int:
        """Of statements and names that are not packed yet."""
        return len(self.object) + len(self.names)

    @property
    def places(self) -> int:
        """How many entities have one: all of them are held in memory."""
        return len(self._ids)

    def entity(self, entity_id: str) -> int:
        """The place of an entity."""
        return self._ids.setdefault(entity_id, len(self._ids))

    def property(self, property_id: str, datatype: str) -> int:
        """The place of a property; `datatype` counts where it is the first."""
        place = self._predicates.setdefault(property_id, len(self._predicates))
        if place == len(self._datatypes):
            self._datatypes.append(datatype)
        return place

    def literal(self, value: Value) -> int:
        """The place of a literal, until the next `pack`; the caller asks once for each."""
        self._values.append(value)
        return -len(self._values)

    def datatype(self, place: int) -> str:
        """What the object at this place is."""
        return "entity" if place >= 0 else self._values[-1 - place].datatype

    def add(self, subject: str, property_id: str, item: str | Value) -> None:
        """A statement about an entity, with an entity or a literal."""
        self.subject.append(self.entity(subject))
        is_id = isinstance(item, str)
        self.predicate.append(self.property(property_id, "entity" if is_id else item.datatype))  # type: ignore[union-attr]
        self.object.append(self.entity(item) if isinstance(item, str) else self.literal(item))

    def mark(self) -> Mark:
        return Mark(len(self.object), len(self.names), len(self._ids))

    def cut(self, mark: Mark) -> None:
        """Takes back what came after the mark, and the places that were given since."""
        del self.subject[mark.rows :], self.predicate[mark.rows :], self.object[mark.rows :]
        del self.names[mark.names :]
        while len(self._ids) > mark.ids:
            self._ids.popitem()

    def pack(self) -> Packed:
        """What was appended since the last time as arrays, without doubles; it is forgotten here."""
        subject, predicate, item = (
            np.array(column, dtype=np.int64) for column in (self.subject, self.predicate, self.object)
        )
        first = len(self._keys)
        ids = list(islice(self._ids, first, None))
        self._keys = np.concatenate((self._keys, np.array(list(map(entity_key, ids)), dtype=np.int64)))
        literals = np.array([literal_key(value) for value in self._values], dtype=np.int64)
        linked = item >= 0
        k = np.empty(len(item), dtype=np.int64)
        k[linked], k[~linked] = self._keys[item[linked]], literals[-1 - item[~linked]]
        kept = _first_of_each(subject, predicate, k)
        packed = Packed(
            ids,
            list(self._predicates),
            list(self._datatypes),
            subject[kept],
            predicate[kept],
            item[kept],
            k[kept],
            [pack_value(value) for value in self._values],
            first,
            _packed_names(self.names),
        )
        for column in (self.subject, self.predicate, self.object, self.names, self._values):
            column.clear()
        return packed


def _packed_names(names: Sequence[Name]) -> PackedNames:
    """Where an entity has several labels the last is its label, and the others are aliases."""
    labels = {entity: text for entity, text, _, kind, _ in names if kind == "label"}
    found = {
        (key, entity, text, language or "und", int(labels.get(entity) != text))
        for entity, text, language, _, key in names
        if key
    }
    rows = sorted(found)
    key, entity, text, language, kind = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [], [])
    descriptions = {entity: text for entity, text, _, kind, _ in names if kind == "description"}
    return PackedNames(entity, key, text, language, kind, labels, descriptions, len(names))


def _first_of_each(subject: Ints, predicate: Ints, k: Ints) -> Ints:
    """Places of the statements without doubles: by a hash of the three, so that one column is sorted and not three.

    Two that meet in 64 bits without being the same both stay; the graph would tell a double from them itself.
    """
    if not len(k):
        return k
    mixed = (subject * _MIXED[0] + predicate) * _MIXED[1] + k
    order = np.argsort(mixed, kind="stable")
    s, p, h = subject[order], predicate[order], k[order]
    double = (s[1:] == s[:-1]) & (p[1:] == p[:-1]) & (h[1:] == h[:-1])
    return np.sort(order[np.concatenate(([True], ~double))])


def key_order(entity: Ints, property_: Ints) -> Ints:
    """The order of rows by entity and property, as the tables' keys have it; what follows in the key may be in any order."""
    return np.argsort((entity << _PROPERTIES) + property_, kind="stable")


def rows_of(order: Ints, *columns: Ints) -> NDArray[np.int64]:
    """The columns side by side, in an order."""
    return np.stack(columns, axis=1)[order]


def distinct_rows(entity: Ints, property_: Ints, key: Ints, value: Ints) -> NDArray[np.int64]:
    """The columns side by side in the order of the first three, which are a row's key; of rows with one key, the last."""
    order = np.lexsort((key, (entity << _PROPERTIES) + property_))
    rows = rows_of(order, entity, property_, key, value)
    last = np.ones(len(rows), dtype=bool)
    last[:-1] = (rows[1:, :3] != rows[:-1, :3]).any(axis=1)
    return rows[last]
