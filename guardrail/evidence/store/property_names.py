"""How properties are called, and the unit that their name gives: RDF names a property as it names everything else.

Labels and further names of an IRI that is a property too came as those of an entity; they are the property's own. A bare
number of a property called "height in metres" is one of metres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from guardrail.evidence.properties.iris import readable
from guardrail.evidence.properties.words import said
from guardrail.evidence.store.database import Cursor, Row
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
    for number, group in groupby(rows, itemgetter(0)):
        # Without a language it is a thing of a table that is called like a property.
        named = [row for row in group if ":" in row[1] or row[7]]
        if named:
            yield (number, *_names(named))


def _names(rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Label and aliases of one property, whose rows these are."""
    _, property_id, label, listed, *_ = rows[0]
    aliases = listed.split("\n") if listed else []
    for *_, entity_label, text, kind, language in rows:
        if kind == 0 and text == entity_label and (language or text != readable(property_id)):
            label = text
        elif kind and text not in aliases:
            aliases.append(text)
    return label, [text for text in aliases if text != label]
