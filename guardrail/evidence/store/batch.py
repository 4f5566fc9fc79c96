"""One batch of changes to the graph: all of it is written, or nothing.

Rows are resolved and written some thousand at a time, each group in the order of the tables' keys: that is what makes
large imports fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import TypeVar

import numpy as np

from guardrail.errors import KnowledgeError
from guardrail.evidence import names
from guardrail.evidence.properties import ontology
from guardrail.evidence.properties.iris import is_name, readable, relation_name
from guardrail.evidence.store.codec import RANKS, identity, local_key, pack_qualifiers, pack_value
from guardrail.evidence.store.database import Cursor, Row
from guardrail.evidence.store.packed import (
    Ints,
    Known,
    Packed,
    PackedNames,
    distinct_rows,
    key_order,
    rows_of,
)
from guardrail.evidence.store.property_record import add_more
from guardrail.evidence.store.settle import settle
from guardrail.evidence.store.writes import (
    ADD_ALIAS,
    ADD_EDGE,
    ADD_EDGES,
    ADD_ENTITY,
    ADD_LINK,
    ADD_LITERAL,
    ADD_NEW_ENTITY,
    ADD_PROPERTY,
    ADD_STATEMENT,
    NewEntity,
    add_rows,
    alias_rows,
    entity_row,
    examine,
    property_row,
)
from guardrail.types import Entity, Node, Property, Triplet, Value

GROUP = 20_000
_REMEMBERED = 500_000
"""Ids whose row numbers a batch keeps in memory (about 60 MB)."""

T = TypeVar("T")
_StatementRow = tuple[int, int, int, int | None, str | None, str | None, int, int, str | None]


class Batch:
    """Collects nothing: every call writes, inside the transaction that `Graph.write` holds open."""

    def __init__(self, cursor: Cursor, *, settle: bool, known: Known | None = None) -> None:
        self._cursor, self._settle = cursor, settle
        self._known = Known() if known is None else known
        self._entities = self._known.by_id
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

    def add_aliases(self, aliases: Iterable[tuple[str, str]]) -> None:
        """Writes other names of entities by their ids; an entity is made where the graph has none of that id.

        Raises KnowledgeError for an empty id or a name longer than `names.LONGEST_NAME`.
        """
        for group in _groups(aliases):
            self._make_entities({entity_id: "" for entity_id, _ in group})
            new = [NewEntity(Entity(entity_id, ""), (name,)) for entity_id, name in group]
            for one in new:
                examine(one)
            numbers = {entity_id: self._entities[entity_id] for entity_id, _ in group}
            self._cursor.many(ADD_ALIAS, sorted(set(alias_rows(new, numbers))))
            self.changed += len(group)

    def add_properties(self, properties: Iterable[Property]) -> None:
        """Writes properties; what is known of such an id beforehand is added to what is given."""
        for given in properties:
            if not given.id:
                raise KnowledgeError("a property needs an id")
            number = self._properties.setdefault(given.id, len(self._properties) + 1)
            known = ontology.with_curation(given)
            self._cursor.many(ADD_PROPERTY, [property_row(number, known)])
            add_more(self._cursor, given)
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
                (self._entities[t.subject.id], t.predicate.id, t.object.id)
                for t in group
                if isinstance(t.object, Node)
            )

    def add_packed(self, packed: Packed, *, source: str = "", as_of: str = "") -> None:
        """As `add_statements`, for statements without qualifiers, ranks and ids in columns, and for names that come apart
        from their entities: the fast lane of imports.

        What came before of the same columns must have been given to batches of the same `known`.
        """
        if not len(packed):
            return
        new_from = self._next
        self._place(packed)
        self._add_names(packed.names, new_from)
        for predicate, datatype in zip(packed.predicates, packed.datatypes, strict=True):
            if predicate not in self._properties:
                self._make_property(Node(predicate, ""), datatype)
        entities = self._known.at
        properties = np.array([self._properties[p] for p in packed.predicates], dtype=np.int64)
        s, p, linked = entities[packed.subject], properties[packed.predicate], packed.object >= 0
        self._add_literals(s[~linked], p[~linked], packed, source=self._source(source, as_of))
        s, p, o, k = s[linked], p[linked], entities[packed.object[linked]], packed.k[linked]
        add_rows(self._cursor, ADD_LINK.of(self._source(source, as_of)), distinct_rows(s, p, k, o))
        a, by, b, twice = (np.concatenate(x) for x in ((s, o), (p, -p), (o, s), (k, k)))
        add_rows(self._cursor, ADD_EDGES, rows_of(key_order(a, by), a, by, b, twice))
        if self._settle:
            self._touched.update(np.unique(a).tolist())
        self._derive_packed(s, p, o)
        self.changed += len(packed)

    def _place(self, packed: Packed) -> None:
        """Learns the row numbers of the places that are new, and makes the entities that the graph has not."""
        if not packed.first:
            self._known.at = self._known.at[:0]
        if packed.first != len(self._known.at):
            raise KnowledgeError("packed statements came without those before them")
        found: dict[str, int] = dict(
            self._cursor.rows("SELECT id, n FROM entity WHERE id IN ANY_TEXT(?)", (packed.ids,))
        )
        labels = packed.names.labels
        new = {
            entity_id: labels.get(place, "")
            for place, entity_id in enumerate(packed.ids, packed.first)
            if entity_id not in found
        }
        numbers = range(self._next, self._next + len(new))
        self._next += len(new)
        listed = list(
            zip(sorted(new), numbers, strict=True)
        )  # in the order of ids they meet on the pages of the index
        self._insert_entities(
            (number, entity_id, new[entity_id], bool(new[entity_id])) for entity_id, number in listed
        )
        found.update(listed)
        at = np.fromiter(map(found.__getitem__, packed.ids), dtype=np.int64, count=len(packed.ids))
        self._known.at = np.concatenate((self._known.at, at))

    def _add_names(self, found: PackedNames, new_from: int) -> None:
        """Entities from row number `new_from` on have been made with their labels."""
        at = self._known.at
        labelled = ((int(at[place]), label) for place, label in found.labels.items())
        renamed = sorted((n, label) for n, label in labelled if n < new_from)
        numbers = [n for n, _ in renamed]
        # A name that was read from an IRI for want of a better one goes when a label comes.
        self._cursor.rows(
            "DELETE FROM alias WHERE language = '' AND entity IN"
            " (SELECT n FROM entity WHERE n IN ANY_INT(?) AND id LIKE '%:%')",
            (numbers,),
        )
        self._cursor.rows("UPDATE alias SET kind = 1 WHERE kind = 0 AND entity IN ANY_INT(?)", (numbers,))
        self._cursor.many("UPDATE entity SET label = ? WHERE n = ?", [(label, n) for n, label in renamed])
        described = [(text, int(at[place])) for place, text in found.descriptions.items()]
        self._cursor.many("UPDATE entity SET description = ? WHERE n = ?", described)
        entities = at[np.array(found.entity, dtype=np.int64)].tolist()
        self._cursor.many(
            ADD_ALIAS, zip(found.key, entities, found.text, found.language, found.kind, strict=True)
        )

    def _add_literals(self, s: Ints, p: Ints, packed: Packed, *, source: int) -> None:
        """The statements of `packed` whose objects are literals: of subjects `s` and properties `p`."""
        literal = packed.object < 0
        order = key_order(s, p)
        values = packed.values
        texts = [values[place] for place in (-1 - packed.object[literal][order]).tolist()]
        columns = (column[order].tolist() for column in (s, p, packed.k[literal]))
        self._cursor.many(ADD_LITERAL.format(source=source), zip(*columns, texts, strict=True))

    def _derive_packed(self, s: Ints, p: Ints, o: Ints) -> None:
        """Types and gender, from links between row numbers."""
        telling = [
            (self._properties[name], name)
            for name in (*ontology.TYPES, ontology.GENDER)
            if name in self._properties
        ]
        for number, predicate in telling:
            of_it = p == number
            classes = np.unique(o[of_it]).tolist()
            ids: dict[int, str] = dict(
                self._cursor.rows("SELECT n, id FROM entity WHERE n IN ANY_INT(?)", (classes,))
            )
            pairs = zip(s[of_it].tolist(), o[of_it].tolist(), strict=True)
            self._derive((subject, predicate, ids[item]) for subject, item in pairs)

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

    def retract_sources(self, names: Iterable[str]) -> int:
        """Removes what these sources said last; says how many statements that were."""
        rows = self._cursor.rows(
            "SELECT s, p, k, o FROM statement WHERE source IN (SELECT n FROM source WHERE name IN ANY_TEXT(?))",
            (sorted(names),),
        )
        self._delete(rows)
        self.changed += len(rows)
        return len(rows)

    def forget_imports(self, files: Iterable[str]) -> None:
        """These files count as never imported."""
        self._cursor.many("DELETE FROM import WHERE file = ?", [(file,) for file in files])

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

    def _make_entities(self, labels: Mapping[str, str]) -> None:
        """Makes those of the entities that the graph has not: by this label, else one that can be read from the id."""
        if "" in labels:
            raise KnowledgeError("a statement needs a subject and an object")
        new = [i for i in self._look_up(labels) if i not in self._entities]
        if new:
            numbers = self._number(new)
            self._insert_entities((numbers[i], i, labels[i], False) for i in new)

    def _insert_entities(self, new: Iterable[tuple[int, str, str, bool]]) -> None:
        """Number, id and label of each, where it has one, and whether the caller writes its names."""
        rows, aliases = [], []
        for number, entity_id, given, named in new:
            label = given or readable(entity_id)
            if len(label) > names.LONGEST_NAME:
                raise KnowledgeError(
                    f"{entity_id[:80]}: a name of {len(label)} characters, the limit is {names.LONGEST_NAME}"
                )
            rows.append((number, entity_id, label))
            if named or (label == entity_id and not is_name(label)):
                continue
            if folded := names.key(label):
                aliases.append((folded, number, label, "", 0))
        self._cursor.many(ADD_NEW_ENTITY, rows)
        self._cursor.many(ADD_ALIAS, sorted(aliases))

    def _make_properties(self, group: Sequence[Triplet]) -> None:
        used = ((t.predicate, t.object) for t in group)
        qualifying = ((q.predicate, q.object) for t in group for q in t.qualifiers)
        for predicate, item in chain(used, qualifying):
            if predicate.id not in self._properties:
                self._make_property(predicate, item.datatype if isinstance(item, Value) else "entity")

    def _make_property(self, predicate: Node, datatype: str) -> None:
        label = predicate.label or relation_name(predicate.id)
        self.add_properties([Property(predicate.id, label, datatype=datatype)])  # type: ignore[arg-type]

    def _derive(self, links: Iterable[tuple[int, str, str]]) -> None:
        """Types and gender stand in the entity's row too, where the linker reads them."""
        types: list[tuple[str, str, int, str]] = []
        genders: list[tuple[str, int]] = []
        for subject, predicate, value in links:
            if predicate in ontology.TYPES:
                types.append((value, value, subject, value))
            elif predicate == ontology.GENDER and (gender := ontology.gender(value)):
                genders.append((gender, subject))
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
