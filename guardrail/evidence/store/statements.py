"""From rows of the knowledge file to statements: with the names of their properties, units and sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from guardrail.errors import KnowledgeDamaged
from guardrail.evidence.store.codec import (
    RANKS,
    nodes_in,
    statement_id,
    unpack_qualifiers,
    unpack_value,
)
from guardrail.evidence.store.database import Database, Parameter, Row
from guardrail.evidence.store.property_memory import PropertyMemory
from guardrail.evidence.store.rows import SELECT_STATEMENT, PropertyTable
from guardrail.types import Node, Object, Triplet, Value


class StatementReader:
    """Reads statements of one graph. Safe to share between threads."""

    def __init__(self, database: Database, properties: PropertyMemory) -> None:
        self._database, self._properties = database, properties
        self._sources: dict[int, tuple[str, str]] = {}

    def where(self, condition: str, parameters: Sequence[Parameter]) -> list[Triplet]:
        """The statements `t`, with subject `s` and object `o`, of which this SQL condition holds."""
        return self.triplets(self._database.rows(f"{SELECT_STATEMENT}WHERE {condition}", parameters))

    def triplets(self, rows: Sequence[Row]) -> list[Triplet]:
        """The statements in rows of `SELECT_STATEMENT`, in their order. Raises KnowledgeDamaged."""
        try:
            return self._read(rows)
        except (ValueError, LookupError, TypeError) as error:
            cause = f"a statement that cannot be read ({type(error).__name__}: {error})"
            raise KnowledgeDamaged(self._database.name, cause) from error

    def _read(self, rows: Sequence[Row]) -> list[Triplet]:
        wanted = {entity_id for row in rows if row[4] or row[5] for entity_id in nodes_in(row[4], row[5])}
        labels: dict[str, str] = {}
        if wanted:
            labels = dict(
                self._database.rows("SELECT id, label FROM entity WHERE id IN ANY_TEXT(?)", (sorted(wanted),))
            )
        table = self._properties.table()
        if any(row[1] not in table.by_number for row in rows):
            table = self._properties.table(fresh=True)
        predicates = {p.id: p.label for p in table.by_id.values()} if any(row[5] for row in rows) else {}
        return [self._triplet(row, table, labels, predicates) for row in rows]

    def _triplet(
        self, row: Row, table: PropertyTable, labels: Mapping[str, str], predicates: Mapping[str, str]
    ) -> Triplet:
        _, p, k, o, value, qualifiers, rank, source, local, subject, label, object_id, object_label = row
        predicate = table.by_number[p]
        item: Object = Node(object_id, object_label) if o is not None else unpack_value(value, labels)
        if (
            predicate.unit is not None
            and isinstance(item, Value)
            and item.datatype == "quantity"
            and not item.unit
        ):
            item = replace(item, unit=predicate.unit)
        name, as_of = self._source(source)
        return Triplet(
            Node(subject, label),
            Node(predicate.id, predicate.label),
            item,
            unpack_qualifiers(qualifiers, labels, predicates),
            id=statement_id(subject, k, local),
            source=name,
            as_of=as_of,
            rank=RANKS[rank],
        )

    def _source(self, number: int) -> tuple[str, str]:
        if number not in self._sources:
            rows = self._database.rows("SELECT n, name, as_of FROM source")
            self._sources.update({n: (name, as_of) for n, name, as_of in rows})
        return self._sources[number]
