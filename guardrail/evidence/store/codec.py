"""How literals, qualifiers and the identity of a statement are written into a row of the knowledge file.

A value is a JSON array `[datatype, value, label, precision, calendar, unit id, unit label, lower, upper, language]`,
cut after its last entry that says something. A qualifier is `[property id, "", object id, object label]` or
`[property id, <value array…>]`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import orjson

from guardrail.types import Node, Object, Qualifier, Triplet, Value

RANKS: tuple[Literal["preferred"], Literal["normal"], Literal["deprecated"]] = (
    "preferred",
    "normal",
    "deprecated",
)


def pack_value(value: Value) -> str:
    """`value` as the text of a row."""
    return orjson.dumps(_array(value)).decode()


def unpack_value(text: str, labels: Mapping[str, str]) -> Value:
    """The value in a row; `labels` names the units that were stored without one."""
    return _value(orjson.loads(text), labels)


def pack_qualifiers(qualifiers: tuple[Qualifier, ...]) -> str | None:
    if not qualifiers:
        return None
    return orjson.dumps([[q.predicate.id, *_object(q.object)] for q in qualifiers]).decode()


def unpack_qualifiers(
    text: str | None, labels: Mapping[str, str], predicates: Mapping[str, str]
) -> tuple[Qualifier, ...]:
    if not text:
        return ()
    return tuple(
        Qualifier(Node(row[0], predicates.get(row[0], row[0])), _unpack_object(row[1:], labels))
        for row in orjson.loads(text)
    )


def nodes_in(value: str | None, qualifiers: str | None) -> list[str]:
    """Ids of the entities inside a row whose labels are wanted: units and qualifier objects."""
    found: list[str] = []
    arrays = [orjson.loads(value)] if value else []
    for row in orjson.loads(qualifiers) if qualifiers else []:
        if row[1] == "":
            found.append(row[2])
        else:
            arrays.append(row[1:])
    found.extend(array[5] for array in arrays if len(array) > 5 and array[5])
    return found


def identity(triplet: Triplet) -> tuple[int, str | None]:
    """`(k, local)`: the hash that makes the statement itself within its subject and property, and its own id."""
    head = triplet.subject.id + "$"
    local = triplet.id[len(head) :] if triplet.id.startswith(head) else (triplet.id or None)
    if local is not None and local.startswith("~"):
        return _signed(int(local[1:], 16)), None
    if local:
        return hashed(local), local
    if not triplet.qualifiers:
        item = triplet.object
        return entity_key(item.id) if isinstance(item, Node) else literal_key(item), None
    parts: list[object] = [_essence(triplet.object)]
    parts.extend(sorted((q.predicate.id, str(_essence(q.object))) for q in triplet.qualifiers))
    return hashed(orjson.dumps(parts).decode()), None


def entity_key(entity_id: str) -> int:
    """The hash of a statement that has this entity as its object, and no qualifiers."""
    return hashed(entity_id)


def literal_key(value: Value) -> int:
    """The hash of a statement that has this literal as its object, and no qualifiers."""
    return hashed(orjson.dumps(_essence(value)).decode())


def statement_id(subject: str, k: int, local: str | None) -> str:
    """The id that a reader sees: `subject$local`, or `subject$~hash` for a statement that came without an id."""
    return f"{subject}${local}" if local else f"{subject}$~{k & 0xFFFFFFFFFFFFFFFF:016x}"


def local_key(statement: str) -> tuple[str, int] | None:
    """`(subject id, k)` of a statement id; None where it is none of ours."""
    subject, dollar, local = statement.rpartition("$")
    if not dollar or not local:
        return None
    if not local.startswith("~"):
        return subject, hashed(local)
    try:
        return subject, _signed(int(local[1:], 16))
    except ValueError:
        return None


def hashed(text: str) -> int:
    """64 bits of BLAKE2b as SQLite's signed integer."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def _essence(item: Object) -> object:
    """What makes an object the same object: not its label."""
    if isinstance(item, Node):
        return item.id
    unit = item.unit.id if item.unit else None
    return [item.datatype, item.value, item.precision, unit, item.language or None]


def _array(value: Value) -> list[Any]:
    unit = value.unit
    array: list[Any] = [value.datatype, value.value, value.label, value.precision, value.calendar or None]
    array += [unit.id if unit else None, unit.label if unit else None, value.lower, value.upper]
    array.append(value.language or None)
    while array[-1] is None:
        array.pop()
    return array


def _value(array: list[Any], labels: Mapping[str, str]) -> Value:
    array += [None] * (10 - len(array))
    unit, label = None, array[2]
    if array[5]:
        unit = Node(
            array[5], array[6] if array[6] and array[6] != array[5] else labels.get(array[5], array[5])
        )
        if label.endswith(array[5]):  # written before the unit had a name
            label = label.removesuffix(array[5]) + unit.label
    return Value(
        label=label,
        value=array[1],
        datatype=array[0],
        precision=array[3],
        calendar=array[4] or "",
        unit=unit,
        lower=array[7],
        upper=array[8],
        language=array[9] or "",
    )


def _object(item: Object) -> list[Any]:
    return ["", item.id, item.label] if isinstance(item, Node) else _array(item)


def _unpack_object(array: list[Any], labels: Mapping[str, str]) -> Object:
    if array[0] == "":
        return Node(array[1], labels.get(array[1], array[2] or array[1]))
    return _value(array, labels)
