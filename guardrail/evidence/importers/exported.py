"""Rows of `kg export`: every property, entity and statement of a graph exactly as it was.

A row names its kind in the singular ({"rows": "statement", …}); tables that people write have the plural, and cells that
are read as they are meant. Nothing here is guessed, cut or stripped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from guardrail.evidence.importers.chunk import Chunk
from guardrail.evidence.store.codec import RANKS
from guardrail.evidence.store.graph import NewEntity
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value
from guardrail.types.knowledge import Datatype

KINDS = ("property", "entity", "statement")
_VALUE = frozenset(field.name for field in fields(Value))


def add(row: Mapping[str, Any], chunk: Chunk) -> None:
    """Puts what the row says into the chunk. Raises ValueError or TypeError where it is none of `kg export`'s."""
    told = {name: cell for name, cell in row.items() if name != "rows"}
    try:
        if row["rows"] == "property":
            chunk.properties.append(_property(told))
        elif row["rows"] == "entity":
            chunk.entities.append(_entity(told))
        else:
            chunk.as_is.append(_statement(told))
    except KeyError as error:
        raise ValueError(f"{error} is missing") from error


def _property(told: dict[str, Any]) -> Property:
    lists = {
        name: _texts(told, name) for name in ("aliases", "roles", "same_as", "domain", "range", "values")
    }
    unit = told.get("unit")
    return Property(
        **{**told, **lists, "unit": Node(_text(unit["id"]), _text(unit["label"])) if unit else None}
    )


def _entity(told: dict[str, Any]) -> NewEntity:
    language, aliases, types = _text(told.pop("language", "")), _texts(told, "aliases"), _texts(told, "types")
    foreign = tuple((_text(text), _text(tag)) for text, tag in told.pop("foreign", ()))
    popularity = float(told.pop("popularity", 0))
    texts = {name: _text(cell) for name, cell in told.items() if name not in ("aliases", "types")}
    entity = Entity(**{"label": "", **texts, "types": types, "popularity": popularity})  # type: ignore[arg-type]
    return NewEntity(entity, aliases, language, foreign)


def _statement(told: dict[str, Any]) -> Triplet:
    qualifiers = tuple(
        Qualifier(Node(q["property"], ""), object_of(q["object"])) for q in told.pop("qualifiers", ())
    )
    subject, predicate, item = told.pop("subject"), told.pop("predicate"), object_of(told.pop("object"))
    told = {name: _text(cell) for name, cell in told.items()}
    if told.get("rank", "normal") not in RANKS:
        raise ValueError(f"unknown rank: {told['rank']!r}")
    return Triplet(Node(_text(subject), ""), Node(_text(predicate), ""), item, qualifiers, **told)


def object_of(cell: Mapping[str, Any]) -> Object:
    """An entity ({"id": …, "label": …}) or a literal ({"datatype": …, "value": …})."""
    if "id" in cell:
        return Node(_text(cell["id"]), _text(cell.get("label", "")))
    if cell["datatype"] not in get_args(Datatype) or not cell.keys() <= _VALUE:
        raise ValueError(f"not a literal: {sorted(cell)}")
    told: dict[str, Any] = {
        name: part if name in ("precision", "unit") else _text(part) for name, part in cell.items()
    }
    if not isinstance(told.get("precision", 0), int):
        raise ValueError(f"unknown precision: {told['precision']!r}")
    unit = told.get("unit")
    told["unit"] = Node(_text(unit["id"]), _text(unit.get("label", ""))) if unit else None
    return Value(**told)


def _text(cell: object) -> str:
    if not isinstance(cell, str):
        raise ValueError(f"not a text: {cell!r}")
    return cell


def _texts(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(_text(cell) for cell in row.get(name, ()))
