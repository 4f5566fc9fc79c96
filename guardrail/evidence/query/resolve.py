"""What a user typed, an id or a name, as an entity, a property or a value of the graph."""

from __future__ import annotations

from datetime import date
from difflib import get_close_matches

from guardrail.errors import KnowledgeError
from guardrail.evidence import names
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.literals import kgtk_value, plain_value
from guardrail.evidence.query.relations import RelationIndex
from guardrail.types import Entity, Node, Object, Property
from guardrail.values import find_values


def entity(graph: Knowledge, text: str) -> Entity:
    """The entity of this id or name, the best known where several have it. Raises KnowledgeError."""
    known = graph.entity(text)
    if known is not None:
        return known
    found = graph.search(text, limit=5)
    wanted = names.key(text)
    for candidate in found:
        if wanted in {names.key(name) for name in (candidate.label, *graph.aliases(candidate.id))}:
            return candidate
    found = found or _alike(graph, text)
    near = f"; near it: {', '.join(f'{e.label} ({e.id})' for e in found)}" if found else ""
    raise KnowledgeError(f"no entity {text!r} in {graph.name}{near}")


def _alike(graph: Knowledge, text: str) -> list[Entity]:
    """Entities that are called nearly so: a slip of the pen is rarely in the first letters."""
    for length in (2 * len(text) // 3, len(text) // 2):
        begun = graph.search(text[: max(length, 3)], limit=50)
        by_name = {
            names.key(name): e for e in reversed(begun) for name in (e.label, *graph.aliases(e.id)) if name
        }
        close = get_close_matches(names.key(text), by_name, n=3, cutoff=0.75)
        if close:
            return list(dict.fromkeys(by_name[name] for name in close))
    return []


def relation(graph: Knowledge, text: str) -> Property:
    """The property of this id or name. Raises KnowledgeError."""
    known = graph.property(text)
    if known is not None:
        return known
    properties = graph.properties()
    found = RelationIndex(properties).match(text)
    if found:
        return found[0]
    by_name = {names.key(name): p for p in reversed(properties) for name in (p.label, *p.aliases)}
    close = get_close_matches(names.key(text), by_name, n=3, cutoff=0.75)
    near = f"; near it: {', '.join(f'{name} ({by_name[name].id})' for name in close)}" if close else ""
    raise KnowledgeError(f"no property {text!r} in {graph.name}{near}")


def item(graph: Knowledge, known: Property, text: str) -> Object:
    """The object of a statement of this property: an entity, or a literal of its datatype. Raises KnowledgeError."""
    if known.datatype == "entity":
        found = entity(graph, text)
        return Node(found.id, found.label)
    try:
        literal = kgtk_value(text) if text[:1] in "^@" else None
        if literal is None and known.datatype in ("date", "quantity"):
            read = find_values(text, today=date.today())
            literal = read[0].value if read else None
        literal = literal or plain_value(text, known.datatype)
    except ValueError as error:
        raise KnowledgeError(f"{text!r} is not a {known.datatype} for {known.label}: {error}") from error
    if literal is None or literal.datatype != known.datatype:
        raise KnowledgeError(f"{text!r} is not a {known.datatype} for {known.label}")
    return literal
