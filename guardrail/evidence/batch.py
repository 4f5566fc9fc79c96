"""One batch of changes to the graph: all of it is written, or nothing.

Rows are resolved and written some thousand at a time, each group in the order of the tables' keys: that is what makes
large imports fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

from guardrail.errors import KnowledgeError
from guardrail.evidence import names, ontology
from guardrail.evidence.codec import RANKS, identity, local_key, pack_qualifiers, pack_value
from guardrail.evidence.database import Cursor, Row
from guardrail.types import Entity, Node, Property, Triplet, Value

GROUP = 20_000
_REMEMBERED = 500_000
"""Ids whose row numbers a batch keeps in memory (about 60 MB)."""

T = TypeVar("T")
_StatementRow = tuple[int, int, int, int | None, str | None, str | None, int, int, str | None]

_ADD_ENTITY = """
INSERT INTO entity (n, id, label, description, types, popularity, degree, gender, url)
VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (id) DO UPDATE SET
    label = excluded.label,
    description = CASE WHEN excluded.description = '' THEN entity.description ELSE excluded.description END,
    types = CASE WHEN excluded.types = '' THEN entity.types ELSE excluded.types END,
    popularity = CASE WHEN excluded.popularity = 0 THEN entity.popularity ELSE excluded.popularity END,
    gender = CASE WHEN excluded.gender = '' THEN entity.gender ELSE excluded.gender END,
    url = COALESCE(excluded.url, entity.url)
"""
_ADD_PROPERTY = """
INSERT INTO property (n, id, label, aliases, datatype, cardinality, inverse, symmetric, temporal, hierarchical,
                      single_ratio, complete)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    label = excluded.label, aliases = excluded.aliases, datatype = excluded.datatype,
    cardinality = excluded.cardinality, inverse = excluded.inverse, symmetric = excluded.symmetric,
    temporal = excluded.temporal, hierarchical = excluded.hierarchical, complete = excluded.complete,
    single_ratio = COALESCE(excluded.single_ratio, property.single_ratio)
"""
_ADD_STATEMENT = """
INSERT INTO statement (s, p, k, o, value, qualifiers, rank, source, local) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (s, p, k) DO UPDATE SET o = excluded.o, value = excluded.value, qualifiers = excluded.qualifiers,
    rank = excluded.rank, source = excluded.source, local = excluded.local
"""
_ADD_EDGE = "INSERT INTO edge (a, p, b, k) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_ADD_ALIAS = """
INSERT INTO alias (key, entity, text, language, kind) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key, entity, text) DO UPDATE SET kind = MIN(alias.kind, excluded.kind)
"""


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity to be written, with its further names. `language` is that of label and aliases."""

    entity: Entity
    aliases: tuple[str, ...] = ()
    language: str = "en"


class Batch:
    """Collects nothing: every call writes, inside the transaction that `Graph.write` holds open."""

    def __init__(self, cursor: Cursor, *, settle: bool) -> None:
        self._cursor, self._settle = cursor, settle
        self._entities: dict[str, int] = {}
        self._properties: dict[str, int] = dict(cursor.rows("SELECT id, n FROM property"))
        self._sources: dict[tuple[str, str], int] = {}
        self._next = cursor.rows("SELECT COALESCE(MAX(n), 0) + 1 FROM entity")[0][0]
        self._touched: set[int] = set()
        self.changed = 0

    # ── adding ────────────────────────────────────────────────────────────────────────────────────────

    def add_entities(self, entities: Iterable[NewEntity]) -> None:
        """Writes entities and their names; one that is there already gets the new label, and keeps what is not given.

        Raises KnowledgeError for an empty id or a name longer than `names.LONGEST_NAME`.
        """
        for group in _groups(entities):
            for new in group:
                _examine(new)
            known = self._known(new.entity.id for new in group)
            renamed = [(known[new.entity.id],) for new in group if new.entity.id in known]
            self._cursor.many("UPDATE alias SET kind = 1 WHERE entity = ? AND kind = 0", renamed)
            numbers = self._number([new.entity.id for new in group])
            self._cursor.many(_ADD_ENTITY, [_entity_row(numbers[n.entity.id], n.entity) for n in group])
            self._cursor.many(_ADD_ALIAS, sorted(set(_alias_rows(group, numbers))))
            self.changed += len(group)

    def add_properties(self, properties: Iterable[Property]) -> None:
        """Writes properties; what is curated for a Wikidata property is added to what is given."""
        for given in properties:
            if not given.id:
                raise KnowledgeError("a property needs an id")
            number = self._properties.setdefault(given.id, len(self._properties) + 1)
            known = ontology.with_curation(given)
            self._cursor.many(_ADD_PROPERTY, [_property_row(number, known)])
            self.changed += 1

    def add_statements(self, statements: Iterable[Triplet]) -> None:
        """Writes statements; entities and properties they name are made where the graph has none of that id.

        The same statement (its id, else its object and qualifiers) stays one.
        """
        for group in _groups(statements):
            self._make_nodes(group)
            self._make_properties(group)
            rows, edges = [], []
            for triplet in group:
                row = self._statement_row(triplet)
                rows.append(row)
                s, p, k, o = row[:4]
                if o is not None:
                    edges += [(s, p, o, k), (o, -p, s, k)]
            self._drop_former([row for row in rows if row[-1] is not None])
            rows.sort(key=lambda row: row[:3])
            edges.sort()
            self._cursor.many(_ADD_STATEMENT, rows)
            self._cursor.many(_ADD_EDGE, edges)
            if self._settle:
                self._touched.update(edge[0] for edge in edges)
            self._derive(group)
            self.changed += len(group)

    def retract(self, statement_ids: Iterable[str]) -> int:
        """Removes statements by their ids; says how many were there."""
        removed = 0
        for statement in statement_ids:
            place = local_key(statement)
            if place is None:
                continue
            rows = self._cursor.rows(
                "SELECT s, p, k, o FROM statement JOIN entity ON n = s WHERE id = ? AND k = ?", place
            )
            self._delete(rows)
            removed += len(rows)
        self.changed += removed
        return removed

    # ── the end of a batch ────────────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        """Brings degrees up to date and gives the graph its next version. Called by `Graph.write`."""
        if self._touched:
            self._cursor.many(
                "UPDATE entity SET degree = (SELECT COUNT(*) FROM edge WHERE a = entity.n) WHERE n = ?",
                [(n,) for n in sorted(self._touched)],
            )
        if self.changed:
            self._cursor.rows(
                "UPDATE meta SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'version'"
            )

    def settle(self) -> None:
        """Counts every degree anew and measures every property's cardinality: the end of a large import."""
        self._cursor.rows(
            "UPDATE entity SET degree = counted.degree"
            " FROM (SELECT a, COUNT(*) AS degree FROM edge GROUP BY a) AS counted WHERE counted.a = entity.n"
        )
        rows = self._cursor.rows(
            "SELECT p, COUNT(*), SUM(CASE WHEN c = 1 THEN 1 ELSE 0 END) FROM"
            " (SELECT s, p, COUNT(*) AS c FROM statement WHERE rank < 2 GROUP BY s, p) AS per_subject GROUP BY p"
        )
        measured = [
            (single / subjects, p) for p, subjects, single in rows if subjects >= ontology.MEASURED_FROM
        ]
        self._cursor.many("UPDATE property SET single_ratio = ? WHERE n = ?", measured)
        self._cursor.many(
            "UPDATE property SET cardinality = ? WHERE n = ? AND cardinality = 'unknown'",
            [("single" if ratio >= ontology.SINGLE_FROM else "list", p) for ratio, p in measured],
        )
        self._touched.clear()
        self.changed += 1

    # ── rows ──────────────────────────────────────────────────────────────────────────────────────────

    def _statement_row(self, triplet: Triplet) -> _StatementRow:
        item = triplet.object
        k, local = identity(triplet)
        return (
            self._entities[triplet.subject.id],
            self._properties[triplet.predicate.id],
            k,
            self._entities[item.id] if isinstance(item, Node) else None,
            pack_value(item) if isinstance(item, Value) else None,
            pack_qualifiers(triplet.qualifiers),
            RANKS.index(triplet.rank),
            self._source(triplet.source, triplet.as_of),
            local,
        )

    def _drop_former(self, rows: Sequence[_StatementRow]) -> None:
        """A statement with an id of its own may come back with another object: its former edges go."""
        if not rows:
            return
        former = self._cursor.rows(
            "SELECT s, p, k, o FROM statement WHERE s IN ANY_INT(?) AND local IS NOT NULL",
            (sorted({row[0] for row in rows}),),
        )
        now = {(row[0], row[2]): (row[1], row[3]) for row in rows}
        self._delete([(s, p, k, o) for s, p, k, o in former if now.get((s, k), (p, o)) != (p, o)])

    def _delete(self, rows: Iterable[Row]) -> None:
        for s, p, k, o in rows:
            self._cursor.many("DELETE FROM statement WHERE s = ? AND p = ? AND k = ?", [(s, p, k)])
            if o is not None:
                ends = [(s, p, o, k), (o, -p, s, k)]
                self._cursor.many("DELETE FROM edge WHERE a = ? AND p = ? AND b = ? AND k = ?", ends)
                self._touched.update((s, o))

    def _make_nodes(self, group: Sequence[Triplet]) -> None:
        labels = {t.subject.id: t.subject.label for t in group}
        labels |= {t.object.id: t.object.label for t in group if isinstance(t.object, Node)}
        if "" in labels:
            raise KnowledgeError("a statement needs a subject and an object")
        known = self._known(labels)
        new = {i: label for i, label in labels.items() if i not in known}
        if not new:
            return
        numbers = self._number(list(new))
        fresh = [NewEntity(Entity(i, label or i)) for i, label in new.items()]
        for entity in fresh:
            _examine(entity)
        self._cursor.many(_ADD_ENTITY, [_entity_row(numbers[e.entity.id], e.entity) for e in fresh])
        named = [e for e in fresh if e.entity.label != e.entity.id]
        self._cursor.many(_ADD_ALIAS, sorted(_alias_rows(named, numbers)))

    def _make_properties(self, group: Sequence[Triplet]) -> None:
        used = ((t.predicate, t.object) for t in group)
        qualifying = ((q.predicate, q.object) for t in group for q in t.qualifiers)
        for predicate, item in chain(used, qualifying):
            if predicate.id in self._properties:
                continue
            datatype = item.datatype if isinstance(item, Value) else "entity"
            self.add_properties([Property(predicate.id, predicate.label or predicate.id, datatype=datatype)])

    def _derive(self, group: Sequence[Triplet]) -> None:
        """Types and gender stand in the entity's row too, where the linker reads them."""
        types: list[tuple[str, str, int, str]] = []
        genders: list[tuple[str, int]] = []
        for triplet in group:
            if triplet.predicate.id not in (ontology.TYPE, ontology.GENDER) or not isinstance(
                triplet.object, Node
            ):
                continue
            number, value = self._entities[triplet.subject.id], triplet.object.id
            if triplet.predicate.id == ontology.TYPE:
                types.append((value, value, number, value))
            elif value in ontology.MALE | ontology.FEMALE:
                genders.append(("m" if value in ontology.MALE else "f", number))
        self._cursor.many(
            "UPDATE entity SET types = CASE WHEN types = '' THEN ? ELSE types || '\n' || ? END"
            " WHERE n = ? AND '\n' || types || '\n' NOT LIKE '%\n' || ? || '\n%'",
            types,
        )
        self._cursor.many("UPDATE entity SET gender = ? WHERE n = ?", genders)

    def _source(self, name: str, as_of: str) -> int:
        number = self._sources.get((name, as_of))
        if number is None:
            rows = self._cursor.rows("SELECT n FROM source WHERE name = ? AND as_of = ?", (name, as_of))
            if not rows:
                rows = self._cursor.rows("SELECT COALESCE(MAX(n), 0) + 1 FROM source")
                self._cursor.many("INSERT INTO source VALUES (?, ?, ?)", [(rows[0][0], name, as_of)])
            number = self._sources[name, as_of] = rows[0][0]
        return number

    def _known(self, ids: Iterable[str]) -> Mapping[str, int]:
        """Row numbers of those ids that are in the graph."""
        if len(self._entities) > _REMEMBERED:
            self._entities.clear()
        wanted = set(ids)
        missing = [i for i in wanted if i not in self._entities]
        if missing:
            found = self._cursor.rows("SELECT id, n FROM entity WHERE id IN ANY_TEXT(?)", (missing,))
            self._entities.update(found)
        return {i: self._entities[i] for i in wanted if i in self._entities}

    def _number(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Row numbers of `ids`, all of which `_known` has seen: new ones get the next free number."""
        for entity_id in ids:
            if entity_id not in self._entities:
                self._entities[entity_id] = self._next
                self._next += 1
        return self._entities


def _groups(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while group := list(islice(iterator, GROUP)):
        yield group


def _examine(new: NewEntity) -> None:
    if not new.entity.id:
        raise KnowledgeError("an entity needs an id")
    for name in (new.entity.label, *new.aliases):
        if len(name) > names.LONGEST_NAME:
            raise KnowledgeError(
                f"{new.entity.id}: a name of {len(name)} characters, the limit is {names.LONGEST_NAME}"
            )


def _entity_row(number: int, entity: Entity) -> tuple[int, str, str, str, str, float, str, str | None]:
    types = "\n".join(entity.types)
    label = entity.label or entity.id
    return number, entity.id, label, entity.description, types, entity.popularity, entity.gender, entity.url


def _property_row(number: int, known: Property) -> tuple[int | float | str | None, ...]:
    return (
        number,
        known.id,
        known.label or known.id,
        "\n".join(known.aliases),
        known.datatype,
        known.cardinality,
        known.inverse,
        int(known.symmetric),
        int(known.temporal),
        int(known.hierarchical),
        known.single_ratio,
        int(known.complete),
    )


def _alias_rows(
    group: Sequence[NewEntity], numbers: Mapping[str, int]
) -> Iterator[tuple[str, int, str, str, int]]:
    for new in group:
        number, label = numbers[new.entity.id], new.entity.label
        for text in (label, *new.aliases):
            if folded := names.key(text):
                yield folded, number, text, new.language, int(text != label)
