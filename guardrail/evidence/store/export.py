"""The graph as a file: JSONL that `kg import` reads back exactly, N-Triples for other programs.

JSONL has a line per property, entity and statement (importers/exported.py reads them). N-Triples has no qualifiers, ranks,
units and no precision but year, month and day: it holds names, links, and literals that RDF has types for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import quote

import orjson

from guardrail.evidence.properties.iris import OWN, RDFS, SKOS
from guardrail.evidence.store.cardinality import inferred
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Node, Object, Triplet

_XSD = "http://www.w3.org/2001/XMLSchema#"
_WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
_LABEL, _ALIAS, _DESCRIPTION = f"<{RDFS}label>", f"<{SKOS}altLabel>", "<http://schema.org/description>"


def jsonl(graph: Graph) -> Iterator[str]:
    """One JSON object per property, entity and statement; every entity before any statement that names it."""
    unsaid = inferred(graph.database)
    for known in graph.written_properties():
        told = replace(known, cardinality="unknown") if known.id in unsaid else known
        told = replace(told, values=())  # read from the statements
        yield _line("property", asdict(told))
    for group in graph.everything():
        for new in group:
            names = {"aliases": new.aliases, "language": new.language, "foreign": new.foreign}
            yield _line("entity", {**asdict(new.entity), **names})
    for statements in graph.subjects():
        for statement in statements:
            yield _line("statement", _row(statement))


def ntriples(graph: Graph) -> Iterator[str]:
    """One line per name and per statement."""
    for group in graph.everything():
        for new in group:
            yield from _names(new)
    for statements in graph.subjects():
        for statement in statements:
            ends = _iri(statement.subject.id), _item(statement.object)
            yield f"{ends[0]} {_predicate(statement)} {ends[1]} .\n"


def _line(kind: str, row: dict[str, Any]) -> str:
    return orjson.dumps({"rows": kind, **_told(row)}).decode() + "\n"


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """What is not nothing: the reader's defaults are the same."""
    return {
        name: cell
        for name, cell in row.items()
        if cell is not None and cell is not False and cell not in ("", ())
    }


def _row(statement: Triplet) -> dict[str, Any]:
    return {
        "subject": statement.subject.id,
        "predicate": statement.predicate.id,
        "object": _cell(statement.object),
        "qualifiers": tuple(
            {"property": q.predicate.id, "object": _cell(q.object)} for q in statement.qualifiers
        ),
        "id": statement.id,
        "rank": statement.rank,
        "source": statement.source,
        "as_of": statement.as_of,
    }


def _cell(item: Object) -> dict[str, Any]:
    if isinstance(item, Node):
        return {"id": item.id, "label": item.label}
    return {"label": item.label, "value": item.value, **_told(asdict(item))}


def _names(new: NewEntity) -> Iterator[str]:
    iri, tag = _iri(new.entity.id), new.language
    if new.entity.label != new.entity.id:
        yield f"{iri} {_LABEL} {_text(new.entity.label, tag)} .\n"
    for text, own in (*((alias, tag) for alias in new.aliases), *new.foreign):
        yield f"{iri} {_ALIAS} {_text(text, own)} .\n"
    if new.entity.description:
        yield f"{iri} {_DESCRIPTION} {_text(new.entity.description, tag)} .\n"


def _iri(entity_id: str) -> str:
    if entity_id.startswith("_:"):
        return "_:b" + quote(entity_id[2:], safe="").replace("%", "").replace(".", "").replace("-", "")
    if "://" in entity_id or entity_id.startswith("urn:"):
        return f"<{entity_id}>"
    place = "http://www.wikidata.org/entity/" if _wikidata(entity_id) else OWN
    return f"<{place}{quote(entity_id, safe='')}>"


def _predicate(statement: Triplet) -> str:
    predicate = statement.predicate.id
    if predicate[:1] == "P" and predicate[1:].isdigit():
        return f"<http://www.wikidata.org/prop/direct/{predicate}>"
    return _iri(predicate)


def _wikidata(entity_id: str) -> bool:
    return entity_id[:1] in "QPL" and entity_id[1:].isdigit()


def _text(text: str, language: str = "") -> str:
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, escaped)
    return f'"{text}"@{language}' if language and language != "und" else f'"{text}"'


def _item(item: Object) -> str:
    if isinstance(item, Node):
        return _iri(item.id)
    kind = {4: "gYear", 7: "gYearMonth", 10: "date"}.get(len(item.value.lstrip("-")))
    match item.datatype:
        case "date" if kind and (item.precision or 0) >= 9:
            return f'"{item.value}"^^<{_XSD}{kind}>'
        case "quantity":
            return f'"{item.value}"^^<{_XSD}decimal>'
        case "coordinate":
            latitude, _, longitude = item.value.partition(",")
            return f'"Point({longitude} {latitude})"^^<{_WKT}>'
    return _text(item.value, item.language)
