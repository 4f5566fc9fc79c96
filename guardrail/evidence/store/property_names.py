"""How properties are called, and the unit that their name gives: RDF names a property as it names everything else.

Labels and further names of an IRI that is a property too came as those of an entity; they are the property's own. A bare
number of a property called "height in metres" is one of metres.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrail.evidence.properties.iris import readable
from guardrail.evidence.properties.words import said
from guardrail.evidence.store.database import Cursor
from guardrail.evidence.store.property_record import add_more
from guardrail.types import Property

__all__ = ["name_properties"]


def name_properties(cursor: Cursor) -> None:
    """Gives each property the names and the unit that it has; doing it twice changes nothing."""
    for number, label, aliases in list(_named(cursor)):
        cursor.many(
            "UPDATE property SET label = ?, aliases = ? WHERE n = ?", [(label, "\n".join(aliases), number)]
        )
    rows = cursor.rows("SELECT id, label FROM property WHERE datatype = 'quantity'")
    for property_id, label in rows:
        unit = said(label).unit
        if unit is not None:
            add_more(cursor, Property(property_id, label, unit=unit.node))


def _named(cursor: Cursor) -> Iterator[tuple[int, str, list[str]]]:
    """Number, label and aliases of those that have names beside what can be read from their ids."""
    rows = cursor.rows(
        "SELECT p.n, p.id, p.label, p.aliases, e.label, a.text, a.kind, a.language FROM property p"
        " JOIN entity e ON e.id = p.id JOIN alias a ON a.entity = e.n ORDER BY p.n, a.text"
    )
    found: dict[int, tuple[str, list[str]]] = {}
    for number, property_id, label, aliases, entity_label, text, kind, language in rows:
        if ":" not in property_id and not language:
            continue  # a thing of a table that is called like a property
        known = found.setdefault(number, (label, aliases.split("\n") if aliases else []))
        if kind == 0 and text == entity_label and (language or text != readable(property_id)):
            found[number] = (text, known[1])
        elif kind and text not in known[1]:
            known[1].append(text)
    for number, (label, aliases) in found.items():
        yield number, label, [text for text in aliases if text != label]
