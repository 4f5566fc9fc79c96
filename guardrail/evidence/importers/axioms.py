"""What a schema declares of properties: OWL's restrictions, SHACL's shapes, domain and range, properties that mean the same.

A restriction and a shape name the property and the number in two statements about one node, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import pyoxigraph as ox

from guardrail.evidence.properties import iris
from guardrail.types import Property

__all__ = ["AXIOMS", "Axioms"]

_SHACL: Final = "http://www.w3.org/ns/shacl#"
_PATHS: Final = frozenset({iris.OWL + "onProperty", _SHACL + "path"})
_MOST: Final = frozenset(
    {
        _SHACL + "maxCount",
        *(
            iris.OWL + name
            for name in ("cardinality", "maxCardinality", "qualifiedCardinality", "maxQualifiedCardinality")
        ),
    }
)
_FIELDS: Final = {
    iris.RDFS + "domain": "domain",
    iris.RDFS + "range": "range",
    iris.OWL + "equivalentProperty": "same_as",
}
AXIOMS: Final = _PATHS | _MOST | _FIELDS.keys()
"""Predicates that `Axioms.learn` is to be told of."""


@dataclass(slots=True)
class Axioms:
    """What was read of restrictions and shapes so far, by their nodes."""

    _paths: dict[str, str] = field(default_factory=dict)
    _most: dict[str, int] = field(default_factory=dict)

    def learn(self, subject: str, predicate: str, item: Any) -> Property | None:
        """What a statement with one of `AXIOMS` says of a property; None where that is nothing, or not yet."""
        if predicate in _FIELDS:
            if not isinstance(item, ox.NamedNode):
                return None
            return _record(subject, **{_FIELDS[predicate]: (iris.short(item.value),)})
        if predicate in _PATHS:
            if not isinstance(item, ox.NamedNode):
                return None  # a path of several steps
            self._paths[subject] = iris.short(item.value)
        elif isinstance(item, ox.Literal) and item.value.isdigit():
            self._most[subject] = int(item.value)
        if subject not in self._paths or subject not in self._most:
            return None
        many = "single" if self._most[subject] <= 1 else "list"
        return _record(self._paths[subject], cardinality=many)


def _record(property_id: str, **said: Any) -> Property:
    return Property(property_id, iris.relation_name(property_id), **said)
