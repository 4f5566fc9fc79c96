"""Hierarchy closure: from Honolulu up to Hawaii and the United States, from a physicist up to a scientist.

Coarser is supported, finer is unknown: the chain of statements that shows it is the proof.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache

from guardrail.evidence import ontology
from guardrail.evidence.knowledge import Edge, Knowledge
from guardrail.types import Triplet

MOST_HOPS = 3
_WIDEST = 500
"""Nodes of one level from which the next is climbed to."""


def chain(graph: Knowledge, lower: Sequence[str], upper: Sequence[str]) -> tuple[Triplet, ...]:
    """The shortest chain of at most `MOST_HOPS` statements from one of `lower` up to one of `upper`; empty if none."""
    known = graph.numbers([*lower, *upper])
    return _climbed(graph, [known[i] for i in lower if i in known], {known[i] for i in upper if i in known})


def chain_either_way(
    graph: Knowledge, some: Sequence[str], others: Sequence[str]
) -> tuple[tuple[Triplet, ...], tuple[Triplet, ...]]:
    """The chain from one of `some` up to one of `others`, and, where there is none, the one from `others` up to `some`."""
    known = graph.numbers([*some, *others])
    here = [known[i] for i in some if i in known]
    there = [known[i] for i in others if i in known]
    up = _climbed(graph, here, set(there))
    return up, () if up else _climbed(graph, there, set(here))


def _climbed(graph: Knowledge, level: Sequence[int], goal: Set[int]) -> tuple[Triplet, ...]:
    if not level or not goal or not (climbing := _climbing(graph)):
        return ()
    came_by: dict[int, Edge | None] = dict.fromkeys(level)
    for _ in range(MOST_HOPS):
        following: list[int] = []
        for edge in sorted(graph.climb(level, climbing), key=lambda e: (climbing.index(e.p), e)):
            if edge.b in came_by:
                continue
            came_by[edge.b] = edge
            if edge.b in goal:
                return _back(graph, came_by, edge.b)
            following.append(edge.b)
        level = following[:_WIDEST]
        if not level:
            break
    return ()


def above(graph: Knowledge, lower: Sequence[str]) -> set[int]:
    """Numbers of `lower` and of all that they lie in or belong to, at most `MOST_HOPS` up."""
    level = list(graph.numbers(lower).values())
    climbing = _climbing(graph)
    seen = set(level)
    for _ in range(MOST_HOPS):
        level = [edge.b for edge in graph.climb(level, climbing) if edge.b not in seen][:_WIDEST]
        seen.update(level)
        if not level:
            break
    return seen


def _climbing(graph: Knowledge) -> list[int]:
    return _climbing_at(graph, graph.version)


@lru_cache(maxsize=8)
def _climbing_at(graph: Knowledge, version: str) -> list[int]:
    """Numbers of the relations to climb by: Wikidata's, else those the graph itself calls hierarchical."""
    found = [graph.property_number(p) for p in ontology.CLIMBS]
    own = [
        graph.property_number(p.id)
        for p in graph.properties()
        if p.hierarchical and p.id not in ontology.HIERARCHICAL
    ]
    return [number for number in (*found, *own) if number is not None]


def _back(graph: Knowledge, came_by: dict[int, Edge | None], at: int) -> tuple[Triplet, ...]:
    edges: list[Edge] = []
    step = came_by[at]
    while step is not None:
        edges.append(step)
        step = came_by[step.a]
    edges.reverse()
    triplets = graph.read_edges(edges)
    return tuple(triplets[edge] for edge in edges) if len(triplets) == len(edges) else ()
