"""What the properties of a graph are taken for: one value or many, of what type, and whether somebody said so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from guardrail.evidence.properties.literals import XSD
from guardrail.evidence.store.cardinality import inferred, is_own
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property

__all__ = ["Described", "described", "summary", "values_of"]

_KINDS = {XSD + "boolean": "yes or no", XSD + "time": "time of day"}
_DATATYPES = {"entity": "thing", "string": "text", "quantity": "number", "coordinate": "place"}


@dataclass(frozen=True, slots=True)
class Described:
    """A property with how many statements and subjects it has. `said`: whether its cardinality was declared."""

    known: Property
    statements: int
    subjects: int
    said: bool

    @property
    def type(self) -> str:
        """In words: "thing", "date", "number", "yes or no" …"""
        known = self.known
        kind = next((_KINDS[one] for one in known.range if one in _KINDS), "")
        return kind or _DATATYPES.get(known.datatype, known.datatype)

    @property
    def values(self) -> str:
        """In words: "one", "one at a time", "a list", "a complete list"."""
        return values_of(self.known)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        known = self.known
        return {
            "id": known.id,
            "label": known.label,
            "aliases": list(known.aliases),
            "type": self.type,
            "datatype": known.datatype,
            "unit": known.unit.label if known.unit else None,
            "cardinality": known.cardinality,
            "declared": self.said,
            "temporal": known.temporal,
            "hierarchical": known.hierarchical,
            "complete": known.complete,
            "same_as": list(known.same_as),
            "roles": list(known.roles),
            "statements": self.statements,
            "subjects": self.subjects,
        }


def values_of(known: Property) -> str:
    """How many values a thing has of the property, in words: "one", "one at a time", "a list", "a complete list"."""
    if known.cardinality == "single":
        return "one at a time" if known.temporal else "one"
    return "a complete list" if known.complete else "a list"


def described(graph: Graph) -> list[Described]:
    """The properties that have statements, those with most of them first."""
    counted = graph.database.rows("SELECT p, COUNT(*), COUNT(DISTINCT s) FROM statement GROUP BY p")
    unsaid = inferred(graph.database)
    found = []
    for number, statements, subjects in counted:
        known = graph.property_at(number)
        said = known.cardinality != "unknown" and known.id not in unsaid
        found.append(Described(known, statements, subjects, said))
    return sorted(found, key=lambda one: (-one.statements, one.known.label))


def summary(properties: Iterable[Property]) -> str:
    """As "27 properties: 19 single-valued, 5 lists, 3 change over time": of those that are the user's own."""
    own = [known for known in properties if is_own(known.id)]
    changing = sum(known.temporal for known in own)
    single = sum(known.cardinality == "single" and not known.temporal for known in own)
    lists = len(own) - single - changing
    parts = f"{single} single-valued, {_counted(lists, 'list')}, {changing} change{'s' * (changing == 1)} over time"
    return f"{_counted(len(own), 'property', 'properties')}: {parts}"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
