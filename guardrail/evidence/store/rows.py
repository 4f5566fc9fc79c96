"""Rows of the knowledge file as the nouns of guardrail.types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log1p
from types import MappingProxyType
from typing import Any, Self

from guardrail import ontology
from guardrail.evidence.knowledge import NameRow
from guardrail.evidence.properties.iris import is_name
from guardrail.evidence.properties.ontology import SINGLE_FROM
from guardrail.evidence.store.database import Row
from guardrail.evidence.store.property_record import more_of, with_more
from guardrail.evidence.store.writes import NewEntity
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
SELECT_NAMES = (
    "SELECT e.n, e.id, e.label, e.description, e.types, e.popularity, e.gender, e.url, e.degree, a.key, a.text, a.kind"
    " FROM alias a JOIN entity e ON e.n = a.entity LIMIT ?"
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
    same: Mapping[
        str, Sequence[Property]
    ]  # id of another property → those of this graph that are the same as it

    @classmethod
    def of(cls, version: str, rows: Sequence[Row], more: Sequence[Row] = ()) -> Self:
        """`rows` of `SELECT_PROPERTY`, `more` of `SELECT_MORE`."""
        said = more_of(more)
        by_number = {row[0]: property_of(row, said.get(row[1], {})) for row in rows}
        same: dict[str, list[Property]] = {}
        for known in by_number.values():
            for other in known.same_as:
                same.setdefault(other, []).append(known)
        return cls(
            version,
            {p.id: p for p in by_number.values()},
            by_number,
            {p.id: n for n, p in by_number.items()},
            same,
        )

    def alike(self, property_id: str) -> tuple[Property, ...]:
        """The properties that are this one: it, and those that are the same as it."""
        own = self.by_id.get(property_id)
        return (*((own,) if own else ()), *(p for p in self.same.get(property_id, ()) if p is not own))

    def playing(self, parts: Sequence[str]) -> tuple[str, ...]:
        """The ids of those that play one of these parts, in the order in which `guardrail.ontology` has them."""
        listed = (p.id for wanted in ontology.ids(*parts) for p in self.alike(wanted))
        others = (p.id for p in self.by_id.values() if ontology.plays(p, frozenset(parts)))
        return tuple(dict.fromkeys((*listed, *others)))


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
    code = entity.label if entity.label == entity.id and not is_name(entity.id) else ""
    names = [(text, tag) for text, tag, _ in written if text != entity.label or text == code]
    same = tuple(text for text, tag in names if tag == language)
    return NewEntity(entity, same, language, tuple(name for name in names if name[1] != language))


def written_property_of(row: Row, said: Mapping[str, Any] = MappingProxyType({})) -> Property:
    """The property of a row of `SELECT_PROPERTY` as it was written, with what `more_of` has for it."""
    _, property_id, label, aliases, datatype, cardinality, inverse, *rest = row
    symmetric, temporal, hierarchical, _, complete = rest
    written = Property(
        property_id,
        label,
        tuple(aliases.split("\n")) if aliases else (),
        datatype,
        cardinality,
        inverse,
        bool(symmetric),
        bool(temporal),
        bool(hierarchical),
        complete=bool(complete),
    )
    return with_more(written, said)


def property_of(row: Row, said: Mapping[str, Any] = MappingProxyType({})) -> Property:
    """Likewise with what is known of such a property beforehand; its cardinality as measured where nobody says it.

    A relation that changes with time is never single by measure: the graph may know the latest value only.
    """
    known = replace(ontology.completed(written_property_of(row, said)), single_ratio=row[10])
    if known.cardinality == "unknown" and known.single_ratio is not None:
        single = known.single_ratio >= SINGLE_FROM and not known.temporal
        return replace(known, cardinality="single" if single else "list")
    return known
