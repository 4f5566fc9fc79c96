"""Texts of a property that are all dates, by its name and their looks, are dates: RDF and JSON-LD often have years as plain text.

What a column of a table goes by holds here too (importers/columns.py): 95 % of the texts decide, and what is none stays the text
that it is. Other numbers that came as text stay text: versions and codes are written so.
"""

from __future__ import annotations

import orjson

from guardrail.evidence.properties.columns import Column, column_of
from guardrail.evidence.store.cardinality import is_own
from guardrail.evidence.store.codec import pack_value
from guardrail.evidence.store.database import Cursor
from guardrail.evidence.store.property_record import add_more
from guardrail.ontology import record

__all__ = ["retype"]

_SAMPLE = 500
_AT_ONCE = 20_000


def retype(cursor: Cursor) -> None:
    """Rewrites such values in place; doing it twice changes nothing."""
    rows = cursor.rows("SELECT n, id, label FROM property WHERE datatype = 'string'")
    for number, property_id, label in rows:
        if not is_own(property_id) and not record(property_id).same_as:
            continue
        sample = cursor.rows(
            "SELECT value FROM statement WHERE p = ? AND value IS NOT NULL LIMIT ?", (number, _SAMPLE)
        )
        arrays = [orjson.loads(text) for (text,) in sample]
        if any(len(array) > 9 for array in arrays):
            continue  # texts in a language
        column = column_of(label, [array[1] for array in arrays if array[0] == "string"])
        if column.type == "date":
            _rewrite(cursor, number, column)
            cursor.many("UPDATE property SET datatype = 'date' WHERE n = ?", [(number,)])
        known = column.record(property_id)
        if known is not None and known.range:
            add_more(cursor, known)


def _rewrite(cursor: Cursor, number: int, column: Column) -> None:
    """Every text of the property that is a value of the column's type."""
    after = -1
    while rows := cursor.rows(
        "SELECT s, k, value FROM statement WHERE p = ? AND s > ? AND value IS NOT NULL ORDER BY s LIMIT ?",
        (number, after, _AT_ONCE),
    ):
        after = rows[-1][0] if len(rows) < _AT_ONCE or rows[0][0] == rows[-1][0] else rows[-1][0] - 1
        changed = []
        for s, k, text in rows:
            array = orjson.loads(text)
            value, odd = column.read(array[1]) if array[0] == "string" else (None, "")
            if value is not None and not odd:
                changed.append((pack_value(value), s, number, k))
        cursor.many("UPDATE statement SET value = ? WHERE s = ? AND p = ? AND k = ?", changed)
