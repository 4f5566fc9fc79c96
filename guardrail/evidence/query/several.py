"""Several graphs read as one, in their order of precedence: a company's own beside the starter knowledge.

Each keeps its own properties: a word that names one in both is asked in both. What is known by an id in both is one thing, with
what both say of it, the first before the second. Row numbers are told apart by the place of their graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from guardrail.evidence.knowledge import Edge, Knowledge, NameRow
from guardrail.types import Entity, Property, Triplet

__all__ = ["SeveralGraphs", "parts"]

T = TypeVar("T")


def parts(knowledge: Knowledge) -> tuple[Knowledge, ...]:
    """The graphs of which it is made, in their order of precedence: itself, or several."""
    return knowledge.graphs if isinstance(knowledge, SeveralGraphs) else (knowledge,)


class SeveralGraphs:
    """Plays the role of one graph. `graphs`: two or more, the one that goes before the others first."""

    def __init__(self, graphs: Sequence[Knowledge]) -> None:
        self._graphs, self._count = tuple(graphs), len(graphs)
        # What several know by one id has the number that the first of them gives, as far as it was asked for.
        self._shared: dict[int, int] = {}
        self._places: dict[tuple[int, int], int] = {}

    @property
    def graphs(self) -> tuple[Knowledge, ...]:
        """In their order of precedence."""
        return self._graphs

    @property
    def name(self) -> str:
        return " + ".join(graph.name for graph in self._graphs)

    @property
    def version(self) -> str:
        return " + ".join(graph.version for graph in self._graphs)

    @property
    def recent_version(self) -> str:
        return " + ".join(graph.recent_version for graph in self._graphs)

    # ── by id ─────────────────────────────────────────────────────────────────────────────────────────

    def entity(self, entity_id: str, /) -> Entity | None:
        return self._first(lambda graph: graph.entity(entity_id))

    def aliases(self, entity_id: str, /) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for graph in self._graphs for name in graph.aliases(entity_id)))

    def search(self, text: str, /, limit: int = 10) -> list[Entity]:
        found = {e.id: e for graph in reversed(self._graphs) for e in graph.search(text, limit)}
        ordered = dict.fromkeys(e.id for graph in self._graphs for e in graph.search(text, limit))
        return [found[entity_id] for entity_id in ordered][:limit]

    def property(self, property_id: str, /) -> Property | None:
        return self._first(lambda graph: graph.property(property_id))

    def properties(self) -> list[Property]:
        by_id = {known.id: known for graph in reversed(self._graphs) for known in graph.properties()}
        return list(by_id.values())

    def alike(self, property_id: str, /) -> Sequence[Property]:
        return self._distinct(lambda graph: graph.alike(property_id))

    def playing(self, parts: Sequence[str], /) -> Sequence[str]:
        return list(dict.fromkeys(i for graph in self._graphs for i in graph.playing(parts)))

    def statements(self, subject_id: str, property_id: str | None = None, /) -> list[Triplet]:
        """Those of each graph in order. Of a property that has one value the first graph's go before the others'."""
        found = [self._told(graph, graph.statements(subject_id, property_id)) for graph in self._graphs]
        told = [statements for statements in found if statements]
        known = self.property(property_id) if property_id and len(told) > 1 else None
        if known is not None and known.cardinality == "single":
            told[0] = [replace(t, rank="preferred") if t.rank == "normal" else t for t in told[0]]
        return [t for statements in told for t in statements]

    @staticmethod
    def _told(graph: Knowledge, statements: Sequence[Triplet]) -> list[Triplet]:
        """Statements with the graph's name where they name no source."""
        return [t if t.source else replace(t, source=graph.name) for t in statements]

    def complete(self, subject_id: str, property_id: str, /) -> bool:
        return any(graph.complete(subject_id, property_id) for graph in self._graphs)

    def incoming(
        self, object_id: str, property_id: str | None = None, /, *, limit: int = 100
    ) -> list[Triplet]:
        return [t for g in self._graphs for t in g.incoming(object_id, property_id, limit=limit)][:limit]

    def literals(self, entity_ids: Sequence[str], /) -> list[Triplet]:
        return [t for graph in self._graphs for t in graph.literals(entity_ids)]

    # ── by number ─────────────────────────────────────────────────────────────────────────────────────

    def numbers(self, entity_ids: Iterable[str], /) -> dict[str, int]:
        ids, found = list(entity_ids), dict[str, int]()
        for place, graph in enumerate(self._graphs):
            self._join(place, graph.numbers(ids), found)
        return found

    def entities(self, numbers: Sequence[int], /) -> dict[int, Entity]:
        return dict(self._by_graph(numbers, lambda graph, own: graph.entities(own)))

    def degrees(self, numbers: Sequence[int], /) -> dict[int, int]:
        return dict(self._by_graph(numbers, lambda graph, own: graph.degrees(own)))

    def property_at(self, number: int, /) -> Property:
        return self._graphs[number % self._count].property_at(number // self._count)

    def property_number(self, property_id: str, /) -> int | None:
        for place, graph in enumerate(self._graphs):
            if (number := graph.property_number(property_id)) is not None:
                return self._out(place, number)
        return None

    def named(self, names: Mapping[str, Sequence[str]], /) -> list[NameRow]:
        """As a graph does; what two of them know by one id comes once, as the first knows it."""
        found: list[NameRow] = []
        seen: dict[tuple[str, str], int] = {}
        for place, graph in enumerate(self._graphs):
            for row in graph.named(names):
                identity = (row.key, row.known.id if row.known is not None else f"{place}:{row.entity}")
                if seen.setdefault(identity, place) == place:
                    found.append(row._replace(entity=self._out(place, row.entity)))
        return found

    def own_names(self, most: int, /) -> list[NameRow]:
        """Of those that are small enough, one by one."""
        found = ((place, row) for place, graph in self._placed() for row in graph.own_names(most))
        return [row._replace(entity=self._out(place, row.entity)) for place, row in found]

    def own_statements(self, most: int, /) -> list[Triplet]:
        """Of those that are small enough, one by one."""
        return [t for graph in self._graphs for t in self._told(graph, graph.own_statements(most))]

    def begun(self, keys: Sequence[str], /) -> Iterable[str]:
        return list(dict.fromkeys(key for graph in self._graphs for key in graph.begun(keys)))

    # ── edges ─────────────────────────────────────────────────────────────────────────────────────────

    def around(self, entity_ids: Sequence[str], /, *, incoming: int) -> tuple[dict[str, int], list[Edge]]:
        return self._joined(lambda _, graph: graph.around(entity_ids, incoming=incoming))

    def upward(
        self, entity_ids: Sequence[str], property_numbers: Sequence[int], hops: int, /
    ) -> tuple[dict[str, int], list[Edge]]:
        return self._joined(
            lambda p, graph: graph.upward(entity_ids, self._relations(p, property_numbers), hops)
        )

    def edges_between(self, numbers: Sequence[int], others: Sequence[int], /) -> list[Edge]:
        pairs = ((p, g.edges_between(self._own(p, numbers), self._own(p, others))) for p, g in self._placed())
        return [self._edge_out(place, edge) for place, edges in pairs for edge in edges]

    def leaving(self, numbers: Sequence[int], /) -> list[tuple[int, int]]:
        pairs = ((p, graph.leaving(self._own(p, numbers))) for p, graph in self._placed())
        return [(self._out(place, a), self._out(place, b)) for place, found in pairs for a, b in found]

    def climb(self, numbers: Sequence[int], property_numbers: Sequence[int], /) -> list[Edge]:
        pairs = (
            (p, g.climb(self._own(p, numbers), self._relations(p, property_numbers)))
            for p, g in self._placed()
        )
        return [self._edge_out(place, edge) for place, edges in pairs for edge in edges]

    def hubs(self) -> frozenset[int]:
        return frozenset(self._out(place, n) for place, graph in self._placed() for n in graph.hubs())

    def read_edges(self, edges: Sequence[Edge], /) -> dict[Edge, Triplet]:
        found = {}
        for place, graph in self._placed():
            own = {self._edge_in(edge): edge for edge in edges if abs(edge.p) % self._count == place}
            found.update({own[edge]: triplet for edge, triplet in graph.read_edges(list(own)).items()})
        return found

    # ── numbers of one graph as numbers of all ────────────────────────────────────────────────────────

    def _placed(self) -> Iterator[tuple[int, Knowledge]]:
        return enumerate(self._graphs)

    def _out(self, place: int, number: int) -> int:
        return number * self._count + place

    def _own(self, place: int, numbers: Iterable[int]) -> list[int]:
        """Those of the numbers that this graph has, as it has them."""
        own = (
            self._places.get((place, n), n // self._count if n % self._count == place else None)
            for n in numbers
        )
        return [number for number in own if number is not None]

    def _relations(self, place: int, numbers: Sequence[int]) -> list[int]:
        """The properties of these numbers as a graph has them, whichever graph gave the numbers."""
        ids = (self.property_at(abs(number)).id for number in numbers)
        own = ((self._graphs[place].property_number(i), n > 0) for i, n in zip(ids, numbers, strict=True))
        return [number if forward else -number for number, forward in own if number is not None]

    def _edge_out(self, place: int, edge: Edge) -> Edge:
        a, p, b = (self._out(place, number) for number in (edge.a, abs(edge.p), edge.b))
        return Edge(self._shared.get(a, a), p if edge.p > 0 else -p, self._shared.get(b, b), edge.k)

    def _edge_in(self, edge: Edge) -> Edge:
        place, p = abs(edge.p) % self._count, abs(edge.p) // self._count
        a, b = (self._places.get((place, number), number // self._count) for number in (edge.a, edge.b))
        return Edge(a, p if edge.p > 0 else -p, b, edge.k)

    def _join(self, place: int, own: Mapping[str, int], numbers: dict[str, int]) -> None:
        """Adds a graph's numbers of entities to those of all."""
        for entity_id, number in own.items():
            outer = self._out(place, number)
            first = numbers.setdefault(entity_id, outer)
            if first != outer:
                self._shared[outer], self._places[place, first] = first, number

    def _joined(
        self, ask: Callable[[int, Knowledge], tuple[dict[str, int], list[Edge]]]
    ) -> tuple[dict[str, int], list[Edge]]:
        numbers: dict[str, int] = {}
        edges: list[Edge] = []
        for place, graph in self._placed():
            own, found = ask(place, graph)
            self._join(place, own, numbers)
            edges += [self._edge_out(place, edge) for edge in found]
        return numbers, edges

    def _by_graph(
        self, numbers: Sequence[int], ask: Callable[[Knowledge, list[int]], Mapping[int, T]]
    ) -> Iterator[tuple[int, T]]:
        for place, graph in self._placed():
            for number, found in ask(graph, self._own(place, numbers)).items():
                yield self._out(place, number), found

    def _first(self, ask: Callable[[Knowledge], T | None]) -> T | None:
        return next((found for graph in self._graphs if (found := ask(graph)) is not None), None)

    def _distinct(self, ask: Callable[[Knowledge], Iterable[Property]]) -> list[Property]:
        return list({known.id: known for graph in reversed(self._graphs) for known in ask(graph)}.values())
