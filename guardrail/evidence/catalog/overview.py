"""The first look at a graph: how much it holds, and some of the things in it, of several kinds."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.evidence.store.cardinality import is_own
from guardrail.evidence.store.graph import Graph, Stats
from guardrail.types import Entity, Triplet

__all__ = ["Example", "examples", "overview"]

EXAMPLES = 8
_LOOKED_AT = 300


@dataclass(frozen=True, slots=True)
class Example:
    """A thing of the graph, and a fact about it that is good to read."""

    entity: Entity
    fact: Triplet


def overview(graph: Graph) -> tuple[Stats, list[Example]]:
    """Counts all rows: for graphs of many millions of statements to be remembered by the version."""
    return graph.stats(), examples(graph)


def examples(graph: Graph, count: int = EXAMPLES) -> list[Example]:
    """Things that the graph says something of, the best known first, of as many classes as there are; no classes."""
    rows = graph.database.rows(
        "SELECT n FROM entity WHERE EXISTS (SELECT 1 FROM statement WHERE s = n)"
        " ORDER BY popularity DESC, degree DESC, n LIMIT ?",
        (_LOOKED_AT,),
    )
    found = graph.entities([n for (n,) in rows])
    things = [found[n] for (n,) in rows]
    classes = {one for thing in things for one in thing.types}
    things = [thing for thing in things if thing.id not in classes]
    first_of_class = {thing.types[:1]: thing for thing in reversed(things)}
    chosen = dict.fromkeys(thing.id for thing in things if first_of_class[thing.types[:1]] is thing)
    chosen |= dict.fromkeys(thing.id for thing in things)
    by_id = {thing.id: thing for thing in things}
    told = (Example(by_id[one], fact) for one in chosen if (fact := _telling(graph, one)) is not None)
    return [one for one, _ in zip(told, range(count), strict=False)]


def _telling(graph: Graph, entity_id: str) -> Triplet | None:
    """A fact of which there is one, if there is such a one; none about classes."""
    facts = [t for t in graph.statements(entity_id) if t.rank != "deprecated" and not t.qualifiers]
    single = (t for t in facts if (known := graph.property(t.predicate.id)) and known.cardinality == "single")
    own = (t for t in facts if is_own(t.predicate.id))
    return next(single, None) or next(own, None) or next(iter(facts), None)
