"""The graph as a file: N-Triples for other programs, JSONL that `kg import` reads back whole.

N-Triples has no qualifiers, ranks and precisions: it is what an RDF store can make use of. JSONL has a line per
property, entity and statement with all of that, by the column names of `importers.mapping.STANDARD`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import orjson

from guardrail.evidence.graph import Graph
from guardrail.types import Node, Object, Qualifier, Triplet

_XSD = "http://www.w3.org/2001/XMLSchema#"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def jsonl(graph: Graph) -> Iterator[str]:
    """One JSON object per property, entity and statement."""
    for known in graph.properties():
        yield _line({"rows": "properties", **asdict(known)})
    for entity, statements in graph.subjects():
        yield _line({"rows": "entities", **asdict(entity), "aliases": graph.aliases(entity.id)})
        for statement in statements:
            yield _line(_row(statement))


def ntriples(graph: Graph) -> Iterator[str]:
    """One line per label and per statement."""
    for entity, statements in graph.subjects():
        yield f"{_iri(entity.id)} {_LABEL} {_text(entity.label)} .\n"
        for statement in statements:
            yield f"{_iri(entity.id)} {_predicate(statement)} {_item(statement.object)} .\n"


def _line(row: dict[str, Any]) -> str:
    told = {name: value for name, value in row.items() if value not in ("", None, False, ())}
    return orjson.dumps(told).decode() + "\n"


def _row(statement: Triplet) -> dict[str, Any]:
    row: dict[str, Any] = {
        "subject": statement.subject.id,
        "subject_label": statement.subject.label,
        "predicate": statement.predicate.id,
    }
    item = statement.object
    if isinstance(item, Node):
        row |= {"object": item.id, "object_label": item.label, "kind": "entity"}
    else:
        row |= {"object": _kgtk(item), "kind": "kgtk"}
    if statement.qualifiers:
        row["qualifiers"] = ";".join(_qualifier(q) for q in statement.qualifiers)
    row |= {"rank": statement.rank, "source": statement.source, "as_of": statement.as_of}
    return row


def _qualifier(qualifier: Qualifier) -> str:
    item = qualifier.object
    return f"{qualifier.predicate.id}={item.id if isinstance(item, Node) else _kgtk(item)}"


def _kgtk(item: Object) -> str:
    if isinstance(item, Node):
        return item.id
    match item.datatype:
        case "date":
            return f"^{item.value}/{item.precision}"
        case "quantity":
            bounds = f"[{item.lower},{item.upper}]" if item.lower and item.upper else ""
            return f"{item.value}{bounds}{item.unit.id if item.unit else ''}"
        case "coordinate":
            return "@" + item.value.replace(",", "/")
    if item.language:
        escaped = item.value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'@{item.language}"
    return '"' + item.value.replace('"', '\\"') + '"'


def _iri(entity_id: str) -> str:
    if entity_id.startswith("_:"):
        return "_:b" + quote(entity_id[2:], safe="").replace("%", "").replace(".", "").replace("-", "")
    if "://" in entity_id or entity_id.startswith("urn:"):
        return f"<{entity_id}>"
    place = "http://www.wikidata.org/entity/" if _wikidata(entity_id) else "urn:guardrail:"
    return f"<{place}{quote(entity_id, safe='')}>"


def _predicate(statement: Triplet) -> str:
    predicate = statement.predicate.id
    if predicate[:1] == "P" and predicate[1:].isdigit():
        return f"<http://www.wikidata.org/prop/direct/{predicate}>"
    return _iri(predicate)


def _wikidata(entity_id: str) -> bool:
    return entity_id[:1] in "QPL" and entity_id[1:].isdigit()


def _text(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def _item(item: Object) -> str:
    if isinstance(item, Node):
        return _iri(item.id)
    if item.language:
        return f"{_text(item.value)}@{item.language}"
    kind = {4: "gYear", 7: "gYearMonth", 10: "date"}.get(len(item.value.lstrip("-")))
    if item.datatype == "date" and kind and (item.precision or 0) >= 9:
        return f'"{item.value}"^^<{_XSD}{kind}>'
    if item.datatype == "quantity":
        return f'"{item.value}"^^<{_XSD}decimal>'
    return _text(item.value)
