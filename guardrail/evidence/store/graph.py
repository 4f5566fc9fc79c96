"""The knowledge graph: entities, properties and statements in one file, read by many threads while one writes.

    graph = Graph.open("knowledge.db")
    graph.entity("Q937").label                       # 'Albert Einstein'
    graph.statements("Q937", "P69")                  # where he was educated, with qualifiers

Ids are those of the outside world (Wikidata's, or IRIs, or the names in a CSV). Writing goes through `Graph.write`,
one batch at a time; each batch gives the graph another `version`, which verdicts and caches carry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Self

from guardrail.evidence.knowledge import Edge, NameRow
from guardrail.evidence.properties.completeness import COMPLETE_LIST, names_all
from guardrail.evidence.store.batch import Batch
from guardrail.evidence.store.codec import local_key
from guardrail.evidence.store.database import Database, SqliteDatabase
from guardrail.evidence.store.name_search import found_by_name
from guardrail.evidence.store.packed import Known
from guardrail.evidence.store.property_memory import PropertyMemory, version_of
from guardrail.evidence.store.property_record import SELECT_MORE, more_of
from guardrail.evidence.store.rows import (
    SELECT_ENTITY,
    SELECT_NAMED,
    SELECT_NAMES,
    SELECT_PROPERTY,
    SELECT_STATEMENT,
    entity_of,
    name_row_of,
    new_entity_of,
    written_property_of,
)
from guardrail.evidence.store.statements import StatementReader
from guardrail.evidence.store.writes import NewEntity
from guardrail.types import Entity, Node, Property, Triplet

_MOST_INCOMING = 2_000
"""Edges that arrive at one entity and are looked at."""
# What stands around entities in one question, as each round trip to a server costs more than the rows. An edge of property 0
# gives the number of the entity that was asked for in this place.
_LEAVING = (
    "SELECT e.a, e.p, e.b, e.k FROM entity n JOIN edge e ON e.a = n.n WHERE n.id IN ANY_TEXT(?) AND e.p > 0"
)
_ARRIVING = (
    " UNION ALL SELECT * FROM (SELECT a, p, b, k FROM edge WHERE a = (SELECT n FROM entity WHERE id = ?) AND p < 0"
    " ORDER BY p, b, k LIMIT ?) AS x UNION ALL SELECT n, 0, {place:d}, 0 FROM entity WHERE id = ?"
)
# Breadth first from some entities, whose numbers come as edges of property 0. Behind the limits the rest is left out.
_UPWARD = """
WITH RECURSIVE up (n, level) AS (
    SELECT n, 0 FROM entity WHERE id IN ANY_TEXT(?)
    UNION SELECT e.b, up.level + 1 FROM up JOIN edge e ON e.a = up.n WHERE up.level < ? AND e.p IN ANY_INT(?)
), within (n) AS (SELECT DISTINCT n FROM (SELECT n FROM up LIMIT ?) AS nearest)
SELECT * FROM (SELECT e.a, e.p, e.b, e.k, '' FROM within JOIN edge e ON e.a = within.n WHERE e.p IN ANY_INT(?) LIMIT ?) AS x
UNION ALL SELECT n, 0, n, 0, id FROM entity WHERE id IN ANY_TEXT(?)"""
_MOST_UPWARD = 5_000

__all__ = ["Edge", "Graph", "NewEntity", "Stats"]


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a graph holds."""

    entities: int
    properties: int
    statements: int
    edges: int
    aliases: int
    version: str


class Graph:
    """A knowledge graph in an SQL database. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._properties = PropertyMemory(database)
        self._statements = StatementReader(database, self._properties)
        self._hubs: tuple[str, frozenset[int]] | None = None

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = True) -> Self:
        """The knowledge file at `path`. Raises KnowledgeMissing or KnowledgeDamaged."""
        return cls(SqliteDatabase.open(Path(path), read_only=read_only))

    @classmethod
    def create(cls, path: Path | str) -> Self:
        """An empty knowledge file at `path`, open for writing. Raises KnowledgeError where there is one already."""
        return cls(SqliteDatabase.create(Path(path)))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Where the graph lives: the path of its file, or the address of its server."""
        return self._database.name

    @property
    def database(self) -> Database:
        return self._database

    @property
    def version(self) -> str:
        """Changes with every batch that is written: "id of the file.number of the batch"."""
        return version_of(self._database)

    @property
    def recent_version(self) -> str:
        """The version as it was at most a moment ago: for what is remembered between questions."""
        return self._properties.table().version

    # ── entities ──────────────────────────────────────────────────────────────────────────────────────

    def entity(self, entity_id: str) -> Entity | None:
        rows = self._database.rows(SELECT_ENTITY + "WHERE id = ?", (entity_id,))
        return entity_of(rows[0]) if rows else None

    def entities(self, numbers: Sequence[int]) -> dict[int, Entity]:
        """Entities by row number."""
        rows = self._database.rows(SELECT_ENTITY + "WHERE n IN ANY_INT(?)", (numbers,))
        return {row[0]: entity_of(row) for row in rows}

    def numbers(self, entity_ids: Iterable[str]) -> dict[str, int]:
        """Row numbers of the ids that the graph knows."""
        rows = self._database.rows("SELECT id, n FROM entity WHERE id IN ANY_TEXT(?)", (list(entity_ids),))
        return dict(rows)

    def nodes(self, numbers: Sequence[int]) -> dict[int, Node]:
        rows = self._database.rows("SELECT n, id, label FROM entity WHERE n IN ANY_INT(?)", (numbers,))
        return {n: Node(entity_id, label) for n, entity_id, label in rows}

    def degrees(self, numbers: Sequence[int]) -> dict[int, int]:
        """How many edges touch each entity."""
        return dict(self._database.rows("SELECT n, degree FROM entity WHERE n IN ANY_INT(?)", (numbers,)))

    def aliases(self, entity_id: str) -> tuple[str, ...]:
        """Every name of the entity but its label, in alphabetical order."""
        rows = self._database.rows(
            "SELECT text FROM alias JOIN entity ON n = entity WHERE id = ? AND kind = 1 ORDER BY text",
            (entity_id,),
        )
        return tuple(text for (text,) in rows)

    def named(self, names: Mapping[str, Sequence[str]]) -> list[NameRow]:
        """Entities that have one of these names, by key; how the text writes them does not matter here."""
        rows = self._database.rows(SELECT_NAMED, (list(names),))
        return list(map(name_row_of, rows))

    def own_names(self, most: int) -> list[NameRow]:
        """Every name, if there are at most so many and it is not told how well known things are; else none."""
        rows = [name_row_of(row) for row in self._database.rows(SELECT_NAMES, (most + 1,))]
        return rows if len(rows) <= most and not any(row.popularity for row in rows) else []

    def own_statements(self, most: int) -> list[Triplet]:
        """Every statement, if there are at most so many and it is not told how well known things are; else none."""
        many = self._database.rows("SELECT 1 FROM statement LIMIT ?", (most + 1,))
        famous = self._database.rows("SELECT 1 FROM entity WHERE popularity <> 0 LIMIT 1", ())
        if len(many) > most or famous:
            return []
        return [statement for statements in self.subjects() for statement in statements]

    def begun(self, keys: Sequence[str]) -> list[str]:
        """Those of the keys that are names or the first words of one."""
        rows = self._database.rows(
            "SELECT value FROM EACH_TEXT(?) WHERE EXISTS"
            " (SELECT 1 FROM alias WHERE alias.key >= value AND alias.key < value || '!')",  # the sign after the space
            (keys,),
        )
        return [key for (key,) in rows]

    def search(self, text: str, limit: int = 10) -> list[Entity]:
        """The entity of this id, then those of this name, those whose name begins with it, and those in whose name a word does."""
        exact = self.entity(text.strip())
        found = found_by_name(self._database, text, limit)
        by_number = self.entities(found)
        named = [by_number[n] for n in found]
        return [exact, *(e for e in named if e.id != exact.id)][:limit] if exact else named

    # ── properties ────────────────────────────────────────────────────────────────────────────────────

    def property(self, property_id: str) -> Property | None:
        return self._properties.of_id(property_id)

    def properties(self) -> list[Property]:
        return list(self._properties.table(fresh=True).by_id.values())

    def written_properties(self) -> list[Property]:
        """All properties as they were written: without what was only measured or is known of them beforehand."""
        rows, said = self._database.rows(SELECT_PROPERTY), more_of(self._database.rows(SELECT_MORE))
        return [written_property_of(row, said.get(row[1], {})) for row in rows]

    def alike(self, property_id: str) -> tuple[Property, ...]:
        return self._properties.table().alike(property_id)

    def playing(self, parts: Sequence[str]) -> tuple[str, ...]:
        return self._properties.table().playing(parts)

    def property_at(self, number: int) -> Property:
        """The property of a row number."""
        return self._properties.of_number(number)

    def property_number(self, property_id: str) -> int | None:
        return self._properties.number(property_id)

    # ── statements ────────────────────────────────────────────────────────────────────────────────────

    def statements(self, subject_id: str, property_id: str | None = None) -> list[Triplet]:
        """What the graph says of the subject; preferred statements first, deprecated ones last."""
        if property_id is None:
            return self._statements.where("s.id = ? ORDER BY t.rank, t.p, t.k", [subject_id])
        number = self.property_number(property_id)
        if number is None:
            return []
        return self._statements.where("s.id = ? AND t.p = ? ORDER BY t.rank, t.k", [subject_id, number])

    def complete(self, subject_id: str, property_id: str) -> bool:
        """Whether the graph says that it names every value of the property that the subject has (completeness.py).

        With "^" before the id: every subject that has the entity as its value.
        """
        if COMPLETE_LIST.id not in self._properties.table().by_id:
            return False  # as in most graphs: this costs no question
        return names_all(self.statements(subject_id, COMPLETE_LIST.id), property_id)

    def incoming(self, object_id: str, property_id: str | None = None, *, limit: int = 100) -> list[Triplet]:
        """Statements that have the entity as their object, of well-known subjects first.

        At a hub only the first `_MOST_INCOMING` are looked at: a million people need not be sorted.
        """
        number = None if property_id is None else self.property_number(property_id)
        if property_id is not None and number is None:
            return []
        by_property = "p < 0" if number is None else f"p = {-number}"
        rows = self._database.rows(
            "SELECT e.a, e.p, e.b, e.k FROM (SELECT a, p, b, k FROM edge"
            f" WHERE a = (SELECT n FROM entity WHERE id = ?) AND {by_property} ORDER BY a, p, b, k LIMIT ?) AS e"
            " JOIN entity s ON s.n = e.b ORDER BY s.degree DESC, e.p DESC, e.b, e.k LIMIT ?",
            (object_id, max(limit, _MOST_INCOMING), limit),
        )
        edges = list(map(Edge._make, rows))
        found = self.read_edges(edges)
        return [found[edge] for edge in edges if edge in found]

    def statement(self, statement: str) -> Triplet | None:
        """The statement of this id, as `Triplet.id` gives it."""
        place = local_key(statement)
        if place is None:
            return None
        found = self._statements.where("s.id = ? AND t.k = ?", [*place])
        return found[0] if found else None

    def everything(self) -> Iterator[list[NewEntity]]:
        """All entities as they were written, in the order in which they came, some at a time: memory stays flat."""
        after = 0
        while rows := self._database.rows(SELECT_ENTITY + "WHERE n > ? ORDER BY n LIMIT 1000", (after,)):
            after = rows[-1][0]
            by_entity: dict[int, list[tuple[str, str, int]]] = {}
            found = self._database.rows(
                "SELECT entity, text, language, kind FROM alias WHERE entity IN ANY_INT(?) ORDER BY entity, text",
                ([row[0] for row in rows],),
            )
            for n, *name in found:
                by_entity.setdefault(n, []).append((name[0], name[1], name[2]))
            yield [new_entity_of(row, by_entity.get(row[0], [])) for row in rows]

    def subjects(self) -> Iterator[list[Triplet]]:
        """The statements of every entity that has some, in the order in which the entities came; memory stays flat."""
        after = 0
        while rows := self._database.rows("SELECT n FROM entity WHERE n > ? ORDER BY n LIMIT 1000", (after,)):
            after = rows[-1][0]
            numbers = [n for (n,) in rows]
            found = self._statements.where("t.s IN ANY_INT(?) ORDER BY t.s, t.p, t.k", [numbers])
            yield from (list(group) for _, group in groupby(found, key=lambda triplet: triplet.subject.id))

    def read_edges(self, edges: Sequence[Edge]) -> dict[Edge, Triplet]:
        """The statements behind edges, each by its edge."""
        places = {e: (e.a, e.p, e.k) if e.p > 0 else (e.b, -e.p, e.k) for e in edges}
        if not places:
            return {}
        asked = list(dict.fromkeys(places.values()))
        asked += asked[-1:] * (
            (1 << (len(asked) - 1).bit_length()) - len(asked)
        )  # few forms: each is planned once
        listed = ", ".join(["(?, ?, ?)"] * len(asked))
        rows = self._database.rows(
            f"WITH w (s, p, k) AS (VALUES {listed}) {SELECT_STATEMENT} JOIN w ON (t.s, t.p, t.k) = (w.s, w.p, w.k)",
            [number for place in asked for number in place],
        )
        found = {row[:3]: triplet for row, triplet in zip(rows, self._statements.triplets(rows), strict=True)}
        return {edge: found[place] for edge, place in places.items() if place in found}

    # ── edges, by row number: what path finding walks on ──────────────────────────────────────────────

    def around(self, entity_ids: Sequence[str], *, incoming: int) -> tuple[dict[str, int], list[Edge]]:
        """Numbers of the entities, and their edges: all that leave each, and at most `incoming` of those that arrive."""
        asked = list(dict.fromkeys(entity_ids))
        if not asked:
            return {}, []
        sql = _LEAVING + "".join(_ARRIVING.format(place=place) for place in range(len(asked)))
        limits = [parameter for entity_id in asked for parameter in (entity_id, incoming, entity_id)]
        rows = self._database.rows(sql, [asked, *limits])
        numbers = {asked[place]: n for n, p, place, _ in rows if not p}
        return numbers, [Edge._make(row) for row in rows if row[1]]

    def upward(
        self, entity_ids: Sequence[str], property_numbers: Sequence[int], hops: int
    ) -> tuple[dict[str, int], list[Edge]]:
        """Numbers of the entities, and the edges of these properties that are passed in so many steps away from them."""
        ids, by, most = list(entity_ids), list(property_numbers), _MOST_UPWARD
        rows = self._database.rows(_UPWARD, [ids, hops - 1, by, most, by, most, ids])
        numbers = {entity_id: a for a, p, _, _, entity_id in rows if not p}
        return numbers, [Edge(a, p, b, k) for a, p, b, k, _ in rows if p]

    def edges_between(self, numbers: Sequence[int], others: Sequence[int]) -> list[Edge]:
        """Edges that leave one of `numbers` and arrive at one of `others`."""
        rows = self._database.rows(
            "SELECT a, p, b, k FROM edge WHERE a IN ANY_INT(?) AND p > 0 AND b IN (SELECT value FROM EACH_INT(?))",
            (list(numbers), list(others)),
        )
        return list(map(Edge._make, rows))

    def leaving(self, numbers: Sequence[int]) -> list[tuple[int, int]]:
        """Both ends of every edge that leaves one of the entities."""
        rows = self._database.rows(
            "SELECT a, b FROM EACH_INT(?) CROSS JOIN edge WHERE a = value AND p > 0", (list(numbers),)
        )
        return [(a, b) for a, b in rows]

    def climb(self, numbers: Sequence[int], property_numbers: Sequence[int]) -> list[Edge]:
        """Edges of these properties that leave the entities."""
        rows = self._database.rows(
            "SELECT a, p, b, k FROM edge WHERE a IN ANY_INT(?) AND p IN ANY_INT(?)",
            (list(numbers), list(property_numbers)),
        )
        return list(map(Edge._make, rows))

    def hubs(self) -> frozenset[int]:
        """Entities with a thousand edges or more: "human", "United States"."""
        version = self.recent_version
        if self._hubs is None or self._hubs[0] != version:
            rows = self._database.rows("SELECT n FROM entity WHERE degree >= 1000")
            self._hubs = version, frozenset(n for (n,) in rows)
        return self._hubs[1]

    def literals(self, entity_ids: Sequence[str]) -> list[Triplet]:
        """Statements of the entities whose objects are literals."""
        return self._statements.where(
            "s.id IN ANY_TEXT(?) AND t.o IS NULL ORDER BY t.s, t.rank, t.p, t.k", (list(entity_ids),)
        )

    # ── the whole ─────────────────────────────────────────────────────────────────────────────────────

    def stats(self) -> Stats:
        count = {
            table: self._database.rows(f"SELECT COUNT(*) FROM {table}")[0][0]
            for table in ("entity", "property", "statement", "edge", "alias")
        }
        return Stats(
            count["entity"],
            count["property"],
            count["statement"],
            count["edge"] // 2,
            count["alias"],
            self.version,
        )

    @contextmanager
    def write(self, *, settle: bool = True, known: Known | None = None) -> Iterator[Batch]:
        """A batch that is written as a whole when the block ends, and not at all when it raises.

        `settle=False` leaves degrees and measured cardinality to a later `settle()`: for imports of many batches.
        These may share what they learn of row numbers in `known`.
        """
        try:
            with self._database.transaction() as cursor:
                batch = Batch(cursor, settle=settle, known=known)
                yield batch
                batch.finish()
            self._properties.forget()
        except BaseException:
            if known is not None:
                known.clear()  # numbers that were never written
            raise
