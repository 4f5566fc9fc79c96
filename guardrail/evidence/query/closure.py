"""Hierarchy closure: from Honolulu up to Hawaii and the United States, from a physicist up to a scientist.

Coarser is supported, finer is unknown: the chain of statements that shows it is the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from guardrail import ontology
from guardrail.evidence.knowledge import Edge, Knowledge
from guardrail.types import Triplet

MOST_HOPS = 3


def chain(graph: Knowledge, lower: Sequence[str], upper: Sequence[str]) -> tuple[Triplet, ...]:
    """The shortest chain of at most `MOST_HOPS` statements from one of `lower` up to one of `upper`; empty if none."""
    return _climbed(graph, *_above(graph, lower, upper))


def chain_either_way(
    graph: Knowledge, some: Sequence[str], others: Sequence[str]
) -> tuple[tuple[Triplet, ...], tuple[Triplet, ...]]:
    """The chain from one of `some` up to one of `others`, and, where there is none, the one from `others` up to `some`."""
    here, there, edges = _above(graph, some, others)
    up = _climbed(graph, here, there, edges)
    return up, () if up else _climbed(graph, there, here, edges)


def _above(
    graph: Knowledge, some: Sequence[str], others: Sequence[str]
) -> tuple[list[int], list[int], list[Edge]]:
    """Numbers of both, and the edges that lead up from them in the order in which they are tried: one question for all."""
    climbing = _climbing(graph)
    if not climbing or not some or not others:
        return [], [], []
    known, edges = graph.upward([*some, *others], climbing, MOST_HOPS)
    order = {p: place for place, p in enumerate(climbing)}
    edges.sort(key=lambda edge: (order[edge.p], edge))
    return [known[i] for i in some if i in known], [known[i] for i in others if i in known], edges


def _climbed(
    graph: Knowledge, start: Sequence[int], goal: Sequence[int], edges: Sequence[Edge]
) -> tuple[Triplet, ...]:
    came_by: dict[int, Edge | None] = dict.fromkeys(start)
    level = set(start)
    for _ in range(MOST_HOPS):
        following: set[int] = set()
        for edge in edges:
            if edge.a not in level or edge.b in came_by:
                continue
            came_by[edge.b] = edge
            if edge.b in goal:
                return _back(graph, came_by, edge.b)
            following.add(edge.b)
        level = following
    return ()


def _climbing(graph: Knowledge) -> list[int]:
    return _climbing_at(graph, graph.recent_version)


@lru_cache(maxsize=8)
def _climbing_at(graph: Knowledge, version: str) -> list[int]:
    """Numbers of the relations to climb by: those which play that part, then those the graph itself calls hierarchical."""
    found = [graph.property_number(p) for p in graph.playing(("climbed",))]
    own = [
        graph.property_number(p.id)
        for p in graph.properties()
        if p.hierarchical and ontology.standard(p) is None
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
