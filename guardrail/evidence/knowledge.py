"""What the rest of this room needs of a graph, wherever it lives: a file, PostgreSQL, a SPARQL endpoint.

Inside, entities and properties have numbers, which mean something only to the graph that gave them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from guardrail.types import Entity, Property, Triplet


class Edge(NamedTuple):
    """A statement between two entities seen from `a`; `p` is negative where `a` is the object. All are numbers."""

    a: int
    p: int
    b: int
    k: int


class NameRow(NamedTuple):
    """An entity that has a name: the name's key, its number, the name as it is written, 0 for a label and 1 for an alias.

    `known`: the entity itself, where it came in the same answer.
    """

    key: str
    entity: int
    text: str
    kind: int
    popularity: float
    degree: int
    known: Entity | None = None


class Knowledge(Protocol):
    """A graph that can be read. Safe to share between threads. Methods raise KnowledgeError where it cannot be read."""

    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def recent_version(self) -> str:
        """The version as it was at most a moment ago: for what is remembered between questions."""
        ...

    # by id
    def entity(self, entity_id: str, /) -> Entity | None: ...
    def aliases(self, entity_id: str, /) -> tuple[str, ...]: ...
    def search(self, text: str, /, limit: int = 10) -> list[Entity]: ...
    def property(self, property_id: str, /) -> Property | None: ...
    def properties(self) -> list[Property]: ...
    def alike(self, property_id: str, /) -> Sequence[Property]:
        """The graph's properties that are the one of this id: under it, or the same as it under an id of their own."""
        ...

    def playing(self, parts: Sequence[str], /) -> Sequence[str]:
        """Ids of properties that play one of these parts (`guardrail.ontology`), in the order in which they are asked."""
        ...

    def statements(self, subject_id: str, property_id: str | None = None, /) -> list[Triplet]: ...
    def complete(self, subject_id: str, property_id: str, /) -> bool:
        """Whether the graph says that it names every value of the property that the subject has."""
        ...

    def incoming(
        self, object_id: str, property_id: str | None = None, /, *, limit: int = 100
    ) -> list[Triplet]: ...

    # by number
    def numbers(self, entity_ids: Iterable[str], /) -> dict[str, int]: ...
    def entities(self, numbers: Sequence[int], /) -> dict[int, Entity]: ...
    def property_at(self, number: int, /) -> Property: ...
    def property_number(self, property_id: str, /) -> int | None: ...
    def named(self, names: Mapping[str, Sequence[str]], /) -> list[NameRow]:
        """Entities of these names, by key; the values are the forms in which the text writes each."""
        ...

    def own_names(self, most: int, /) -> list[NameRow]:
        """Every name of a graph of somebody's own: it has at most so many, and does not tell how well known its things are.

        None at all of any other graph, nor where they cannot be listed.
        """
        ...

    def own_statements(self, most: int, /) -> list[Triplet]:
        """Every statement of a graph of somebody's own that has at most so many; none of any other graph."""
        ...

    def begun(self, keys: Sequence[str], /) -> Iterable[str]:
        """Those of the keys that are names or the first words of one; more of them where that cannot be asked."""
        ...

    # edges
    def around(self, entity_ids: Sequence[str], /, *, incoming: int) -> tuple[dict[str, int], list[Edge]]:
        """Numbers of the entities, and their edges: all that leave each, and at most `incoming` of those that arrive."""
        ...

    def upward(
        self, entity_ids: Sequence[str], property_numbers: Sequence[int], hops: int, /
    ) -> tuple[dict[str, int], list[Edge]]:
        """Numbers of the entities, and the edges of these properties that are passed in so many steps away from them."""
        ...

    def edges_between(self, numbers: Sequence[int], others: Sequence[int], /) -> list[Edge]: ...
    def leaving(self, numbers: Sequence[int], /) -> list[tuple[int, int]]:
        """Pairs `(a, b)`: a statement about one of the entities `a` has the entity `b` as its object."""
        ...

    def climb(self, numbers: Sequence[int], property_numbers: Sequence[int], /) -> list[Edge]: ...
    def degrees(self, numbers: Sequence[int], /) -> dict[int, int]:
        """How many edges touch each entity; 0 or nothing where that is not known."""
        ...

    def hubs(self) -> frozenset[int]: ...
    def literals(self, entity_ids: Sequence[str], /) -> list[Triplet]: ...
    def read_edges(self, edges: Sequence[Edge], /) -> dict[Edge, Triplet]: ...
