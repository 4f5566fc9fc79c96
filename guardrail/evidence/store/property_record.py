"""What a property's record says beyond the columns of its row: parts, what it is the same as, unit, kinds.

It stands in the table `meta`, under "property " and the id, as a JSON object of what was said, so that files which were written
before there was any of it are read as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import orjson

from guardrail.evidence.store.database import Cursor, Row
from guardrail.types import Node, Property

__all__ = ["SELECT_MORE", "add_more", "more_of", "set_values", "with_more"]

_KEY = "property "
_LISTS = ("roles", "same_as", "domain", "range", "values")
SELECT_MORE = "SELECT key, value FROM meta WHERE key >= 'property ' AND key < 'property!'"
_ADD = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


def add_more(cursor: Cursor, known: Property) -> None:
    """Writes what the record says; what was said before and is not said now stays."""
    said = {name: getattr(known, name) for name in _LISTS if getattr(known, name)}
    if known.unit is not None:
        said["unit"] = asdict(known.unit)
    if not said:
        return
    key = _KEY + known.id
    former = cursor.rows("SELECT value FROM meta WHERE key = ?", (key,))
    before = orjson.loads(former[0][0]) if former else {}
    cursor.many(_ADD, [(key, orjson.dumps({**before, **said}).decode())])


def set_values(cursor: Cursor, property_id: str, values: Sequence[str]) -> None:
    """Writes the values that a property takes; none where they are not few."""
    key = _KEY + property_id
    former = cursor.rows("SELECT value FROM meta WHERE key = ?", (key,))
    before = orjson.loads(former[0][0]) if former else {}
    if list(values) != before.get("values", []):
        cursor.many(_ADD, [(key, orjson.dumps({**before, "values": list(values)}).decode())])


def more_of(rows: Sequence[Row]) -> dict[str, Mapping[str, Any]]:
    """By id of the property, what rows of `SELECT_MORE` say."""
    return {key.removeprefix(_KEY): orjson.loads(value) for key, value in rows}


def with_more(known: Property, said: Mapping[str, Any]) -> Property:
    """`known` with what `more_of` has for it. Raises TypeError for what is none of it."""
    unit = said.get("unit")
    lists = {name: tuple(map(str, said[name])) for name in _LISTS if name in said}
    return replace(known, **lists, unit=Node(**unit) if unit else None)  # type: ignore[arg-type]
