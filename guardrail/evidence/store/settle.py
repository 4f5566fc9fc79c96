"""What can only be known when everything is there: degrees, cardinality, kinds and names of relations.

One pass over the edges, one over the statements. `Graph.write` keeps degrees by itself where a batch is small.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import numpy as np
import orjson

from guardrail.evidence.properties import ontology
from guardrail.evidence.store.cardinality import infer
from guardrail.evidence.store.currency import add_currencies
from guardrail.evidence.store.database import Cursor
from guardrail.evidence.store.property_names import name_properties
from guardrail.evidence.store.retype import retype
from guardrail.evidence.store.vocabulary import note_values

_AT_ONCE = 50_000
"""Subjects."""
_MASK: Final = (1 << 20) - 1
_PLACES: Final = (
    "SELECT (s << 21) | (p << 1) | CASE WHEN o IS NULL THEN 0 ELSE 1 END FROM statement"
    " WHERE rank < 2 AND s >= ? AND s < ? ORDER BY s, p"
)
"""Subject, property, and whether the object is an entity, in one number."""


def settle(cursor: Cursor) -> None:
    """Counts anew; doing it twice changes nothing."""
    cursor.rows(
        "UPDATE entity SET degree = counted.degree"
        " FROM (SELECT a, COUNT(*) AS degree FROM edge GROUP BY a) AS counted WHERE counted.a = entity.n"
    )
    counted = _measure(cursor)
    name_properties(cursor)
    retype(cursor)
    add_currencies(cursor)
    infer(cursor, counted)
    note_values(cursor)


def _measure(cursor: Cursor) -> dict[int, tuple[int, int]]:
    """The share of subjects with one value, and what the values are where no ontology said it.

    Gives back, of each property that is used, its subjects and those with one value.

    Rows come in the order of the key, so that the values of one subject stand together: counting them here takes a
    fifth of the time of a GROUP BY over all of them.
    """
    [(last, properties)] = cursor.rows(
        "SELECT (SELECT COALESCE(MAX(n), 0) FROM entity), (SELECT COALESCE(MAX(n), 0) FROM property)"
    )
    subjects, single, linked = np.zeros((3, properties + 1), dtype=np.int64)
    for start in range(0, last + 1, _AT_ONCE):
        rows = cursor.rows(_PLACES, (start, start + _AT_ONCE))
        packed = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=len(rows))
        if not len(packed):
            continue
        place = packed >> 1
        begins = np.flatnonzero(np.concatenate(([True], place[1:] != place[:-1])))
        size = np.diff(begins, append=len(place))
        of_group = place[begins] & _MASK
        subjects += np.bincount(of_group, minlength=properties + 1)
        single += np.bincount(of_group[size == 1], minlength=properties + 1)
        linked += np.bincount(place[packed & 1 == 1] & _MASK, minlength=properties + 1)
    used = np.flatnonzero(subjects).tolist()
    ratios = [
        (float(single[p] / subjects[p]) if subjects[p] >= ontology.MEASURED_FROM else None, p) for p in used
    ]
    cursor.many("UPDATE property SET single_ratio = ? WHERE n = ?", ratios)
    _measure_datatypes(cursor, [p for p in used if not linked[p]])
    return {p: (int(subjects[p]), int(single[p])) for p in used}


def _measure_datatypes(cursor: Cursor, literal: list[int]) -> None:
    """`literal`: properties whose values are all literals; nobody said so where they are still "entity"."""
    unsaid = cursor.rows("SELECT n FROM property WHERE datatype = 'entity' AND n IN ANY_INT(?)", (literal,))
    if unsaid:
        found = cursor.rows(
            "SELECT p, MIN(value) FROM statement WHERE rank < 2 AND p IN ANY_INT(?) GROUP BY p",
            ([n for (n,) in unsaid],),
        )
        told = [(orjson.loads(example)[0], p) for p, example in found]
        cursor.many("UPDATE property SET datatype = ? WHERE n = ?", told)
