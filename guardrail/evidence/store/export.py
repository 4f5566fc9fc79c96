"""The graph as a file: JSONL that `kg import` reads back exactly, N-Triples for other programs.

JSONL has a line per property, entity and statement (importers/exported.py reads them). N-Triples has no qualifiers and ranks:
it holds names, links, and literals. RDF has no type for a measure, a range or a decade: those are written as the words from which
`kg import` reads the same value ("1–18 GHz"). What no words say so is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote

import orjson

from guardrail.evidence.properties.iris import OWN, RDFS, SKOS
from guardrail.evidence.properties.literals import XSD, rdf_value
from guardrail.evidence.store.cardinality import inferred
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Node, Object, Triplet, Value
from guardrail.values.units import unit_of

_STRING = XSD + "string"
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


def ntriples(graph: Graph, left_out: Callable[[Triplet], None] = lambda _: None) -> Iterator[str]:
    """One line per name and per statement. `left_out` is told of each statement whose value would be read as another one."""
    for group in graph.everything():
        for new in group:
            yield from _names(new)
    for statements in graph.subjects():
        for statement in statements:
            item = _item(statement.object)
            if item:
                yield f"{_iri(statement.subject.id)} {_predicate(statement)} {item} .\n"
            else:
                left_out(statement)


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
    """The object of a statement; "" for a value that `kg import` would read as another one."""
    if isinstance(item, Node):
        return _iri(item.id)
    if item.datatype == "coordinate":
        latitude, _, longitude = item.value.partition(",")
        return f'"Point({longitude} {latitude})"^^<{_WKT}>'
    if item.datatype == "string":
        return _text(item.value, item.language)
    for text, datatype in _ways(item):
        with suppress(ValueError, InvalidOperation):
            if _same(rdf_value(text, datatype, ""), item):
                return _text(text) if datatype == _STRING else f"{_text(text)}^^<{datatype}>"
    return ""


def _ways(value: Value) -> Iterator[tuple[str, str]]:
    """How a date or a quantity may be written, the best way first: by a datatype of RDF, or in words."""
    kind = {4: "gYear", 7: "gYearMonth", 10: "date"}.get(len(value.value.lstrip("-")), "gYear")
    yield value.value, XSD + ("decimal" if value.datatype == "quantity" else kind)
    yield value.label, _STRING
    if value.unit is not None and (unit := unit_of(value.unit)):
        yield f"{value.value} {unit.label(value.value)}", _STRING


def _same(read: Value, value: Value) -> bool:
    """Whether what is read back is the value, but for its label and its calendar."""
    if read.datatype != value.datatype or read.precision != value.precision:
        return False
    if value.datatype == "date":
        return read.value == value.value
    return (Decimal(read.value), _unit(read), _range(read)) == (
        Decimal(value.value),
        _unit(value),
        _range(value),
    )


def _unit(value: Value) -> str:
    return (value.unit.id or value.unit.label) if value.unit is not None else ""


def _range(value: Value) -> tuple[str, ...]:
    """Both ends where the value is all between them; what lies around a number says how exact it is, and is not kept."""
    ends = (value.lower, value.upper)
    return tuple(map(str, ends)) if value.lower != value.upper and value.value in ends else ()
