"""The classes of a graph: what its entities are instances of, by id and by name.

A class is whatever an entity is said to be an instance of; classes above it do not count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches

from guardrail.evidence import names
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.store.graph import Graph
from guardrail.types import Entity

__all__ = ["KnownClass", "all_classes", "classes_called", "classes_near"]

_BEGUN = 50  # entities whose names begin like a word that is looked for


@dataclass(frozen=True, slots=True)
class KnownClass:
    """A class with all its names, and how many entities are instances of it."""

    id: str
    label: str
    aliases: tuple[str, ...]
    entities: int


def classes_called(graph: Knowledge, word: str) -> tuple[str, ...]:
    """Ids of the classes that have this id, label or alias; case does not count. Raises KnowledgeError."""
    wanted = names.key(word)
    by_name = graph.entities([row.entity for row in graph.named({wanted: [word]})]) if wanted else {}
    by_id = [known for known in [graph.entity(word)] if known is not None]
    found = dict.fromkeys(known.id for known in [*by_id, *by_name.values()])
    return tuple(entity_id for entity_id in found if _is_class(graph, entity_id))


def classes_near(graph: Knowledge, word: str, *, limit: int = 3) -> tuple[Entity, ...]:
    """Classes that are called nearly so, or whose names begin alike; best first. Raises KnowledgeError."""
    wanted = names.key(word)
    by_name: dict[str, Entity] = {}
    for length in (len(wanted), max(3, 2 * len(wanted) // 3), 3):
        for known in graph.search(wanted[:length], limit=_BEGUN):
            if _is_class(graph, known.id):
                by_name.update({names.key(n): known for n in (known.label, *graph.aliases(known.id))})
    close = get_close_matches(wanted, by_name, n=limit, cutoff=0.6)
    begun = [name for name in by_name if name.startswith(wanted) or wanted in name.split()]
    return tuple({by_name[name].id: by_name[name] for name in (*close, *begun)}.values())[:limit]


def all_classes(graph: Graph) -> list[KnownClass]:
    """Every class of the graph, the largest first: one walk over all entities. Raises KnowledgeError."""
    counted: Counter[str] = Counter()
    for types, count in graph.database.rows(
        "SELECT types, COUNT(*) FROM entity WHERE types <> '' GROUP BY types"
    ):
        for class_id in types.split("\n"):
            counted[class_id] += count
    numbers = graph.numbers(counted)
    nodes = graph.nodes(list(numbers.values()))
    labels = {entity_id: nodes[number].label for entity_id, number in numbers.items()}
    order = sorted(counted, key=lambda one: (-counted[one], labels.get(one, one)))
    return [KnownClass(one, labels.get(one, one), graph.aliases(one), counted[one]) for one in order]


def _is_class(graph: Knowledge, entity_id: str) -> bool:
    relations = graph.playing(("instance of",))
    return any(graph.incoming(entity_id, relation, limit=1) for relation in relations)
