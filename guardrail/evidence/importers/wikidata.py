"""Wikidata's JSON dump: one entity a line, in one large array.

Items become entities with all their statements: qualifiers, ranks, dates with precision and calendar, quantities with
unit and bounds. Properties become properties. Identifiers of other catalogues, media files and links are left out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import orjson

from guardrail import ontology
from guardrail.errors import ImportFailed
from guardrail.evidence.importers.chunk import BadRecord, Chunk, must_be
from guardrail.evidence.importers.source import Source
from guardrail.evidence.properties.literals import coordinate_value, date_value, quantity_value
from guardrail.evidence.store.graph import NewEntity
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value

_STATEMENTS = 20_000
_HOPELESS = 100
_CALENDARS = {id_: name for name in ("gregorian", "julian") for id_ in ontology.classes(f"{name} calendar")}
# How Wikidata describes a property.
_INVERSE, _CONSTRAINT = ontology.classes("inverse property"), ontology.classes("property constraint")
_SINGLE = ontology.classes("single-value constraint")
_SYMMETRIC = ontology.classes("symmetric constraint")
_DATATYPES: Mapping[str, Literal["entity", "date", "quantity", "string", "coordinate"]] = {
    "wikibase-item": "entity",
    "wikibase-property": "entity",
    "time": "date",
    "quantity": "quantity",
    "globe-coordinate": "coordinate",
    "monolingualtext": "string",
    "string": "string",
}


@dataclass(slots=True)
class WikidataReader:
    """`languages`: of names, in order of preference; `properties`: ids of the only relations kept, empty for all."""

    languages: Sequence[str] = ("en",)
    properties: Collection[str] = ()

    def chunks(self, source: Source, *, skip: int) -> Iterator[Chunk]:
        """Records are lines."""
        chunk, at, good = Chunk(), 0, 0
        first_bad: BadRecord | None = None
        failure: ImportFailed | None = None
        try:
            for block in source.line_blocks():
                at = self._add_lines(block, at, skip, chunk)
                chunk.read = max(at, skip)
                first_bad = first_bad or next(iter(chunk.bad), None)
                good += chunk.good
                if not (good or skip) and len(chunk.bad) > _HOPELESS:
                    break
                if len(chunk.statements) + len(chunk.entities) + len(chunk.bad) >= _STATEMENTS:
                    yield chunk
                    chunk = Chunk(read=chunk.read)
        except ImportFailed as error:
            failure = error
        if not skip:
            must_be(source.path, "a Wikidata dump", good, first_bad)
        yield chunk
        if failure is not None:
            raise failure

    def _add_lines(self, block: bytes, at: int, skip: int, chunk: Chunk) -> int:
        """Adds a block's records after the first `skip`; `at` lines stand before it. The number of its last line."""
        for line in block.removesuffix(b"\n").split(b"\n"):
            at += 1
            bare = line.strip().rstrip(b",")
            if at > skip and bare and bare not in (b"[", b"]"):
                self._add(bare, at, chunk)
        return at

    def _add(self, line: bytes, number: int, chunk: Chunk) -> None:
        try:
            record = orjson.loads(line)
            if record["type"] == "property":
                chunk.properties.append(self._property(record))
            elif record["type"] == "item":
                entity = self._entity(record)
                chunk.statements.extend(self._statements(record))
                chunk.entities.append(entity)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            cause = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            chunk.bad.append(BadRecord(number, cause[:300]))

    def _name(self, names: Mapping[str, Any]) -> str:
        return next((names[code]["value"] for code in self.languages if code in names), "")

    def _aliases(self, record: Mapping[str, Any]) -> tuple[str, ...]:
        """Aliases, and the labels of the further languages."""
        aliases = record.get("aliases") or {}
        found = [alias["value"] for code in self.languages for alias in aliases.get(code, ())]
        labels = record.get("labels") or {}
        found += [labels[code]["value"] for code in self.languages[1:] if code in labels]
        return tuple(dict.fromkeys(found))

    def _entity(self, record: Mapping[str, Any]) -> NewEntity:
        sitelinks = len(record.get("sitelinks") or ())
        entity = Entity(
            record["id"],
            self._name(record.get("labels") or {}) or record["id"],
            self._name(record.get("descriptions") or {}),
            popularity=2
            * math.log1p(sitelinks),  # 300 Wikipedias: about as much as the prior of a thousand edges
            url=f"https://www.wikidata.org/wiki/{record['id']}",
        )
        return NewEntity(entity, self._aliases(record), self.languages[0])

    def _property(self, record: Mapping[str, Any]) -> Property:
        found = Property(
            record["id"],
            self._name(record.get("labels") or {}) or record["id"],
            self._aliases(record),
            datatype=_DATATYPES.get(record.get("datatype", ""), "string"),
        )
        inverse = self._main_values(record, _INVERSE)
        constraints = self._main_values(record, _CONSTRAINT)
        return replace(
            found,
            inverse=inverse[0] if inverse else None,
            cardinality="unknown" if _SINGLE.isdisjoint(constraints) else "single",
            symmetric=not _SYMMETRIC.isdisjoint(constraints),
        )

    def _main_values(self, record: Mapping[str, Any], wanted: frozenset[str]) -> list[str]:
        claims = record.get("claims") or {}
        found = (_object(claim["mainsnak"]) for id_ in wanted for claim in claims.get(id_, ()))
        return [item.id for item in found if isinstance(item, Node)]

    def _statements(self, record: Mapping[str, Any]) -> Iterator[Triplet]:
        subject = Node(record["id"], "")
        for property_id, claims in (record.get("claims") or {}).items():
            if self.properties and property_id not in self.properties:
                continue
            for claim in claims:
                item = _object(claim["mainsnak"])
                if item is None or not self._spoken(item):
                    continue
                yield Triplet(
                    subject,
                    Node(property_id, ""),
                    item,
                    _qualifiers(claim),
                    id=claim.get("id", ""),
                    rank=claim.get("rank", "normal"),
                )

    def _spoken(self, item: Object) -> bool:
        return isinstance(item, Node) or not item.language or item.language in self.languages


def _qualifiers(claim: Mapping[str, Any]) -> tuple[Qualifier, ...]:
    found = []
    for property_id, snaks in (claim.get("qualifiers") or {}).items():
        for snak in snaks:
            item = _object(snak)
            if item is not None:
                found.append(Qualifier(Node(property_id, ""), item))
    return tuple(found)


def _object(snak: Mapping[str, Any]) -> Object | None:
    """The value of a snak; None for "no value", "unknown value" and kinds that are not kept."""
    if snak.get("snaktype") != "value" or snak.get("datatype", "string") not in _DATATYPES:
        return None
    value = snak["datavalue"]["value"]
    match snak["datavalue"]["type"]:
        case "wikibase-entityid":
            return Node(value.get("id") or f"Q{value['numeric-id']}", "")
        case "time":
            return _time(value)
        case "quantity":
            return _quantity(value)
        case "globecoordinate":
            return coordinate_value(str(value["latitude"]), str(value["longitude"]))
        case "monolingualtext":
            return Value(value["text"], value["text"], "string", language=value["language"])
        case "string":
            return Value(value, value, "string")
    return None


def _quantity(value: Mapping[str, Any]) -> Value:
    """Wikidata's unit of a bare number is "1"."""
    unit = _last(value.get("unit", "1"))
    lower, upper = value.get("lowerBound", ""), value.get("upperBound", "")
    return quantity_value(value["amount"], "" if unit == "1" else unit, lower, upper)


def _time(value: Mapping[str, Any]) -> Value | None:
    """None for what is only known to a hundred thousand years or more."""
    if value["precision"] < 6:
        return None
    calendar = _CALENDARS.get(_last(value.get("calendarmodel", "")), "")
    return replace(date_value(value["time"], value["precision"]), calendar=calendar)


def _last(iri: str) -> str:
    return iri.rsplit("/", 1)[-1]
