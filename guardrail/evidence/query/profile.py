"""What a graph holds about the entities that a claim names, whatever the claim's words: its properties may be called otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.evidence.query.memberships import memberships
from guardrail.types import Node, Profile, Triplet

__all__ = ["MOST_ENTITIES", "MOST_STATEMENTS", "Profiles"]

MOST_ENTITIES = 6
MOST_STATEMENTS = 200
_MOST_INCOMING = 60
_REMEMBERED = 1024


class Profiles:
    """The profiles of a graph's entities; those asked for last are remembered. Safe to share between threads."""

    def __init__(self, graph: Knowledge) -> None:
        self._graph = graph
        self._known = lru_cache(maxsize=_REMEMBERED)(self._fresh)

    def of(self, entity_ids: Sequence[str]) -> tuple[Profile, ...]:
        """One for each entity of which the graph says anything; a property has none."""
        version = self._graph.version
        found = (self._known(entity_id, version) for entity_id in entity_ids[:MOST_ENTITIES])
        return tuple(one for one in found if one is not None)

    def _fresh(self, entity_id: str, _version: str) -> Profile | None:
        """`_version`: of the graph, so that one that has changed is asked again."""
        graph = self._graph
        entity = graph.entity(entity_id)
        if entity is None or graph.property(entity_id) is not None:
            return None
        kept = [
            one
            for one in graph.statements(entity_id)
            if one.rank != "deprecated" and one.predicate.id != COMPLETE_LIST.id
        ][:MOST_STATEMENTS]
        known = {one.predicate.id: graph.property(one.predicate.id) for one in kept}
        incoming = graph.incoming(entity_id, limit=_MOST_INCOMING)
        return Profile(
            Node(entity.id, entity.label),
            tuple(kept),
            {key: record for key, record in known.items() if record is not None},
            frozenset(one.predicate.id for one in incoming),
            (entity.label, *graph.aliases(entity_id)),
            frozenset(entity.types),
            self._ranges(kept),
            self._terms(incoming),
            frozenset(key for key in known if graph.complete(entity_id, key)),
            tuple(one for one in incoming if one.rank != "deprecated"),
        )

    def _terms(self, incoming: Sequence[Triplet]) -> tuple[Triplet, ...]:
        dated = [one for one in incoming if one.qualifiers and one.rank != "deprecated"]
        return (*dated, *memberships(self._graph, incoming))

    def _ranges(self, statements: Sequence[Triplet]) -> dict[str, frozenset[str]]:
        """By property, the classes of the values that it has here."""
        found: dict[str, frozenset[str]] = {}
        for one in statements:
            value = self._graph.entity(one.object.id) if isinstance(one.object, Node) else None
            if value is not None and value.types:
                found[one.predicate.id] = found.get(one.predicate.id, frozenset()) | frozenset(value.types)
        return found
