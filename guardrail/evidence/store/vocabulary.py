"""The few texts and names that a property takes, "in use, under repair, retired": a sentence that says one speaks of that property.

Only of properties with one value each: another of their values is wrong there. Read from the first statements, so that the time it
takes does not grow with the graph.
"""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from guardrail.evidence.store.database import Cursor
from guardrail.evidence.store.property_record import set_values

__all__ = ["note_values"]

_STATEMENTS = 100_000
_FEW, _LEAST = 64, 2
_LONGEST = 60
_VALUES = "SELECT DISTINCT p, o, value FROM (SELECT p, o, value FROM statement WHERE rank < 2 AND p IN ANY_INT(?) LIMIT ?) AS seen"


def note_values(cursor: Cursor) -> None:
    """Writes them into the record of each property; doing it twice changes nothing."""
    rows = cursor.rows(
        "SELECT n, id FROM property WHERE cardinality = 'single' AND datatype IN ('entity', 'string')"
    )
    ids: dict[int, str] = dict(rows)
    found: dict[int, set[str]] = {n: set() for n in ids}
    things: dict[int, list[int]] = {}
    for p, o, value in cursor.rows(_VALUES, (list(ids), _STATEMENTS)):
        if o is not None:
            things.setdefault(o, []).append(p)
        elif value is not None and (array := orjson.loads(value))[0] == "string":
            found[p].add(array[1])
    for label, of in _labels(cursor, things):
        for p in of:
            found[p].add(label)
    for n, values in found.items():
        few = _LEAST <= len(values) <= _FEW and max(map(len, values)) <= _LONGEST
        set_values(cursor, ids[n], sorted(values) if few else ())


def _labels(cursor: Cursor, things: dict[int, list[int]]) -> Iterable[tuple[str, list[int]]]:
    if len(things) > _FEW * 1000:
        return  # as many as that are no vocabulary
    for n, label in cursor.rows("SELECT n, label FROM entity WHERE n IN ANY_INT(?)", (list(things),)):
        yield label, things[n]
