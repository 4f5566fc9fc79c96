"""Plain statements in columns: what a large import moves from the reader to the writer.

Ids stand once; statements are arrays of places in them. That is small to send to another process, and the writer turns
places into row numbers, makes both directions of every edge and sorts them without a loop in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.codec import entity_key, literal_key, pack_value
from guardrail.types import Value

Ints = NDArray[np.int64]
_MIXED = np.int64(0x9E3779B97F4A7C15 - (1 << 64)), np.int64(0xC2B2AE3D27D4EB4F - (1 << 64))
_PROPERTIES = 20
"""Bits of the number of a property in a sort key."""


@dataclass(frozen=True, slots=True)
class Packed:
    """`subject`, `predicate`, `object` and `k` have one entry per statement, without doubles.

    Subjects and objects are places in `ids`, predicates places in `predicates`; the object of the literal number i is
    -1 - i, its text `values[i]`. `datatypes`: what the first object of each predicate was.
    """

    ids: list[str]
    predicates: list[str]
    datatypes: list[str]
    subject: Ints
    predicate: Ints
    object: Ints
    k: Ints
    values: list[str]

    def __len__(self) -> int:
        return len(self.k)

    def keeping(self, kept: NDArray[np.bool_]) -> Packed:
        """The statements between entities of which `kept` is true, by their places; the others are forgotten."""
        linked = self.object >= 0
        rows = kept[self.subject] & (~linked | kept[self.object.clip(0)])
        place = np.cumsum(kept) - 1
        return replace(
            self,
            ids=[i for i, stays in zip(self.ids, kept.tolist(), strict=True) if stays],
            subject=place[self.subject][rows],
            predicate=self.predicate[rows],
            object=np.where(linked, place[self.object.clip(0)], self.object)[rows],
            k=self.k[rows],
        )


@dataclass(slots=True)
class Columns:
    """Statements without qualifiers, ranks and ids, as they are read: `subject[i]`, `predicate[i]`, `object[i]`.

    A reader asks for places and appends them itself; that is the innermost loop of an import.
    """

    subject: list[int] = field(default_factory=list)
    predicate: list[int] = field(default_factory=list)
    object: list[int] = field(default_factory=list)
    _ids: dict[str, int] = field(default_factory=dict)
    _predicates: dict[str, int] = field(default_factory=dict)
    _datatypes: list[str] = field(default_factory=list)
    _values: list[Value] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.object)

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
        """The place of a literal; the caller asks once for each."""
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

    def cut(self, length: int) -> None:
        """Takes back what was appended after the first `length` statements."""
        del self.subject[length:], self.predicate[length:], self.object[length:]

    def pack(self) -> Packed:
        """The statements as arrays, without doubles and without places that no statement uses."""
        subject, predicate, item = (
            np.array(column, dtype=np.int64) for column in (self.subject, self.predicate, self.object)
        )
        linked = item >= 0
        objects = np.zeros(len(self._ids), dtype=bool)
        objects[item[linked]] = True
        used = objects.copy()
        used[subject] = True
        ids, keys = list(self._ids), np.zeros(len(self._ids), dtype=np.int64)
        keys[objects] = [entity_key(ids[place]) for place in np.flatnonzero(objects).tolist()]
        literals = np.array([literal_key(value) for value in self._values], dtype=np.int64)
        k = np.empty(len(item), dtype=np.int64)
        k[linked], k[~linked] = keys[item[linked]], literals[-1 - item[~linked]]
        first = _first_of_each(subject, predicate, k)
        if not used.all():
            place = np.cumsum(used) - 1
            subject, item = place[subject], np.where(linked, place[item.clip(0)], item)
            ids = [ids[i] for i in np.flatnonzero(used).tolist()]
        values = [pack_value(value) for value in self._values]
        predicates = list(self._predicates)
        return Packed(
            ids, predicates, self._datatypes, subject[first], predicate[first], item[first], k[first], values
        )


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


def rows_of(order: Ints, *columns: Ints) -> list[tuple[int, ...]]:
    """Rows of the columns in an order."""
    return list(zip(*(column[order].tolist() for column in columns), strict=True))


def literal_texts(objects: Sequence[int], values: Sequence[str]) -> list[str | None]:
    """The text of each object that is a literal."""
    return [values[-1 - item] if item < 0 else None for item in objects]
