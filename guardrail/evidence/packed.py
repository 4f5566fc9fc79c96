"""Plain statements in columns: what a large import moves from the reader to the writer.

Ids stand once; statements are arrays of places in them. That is small to send to another process, and the writer turns
places into row numbers, makes both directions of every edge and sorts them without a loop in Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.codec import entity_key, literal_key, pack_value
from guardrail.types import Value

Plain = tuple[str, str, "str | Value"]
"""A statement without qualifiers: `(subject id, property id, object id or literal)`. What large files are full of."""

Ints = NDArray[np.int64]


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


def pack(statements: Iterable[Plain]) -> Packed:
    """Puts statements into columns."""
    ids: dict[str, int] = {}
    predicates: dict[str, int] = {}
    datatypes: list[str] = []
    literals: dict[int, tuple[Value, int]] = {}  # by identity: readers give the same object for the same text
    subject, predicate, item = [], [], []
    for s, p, o in statements:
        place = predicates.get(p)
        if place is None:
            place = predicates[p] = len(predicates)
            datatypes.append("entity" if isinstance(o, str) else o.datatype)
        predicate.append(place)
        subject.append(ids.setdefault(s, len(ids)))
        if isinstance(o, str):
            item.append(ids.setdefault(o, len(ids)))
        else:
            item.append(-1 - literals.setdefault(id(o), (o, len(literals)))[1])
    values = [value for value, _ in literals.values()]
    objects = np.array(item, dtype=np.int64)
    linked = sorted(set(item))
    keys = {place: literal_key(values[-1 - place]) for place in linked if place < 0}
    names = list(ids)
    keys |= {place: entity_key(names[place]) for place in linked if place >= 0}
    by_place = np.array([keys[place] for place in linked], dtype=np.int64)
    k = by_place[np.searchsorted(np.array(linked, dtype=np.int64), objects)] if linked else objects
    columns = (np.array(subject, dtype=np.int64), np.array(predicate, dtype=np.int64), objects, k)
    s_, p_, o_, k_ = _without_doubles(*columns)
    return Packed(names, list(predicates), datatypes, s_, p_, o_, k_, [pack_value(value) for value in values])


def _without_doubles(subject: Ints, predicate: Ints, item: Ints, k: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    order = np.lexsort((k, predicate, subject))
    subject, predicate, item, k = subject[order], predicate[order], item[order], k[order]
    if len(k) == 0:
        return subject, predicate, item, k
    same = (subject[1:] == subject[:-1]) & (predicate[1:] == predicate[:-1]) & (k[1:] == k[:-1])
    first = np.concatenate(([True], ~same))
    return subject[first], predicate[first], item[first], k[first]


def by_columns(*columns: Ints) -> list[tuple[int, ...]]:
    """Rows of the columns, sorted by them in turn."""
    order = np.lexsort(tuple(reversed(columns)))
    return list(zip(*(column[order].tolist() for column in columns), strict=True))
