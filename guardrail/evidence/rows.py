"""Rows of the knowledge file as the nouns of guardrail.types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log1p
from typing import Self

from guardrail.evidence.database import Row
from guardrail.evidence.knowledge import NameRow
from guardrail.evidence.ontology import SINGLE_FROM
from guardrail.evidence.writes import NewEntity
from guardrail.types import Entity, Property

SELECT_STATEMENT = (
    "SELECT t.s, t.p, t.k, t.o, t.value, t.qualifiers, t.rank, t.source, t.local, s.id, s.label, o.id, o.label"
    " FROM statement t JOIN entity s ON s.n = t.s LEFT JOIN entity o ON o.n = t.o "
)
SELECT_ENTITY = "SELECT n, id, label, description, types, popularity, gender, url, degree FROM entity "
SELECT_NAMED = (
    "SELECT e.n, e.id, e.label, e.description, e.types, e.popularity, e.gender, e.url, e.degree, a.key, a.text, a.kind"
    " FROM EACH_TEXT(?) CROSS JOIN alias a JOIN entity e ON e.n = a.entity WHERE a.key = value"
)
SELECT_PROPERTY = (
    "SELECT n, id, label, aliases, datatype, cardinality, inverse, is_symmetric, is_temporal, is_hierarchical, single_ratio,"
    " is_complete FROM property ORDER BY n"
)


@dataclass(frozen=True, slots=True)
class PropertyTable:
    """All properties of a graph at one version: there are some thousands at most."""

    version: str
    by_id: Mapping[str, Property]
    by_number: Mapping[int, Property]
    numbers: Mapping[str, int]

    @classmethod
    def of(cls, version: str, rows: Sequence[Row]) -> Self:
        by_number = {row[0]: property_of(row) for row in rows}
        return cls(
            version,
            {p.id: p for p in by_number.values()},
            by_number,
            {p.id: n for n, p in by_number.items()},
        )


def entity_of(row: Row) -> Entity:
    """The entity of a row of `SELECT_ENTITY`; one that came without a prior gets it from its edges."""
    _, entity_id, label, description, types, popularity, gender, url, degree = row
    classes = tuple(types.split("\n")) if types else ()
    return Entity(entity_id, label, description, classes, popularity or log1p(degree), gender, url)


def name_row_of(row: Row) -> NameRow:
    """The name and its entity of a row of `SELECT_NAMED`."""
    key, text, kind = row[9:]
    return NameRow(key, row[0], text, kind, row[5], row[8], entity_of(row[:9]))


def new_entity_of(row: Row, written: Sequence[tuple[str, str, int]]) -> NewEntity:
    """The entity of a row of `SELECT_ENTITY` as it was written; `written`: its names, each with language and kind."""
    entity = replace(entity_of(row), popularity=row[5])
    language = next((tag for text, tag, kind in written if kind == 0 and text == entity.label), "")
    names = [(text, tag) for text, tag, _ in written if text != entity.label]
    same = tuple(text for text, tag in names if tag == language)
    return NewEntity(entity, same, language, tuple(name for name in names if name[1] != language))


def written_property_of(row: Row) -> Property:
    """The property of a row of `SELECT_PROPERTY` as it was written, without what was only measured."""
    return replace(property_of(row), cardinality=row[5], single_ratio=None)


def property_of(row: Row) -> Property:
    """The property of a row of `SELECT_PROPERTY`; its cardinality as measured where nobody said it.

    A relation that changes with time is never single by measure: the graph may know the latest value only.
    """
    _, property_id, label, aliases, datatype, cardinality, inverse, *rest = row
    symmetric, temporal, hierarchical, ratio, complete = rest
    if cardinality == "unknown" and ratio is not None:
        cardinality = "single" if ratio >= SINGLE_FROM and not temporal else "list"
    return Property(
        property_id,
        label,
        tuple(aliases.split("\n")) if aliases else (),
        datatype,
        cardinality,
        inverse,
        bool(symmetric),
        bool(temporal),
        bool(hierarchical),
        ratio,
        bool(complete),
    )
