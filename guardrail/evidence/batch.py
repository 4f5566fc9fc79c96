"""One batch of changes to the graph: all of it is written, or nothing.

Rows are resolved and written some thousand at a time, each group in the order of the tables' keys: that is what makes
large imports fast.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import TypeVar

import numpy as np

from guardrail.errors import KnowledgeError
from guardrail.evidence import names, ontology
from guardrail.evidence.codec import (
    RANKS,
    identity,
    local_key,
    pack_qualifiers,
    pack_value,
)
from guardrail.evidence.database import Cursor, Row
from guardrail.evidence.iris import is_name, readable, relation_name
from guardrail.evidence.packed import Packed, key_order, literal_texts, rows_of
from guardrail.evidence.settle import settle
from guardrail.evidence.writes import (
    ADD_ALIAS,
    ADD_EDGE,
    ADD_ENTITY,
    ADD_PLAIN,
    ADD_PROPERTY,
    ADD_STATEMENT,
    NewEntity,
    alias_rows,
    entity_row,
    examine,
    property_row,
)
from guardrail.types import Node, Property, Triplet, Value

GROUP = 20_000
_REMEMBERED = 500_000
"""Ids whose row numbers a batch keeps in memory (about 60 MB)."""

T = TypeVar("T")
_StatementRow = tuple[int, int, int, int | None, str | None, str | None, int, int, str | None]


class Batch:
    """Collects nothing: every call writes, inside the transaction that `Graph.write` holds open."""

    def __init__(self, cursor: Cursor, *, settle: bool, known: dict[str, int] | None = None) -> None:
        self._cursor, self._settle = cursor, settle
        self._entities = {} if known is None else known
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
                examine(new)
            self._look_up({new.entity.id for new in group})
            renamed = [(self._entities[n.entity.id],) for n in group if n.entity.id in self._entities]
            self._cursor.many("UPDATE alias SET kind = 1 WHERE entity = ? AND kind = 0", renamed)
            numbers = self._number([new.entity.id for new in group])
            self._cursor.many(ADD_ENTITY, [entity_row(numbers[n.entity.id], n.entity) for n in group])
            self._cursor.many(ADD_ALIAS, sorted(set(alias_rows(group, numbers))))
            self.changed += len(group)

    def add_properties(self, properties: Iterable[Property]) -> None:
        """Writes properties; what is curated for a Wikidata property is added to what is given."""
        for given in properties:
            if not given.id:
                raise KnowledgeError("a property needs an id")
            number = self._properties.setdefault(given.id, len(self._properties) + 1)
            known = ontology.with_curation(given)
            self._cursor.many(ADD_PROPERTY, [property_row(number, known)])
            self.changed += 1

    def add_statements(self, statements: Iterable[Triplet]) -> None:
        """Writes statements; entities and properties they name are made where the graph has none of that id.

        The same statement (its id, else its object and qualifiers) stays one.
        """
        for group in _groups(statements):
            labels = {t.subject.id: t.subject.label for t in group}
            labels |= {t.object.id: t.object.label for t in group if isinstance(t.object, Node)}
            self._make_entities(labels)
            self._make_properties(group)
            changing = sorted({t.predicate.id for t in group if ontology.changes(t)})
            self._cursor.many("UPDATE property SET is_temporal = 1 WHERE id = ?", [(p,) for p in changing])
            rows = [self._statement_row(triplet) for triplet in group]
            self._drop_former([row for row in rows if row[-1] is not None])
            self._write(rows)
            self._derive(
                (t.subject.id, t.predicate.id, t.object.id) for t in group if isinstance(t.object, Node)
            )

    def add_packed(self, packed: Packed, *, source: str = "", as_of: str = "") -> None:
        """As `add_statements`, for statements without qualifiers, ranks and ids in columns: the fast lane of imports."""
        if not len(packed):
            return
        self._make_entities(dict.fromkeys(packed.ids, ""))
        for predicate, datatype in zip(packed.predicates, packed.datatypes, strict=True):
            if predicate not in self._properties:
                self._make_property(Node(predicate, ""), datatype)
        entities = np.array([self._entities[i] for i in packed.ids], dtype=np.int64)
        properties = np.array([self._properties[p] for p in packed.predicates], dtype=np.int64)
        s, p, linked = entities[packed.subject], properties[packed.predicate], packed.object >= 0
        o = np.where(linked, entities[packed.object.clip(0)], packed.object)
        order = key_order(s, p)
        objects = o[order].tolist()
        ends = [item if item > 0 else None for item in objects]
        rows = zip(
            *(column[order].tolist() for column in (s, p, packed.k)),
            ends,
            literal_texts(objects, packed.values),
            strict=True,
        )
        self._cursor.many(ADD_PLAIN.format(source=self._source(source, as_of)), rows)
        s, p, o, k = s[linked], p[linked], o[linked], packed.k[linked]
        a, by, b, twice = (np.concatenate(x) for x in ((s, o), (p, -p), (o, s), (k, k)))
        self._cursor.many(ADD_EDGE, rows_of(key_order(a, by), a, by, b, twice))
        if self._settle:
            self._touched.update(np.unique(a).tolist())
        self._derive_packed(packed)
        self.changed += len(packed)

    def _derive_packed(self, packed: Packed) -> None:
        ids = packed.ids
        for place, predicate in enumerate(packed.predicates):
            if predicate in ontology.TYPES or predicate == ontology.GENDER:
                of_it = (packed.predicate == place) & (packed.object >= 0)
                ends = zip(packed.subject[of_it].tolist(), packed.object[of_it].tolist(), strict=True)
                self._derive((ids[s], predicate, ids[o]) for s, o in ends)

    def add_names(self, found: Iterable[tuple[str, str, str, str, str]]) -> None:
        """Writes names that come apart from their entities.

        Each is (id, text, language, "label", "alias" or "description", key); an empty key is found here.
        """
        for group in _groups(found):
            named = {entity_id: text for entity_id, text, _, kind, _ in group if kind == "label"}
            new = self._make_entities({entity_id: "" for entity_id, *_ in group} | named, named=named)
            aliases, descriptions = [], []
            labels = {self._entities[i]: text for i, text in named.items() if i not in new}
            for entity_id, text, language, kind, key in group:
                number = self._entities[entity_id]
                if kind == "description":
                    descriptions.append((text, number))
                    continue
                if len(text) > names.LONGEST_NAME:
                    raise KnowledgeError(f"{entity_id}: a name of {len(text)} characters")
                if folded := key or names.key(text):
                    aliases.append(
                        (folded, number, text, language or "und", int(named.get(entity_id) != text))
                    )
            # A name that was read from an IRI for want of a better one goes when a label comes.
            unnamed = [(self._entities[i],) for i, _, _, kind, _ in group if kind == "label" and ":" in i]
            self._cursor.many("DELETE FROM alias WHERE entity = ? AND language = ''", unnamed)
            self._cursor.many(
                "UPDATE alias SET kind = 1 WHERE entity = ? AND kind = 0", [(n,) for n in sorted(labels)]
            )
            self._cursor.many(
                "UPDATE entity SET label = ? WHERE n = ?", [(text, n) for n, text in sorted(labels.items())]
            )
            self._cursor.many("UPDATE entity SET description = ? WHERE n = ?", descriptions)
            self._cursor.many(ADD_ALIAS, sorted(set(aliases)))
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

    def note_import(self, file: str, progress: str) -> None:
        """Remembers how far a file has been imported, with the batch that has come so far."""
        self._cursor.many(
            "INSERT INTO import (file, progress) VALUES (?, ?)"
            " ON CONFLICT (file) DO UPDATE SET progress = excluded.progress",
            [(file, progress)],
        )

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
        """Counts every degree anew and measures every property: the end of a large import (settle.py)."""
        settle(self._cursor)
        self._cursor.measure()
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

    def _write(self, rows: list[_StatementRow]) -> None:
        """Statements and their edges, in the order of the tables' keys."""
        edges = []
        for s, p, k, o, *_ in rows:
            if o is not None:
                edges += [(s, p, o, k), (o, -p, s, k)]
        rows.sort(key=itemgetter(0, 1, 2))
        edges.sort()
        self._cursor.many(ADD_STATEMENT, rows)
        self._cursor.many(ADD_EDGE, edges)
        if self._settle:
            self._touched.update(edge[0] for edge in edges)
        self.changed += len(rows)

    def _make_entities(self, labels: Mapping[str, str], *, named: Container[str] = ()) -> Collection[str]:
        """Makes those of the entities that the graph has not: by this label, else one that can be read from the id.

        The names of those in `named` are written by the caller. Gives back which were made.
        """
        if "" in labels:
            raise KnowledgeError("a statement needs a subject and an object")
        new = [i for i in self._look_up(labels) if i not in self._entities]
        if not new:
            return ()
        numbers = self._number(new)
        rows, aliases = [], []
        for entity_id in new:
            label = labels[entity_id] or readable(entity_id)
            if len(label) > names.LONGEST_NAME:
                raise KnowledgeError(
                    f"{entity_id[:80]}: a name of {len(label)} characters, the limit is 1000"
                )
            rows.append((numbers[entity_id], entity_id, label, "", "", 0.0, "", None))
            if entity_id in named or (label == entity_id and not is_name(label)):
                continue
            if folded := names.key(label):
                aliases.append((folded, numbers[entity_id], label, "", 0))
        self._cursor.many(ADD_ENTITY, rows)
        self._cursor.many(ADD_ALIAS, sorted(aliases))
        return frozenset(new)

    def _make_properties(self, group: Sequence[Triplet]) -> None:
        used = ((t.predicate, t.object) for t in group)
        qualifying = ((q.predicate, q.object) for t in group for q in t.qualifiers)
        for predicate, item in chain(used, qualifying):
            if predicate.id not in self._properties:
                self._make_property(predicate, item.datatype if isinstance(item, Value) else "entity")

    def _make_property(self, predicate: Node, datatype: str) -> None:
        label = predicate.label or relation_name(predicate.id)
        self.add_properties([Property(predicate.id, label, datatype=datatype)])  # type: ignore[arg-type]

    def _derive(self, links: Iterable[tuple[str, str, str]]) -> None:
        """Types and gender stand in the entity's row too, where the linker reads them."""
        types: list[tuple[str, str, int, str]] = []
        genders: list[tuple[str, int]] = []
        for subject, predicate, value in links:
            if predicate in ontology.TYPES:
                types.append((value, value, self._entities[subject], value))
            elif predicate == ontology.GENDER and value in ontology.MALE | ontology.FEMALE:
                genders.append(("m" if value in ontology.MALE else "f", self._entities[subject]))
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

    def _look_up(self, ids: Iterable[str]) -> list[str]:
        """Brings the row numbers of `ids` into memory; gives back those ids that were not there before."""
        if len(self._entities) > _REMEMBERED:
            self._entities.clear()
        entities = self._entities
        missing = [i for i in ids if i not in entities]
        if missing:
            entities.update(self._cursor.rows("SELECT id, n FROM entity WHERE id IN ANY_TEXT(?)", (missing,)))
        return missing

    def _number(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Row numbers of `ids`, all of which `_look_up` has seen: new ones get the next free number."""
        for entity_id in ids:
            if entity_id not in self._entities:
                self._entities[entity_id] = self._next
                self._next += 1
        return self._entities


def _groups(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while group := list(islice(iterator, GROUP)):
        yield group
