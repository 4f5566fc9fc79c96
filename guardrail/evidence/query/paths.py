"""Multi-node breadth-first search: how the entities of a claim hang together in the graph (ClaimVer §3.2).

Every visited node keeps the origins it was reached from and at which distance. All origins grow by one step at once;
where two meet, the way back to each gives a path of one, two or three statements, walked in either direction. The third
hop needs no third step: it is an edge between two nodes that are each one step from an origin. Paths have no cycles,
and are ranked by length, by the hubs they cross and by how well their relations match the claim's words.
Everything is ordered, so that the same graph and question always give the same paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from heapq import nsmallest
from itertools import combinations, islice

from guardrail.evidence.knowledge import Edge, Knowledge
from guardrail.evidence.query.relations import content, relevance
from guardrail.types import Path

MOST_ORIGINS = 8
INCOMING = 150
"""Edges that arrive at one origin and are followed. A hub's others are found from the other end, where they leave."""
_FRONTIER = 150
"""Nodes around one origin from which the middle edge of a three-hop path is sought: those with the fewest edges, since
what they are joined to says most."""
_FRONTIER_EDGES = 6_000
"""Edges at these nodes in all. A country is joined to every other, and each edge between two of them would be read."""
_FEW = 50
"""Nodes around an origin that are all followed, without a look at how many edges they have."""
_PER_PAIR = 2_000
"""Candidates of three hops between one pair that are ranked."""
_HUB_COST, _RELEVANCE_GAIN = 1.5, 1.2
"""In hops: a way through a hub is as bad as one and a half statements more, a relation that the claim names as one less."""

Walk = tuple[Edge, ...]
Ranked = tuple[float, Walk]


@dataclass(slots=True)
class _Search:
    """What has been visited: `steps[origin][node]` are the edges from an origin to a node at distance one."""

    graph: Knowledge
    wanted: frozenset[str]
    hubs: frozenset[int]
    steps: dict[int, dict[int, list[Edge]]]
    relevances: dict[int, float]
    bests: dict[tuple[int, int], tuple[float, Edge]]

    def relevance(self, p: int) -> float:
        found = self.relevances.get(abs(p))
        if found is None:
            found = relevance([self.graph.property_at(abs(p))], self.wanted) if self.wanted else 0.0
            self.relevances[abs(p)] = found
        return found

    def best(self, edges: Sequence[Edge]) -> tuple[float, Edge]:
        """Of parallel edges the one that says most about the claim, and how much."""
        place = (edges[0].a, edges[0].b)
        found = self.bests.get(place)
        if found is None:
            ranked = [(self.relevance(edge.p), edge) for edge in edges]
            found = max(ranked, key=lambda f: (f[0], -f[1].p, f[1].k)) if len(ranked) > 1 else ranked[0]
            self.bests[place] = found
        return found


def paths(
    graph: Knowledge,
    entity_ids: Iterable[str],
    *,
    max_hops: int = 3,
    max_paths: int = 4,
    words: Iterable[str] = (),
) -> tuple[Path, ...]:
    """Up to `max_paths` paths of up to `max_hops` (at most 3) statements between each pair of the entities.

    `words`: the claim's relation words. The result is ranked over all pairs; ids that the graph does not know are left
    out.
    """
    if not 1 <= max_hops <= 3:
        raise ValueError(f"max_hops is 1, 2 or 3, not {max_hops}")
    asked = list(dict.fromkeys(entity_ids))[:MOST_ORIGINS]
    if len(asked) < 2:
        return ()
    known, edges = graph.around(asked, incoming=INCOMING)
    origins = [known[i] for i in asked if i in known]
    if len(origins) < 2:
        return ()
    search = _visit(graph, origins, edges, content(" ".join(words)))
    chosen: list[Ranked] = []
    short: dict[tuple[int, int], list[Ranked]] = {}
    for a, b in combinations(origins, 2):
        found = nsmallest(max_paths, _near(search, a, b, max_hops))
        if len(found) < max_paths and max_hops > 2:
            short[a, b] = found
        else:
            chosen.extend(found)
    if short:
        middle = _middle(search, sorted({origin for pair in short for origin in pair}))
        for (a, b), found in short.items():
            chosen += nsmallest(max_paths, [*found, *islice(_three(search, middle, a, b), _PER_PAIR)])
    return _read(search, sorted(chosen))


def _near(search: _Search, a: int, b: int, max_hops: int) -> Iterator[Ranked]:
    yield from _one(search, a, b)
    if max_hops > 1:
        yield from _two(search, a, b)


def _visit(graph: Knowledge, origins: Sequence[int], near: Sequence[Edge], wanted: frozenset[str]) -> _Search:
    """One step from every origin; then the edges between their neighbours and a hub that was not followed whole."""
    steps: dict[int, dict[int, list[Edge]]] = {origin: {} for origin in origins}
    arrived = dict.fromkeys(origins, 0)
    for edge in near:
        steps[edge.a].setdefault(edge.b, []).append(edge)
        arrived[edge.a] += edge.p < 0
    cut = [origin for origin in origins if arrived[origin] >= INCOMING]
    if cut:
        # What surrounds a hub is known already; its way to the others leaves from their side.
        sides = origins if len(cut) > 1 else [origin for origin in origins if origin not in cut]
        around = sorted({node for origin in sides for node in steps[origin]} | set(origins))
        for a, p, b, k in graph.edges_between(around, cut):
            edge = Edge(b, -p, a, k)
            edges = steps[b].setdefault(a, [])
            if edge not in edges:
                edges.append(edge)
    return _Search(graph, wanted, graph.hubs(), steps, {}, {})


def _one(search: _Search, a: int, b: int) -> Iterator[Ranked]:
    for edge in search.steps[a].get(b, ()):
        yield 1 - _RELEVANCE_GAIN * search.relevance(edge.p), (edge,)


def _two(search: _Search, a: int, b: int) -> Iterator[Ranked]:
    from_a, from_b = search.steps[a], search.steps[b]
    for node in from_a.keys() & from_b.keys():
        if node in (a, b):
            continue
        (found, there), (more, back) = search.best(from_a[node]), search.best(from_b[node])
        cost = 2 - _RELEVANCE_GAIN * (found + more) + (_HUB_COST if node in search.hubs else 0)
        yield cost, (there, _turned(back))


def _three(search: _Search, middle: dict[int, dict[int, list[Edge]]], a: int, b: int) -> Iterator[Ranked]:
    from_a, from_b = search.steps[a], search.steps[b]
    for x in sorted(from_a.keys() & middle.keys()):
        found, there = search.best(from_a[x])
        for y in sorted(middle[x].keys() & from_b.keys()):
            between, across = search.bests.get((x, y)) or search.best(_from(x, middle[x][y]))
            more, back = search.best(from_b[y])
            yield 3 - _RELEVANCE_GAIN * (found + between + more), (there, across, _turned(back))


def _middle(search: _Search, origins: Sequence[int]) -> dict[int, dict[int, list[Edge]]]:
    """Edges between neighbours of the origins, found from both ends. Hubs are left to the shorter paths."""
    around = [search.steps[origin].keys() - search.hubs - search.steps.keys() for origin in origins]
    crowded = set().union(*(nodes for nodes in around if len(nodes) > _FEW))
    degrees = search.graph.degrees(sorted(crowded)) if crowded else {}
    listed = sorted({node for nodes in around for node in _frontier(nodes, degrees)})
    found: dict[int, dict[int, list[Edge]]] = {}
    for edge in search.graph.edges_between(listed, listed):
        a, b = edge.a, edge.b
        if a == b:
            continue
        of_a = found.setdefault(a, {})
        joined = of_a.get(b)
        if joined is None:
            joined = of_a[b] = found.setdefault(b, {})[a] = []
        joined.append(edge)
    return found


def _frontier(nodes: Set[int], degrees: Mapping[int, int]) -> Iterator[int]:
    """The nodes with the fewest edges, up to `_FRONTIER` of them with `_FRONTIER_EDGES` between them."""
    edges = 0
    for node in sorted(nodes, key=lambda n: (degrees.get(n, 0), n))[:_FRONTIER]:
        edges += degrees.get(node, 0)
        if edges > _FRONTIER_EDGES:
            return
        yield node


def _from(node: int, edges: Sequence[Edge]) -> list[Edge]:
    """Edges between two nodes, all seen from one of them."""
    return [edge if edge.a == node else _turned(edge) for edge in edges]


def _turned(edge: Edge) -> Edge:
    return Edge(edge.b, -edge.p, edge.a, edge.k)


def _read(search: _Search, chosen: Sequence[Ranked]) -> tuple[Path, ...]:
    triplets = search.graph.read_edges(list(dict.fromkeys(edge for _, walk in chosen for edge in walk)))
    result = []
    for _, walk in chosen:
        if any(edge not in triplets for edge in walk):  # retracted in between
            continue
        found = sum(search.relevance(edge.p) for edge in walk) / len(walk)
        result.append(Path(tuple(triplets[edge] for edge in walk), round(found, 4)))
    return tuple(result)
