"""What a batch sends to the database: the statements, and the rows of the nouns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guardrail.errors import KnowledgeError
from guardrail.evidence import names
from guardrail.evidence.properties.iris import is_name
from guardrail.evidence.store.database import Cursor
from guardrail.types import Entity, Property

ADD_ENTITY = """
INSERT INTO entity (n, id, label, description, types, popularity, degree, gender, url)
VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (id) DO UPDATE SET
    label = excluded.label,
    description = CASE WHEN excluded.description = '' THEN entity.description ELSE excluded.description END,
    types = CASE WHEN excluded.types = '' THEN entity.types ELSE excluded.types END,
    popularity = CASE WHEN excluded.popularity = 0 THEN entity.popularity ELSE excluded.popularity END,
    gender = CASE WHEN excluded.gender = '' THEN entity.gender ELSE excluded.gender END,
    url = COALESCE(excluded.url, entity.url)
"""
ADD_PROPERTY = """
INSERT INTO property (n, id, label, aliases, datatype, cardinality, inverse, is_symmetric, is_temporal, is_hierarchical,
                      single_ratio, is_complete)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    label = CASE WHEN excluded.label = excluded.id THEN property.label ELSE excluded.label END,
    aliases = CASE WHEN excluded.aliases = '' THEN property.aliases ELSE excluded.aliases END,
    datatype = excluded.datatype,
    cardinality = CASE WHEN excluded.cardinality = 'unknown' THEN property.cardinality ELSE excluded.cardinality END,
    inverse = COALESCE(excluded.inverse, property.inverse),
    is_symmetric = property.is_symmetric | excluded.is_symmetric,
    is_temporal = property.is_temporal | excluded.is_temporal,
    is_hierarchical = property.is_hierarchical | excluded.is_hierarchical,
    is_complete = property.is_complete | excluded.is_complete,
    single_ratio = COALESCE(excluded.single_ratio, property.single_ratio)
"""
ADD_STATEMENT = """
INSERT INTO statement (s, p, k, o, value, qualifiers, rank, source, local) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (s, p, k) DO UPDATE SET o = excluded.o, value = excluded.value, qualifiers = excluded.qualifiers,
    rank = excluded.rank, source = excluded.source, local = excluded.local
"""
ADD_LITERAL = """
INSERT INTO statement (s, p, k, value, rank, source) VALUES (?, ?, ?, ?, 1, {source:d})
ON CONFLICT (s, p, k) DO UPDATE SET o = NULL, value = excluded.value, qualifiers = NULL, rank = 1,
    source = excluded.source, local = NULL
"""
ADD_EDGE = "INSERT INTO edge (a, p, b, k) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
ADD_NEW_ENTITY = """
INSERT INTO entity (n, id, label, description, types, popularity, degree, gender) VALUES (?, ?, ?, '', '', 0.0, 0, '')
"""
ADD_ALIAS = """
INSERT INTO alias (key, entity, text, language, kind) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key, entity, text) DO UPDATE SET
    kind = CASE WHEN excluded.kind = 0 THEN 0 ELSE alias.kind END
"""


@dataclass(frozen=True, slots=True)
class ManyRows:
    """An insert of rows of integers, `row` once for each, between `head` and `tail`."""

    head: str
    row: str
    tail: str

    def of(self, source: int) -> ManyRows:
        """With the number of a source in each row."""
        return ManyRows(self.head, self.row.format(source=source), self.tail)


ADD_EDGES = ManyRows("INSERT INTO edge (a, p, b, k) VALUES", "(?, ?, ?, ?)", "ON CONFLICT DO NOTHING")
ADD_LINK = ManyRows(
    "INSERT INTO statement (s, p, k, o, rank, source) VALUES",
    "(?, ?, ?, ?, 1, {source:d})",
    "ON CONFLICT (s, p, k) DO UPDATE SET o = excluded.o, value = NULL, qualifiers = NULL, rank = 1,"
    " source = excluded.source, local = NULL",
)
_AT_ONCE = 32
"""Rows of one insert: it takes two thirds of the time of as many inserts."""


def add_rows(cursor: Cursor, insert: ManyRows, rows: NDArray[np.int64]) -> None:
    """Writes a table of integers, a row each. The same row may not be there twice."""
    width, whole = rows.shape[1], len(rows) // _AT_ONCE * _AT_ONCE
    for count, part in ((_AT_ONCE, rows[:whole]), (1, rows[whole:])):
        listed = ", ".join([insert.row] * count)
        cursor.many(f"{insert.head} {listed} {insert.tail}", _lists(part.reshape(-1, count * width)))


def _lists(rows: NDArray[np.int64]) -> Iterator[list[int]]:
    """The rows, of which only some are numbers of Python at a time."""
    for start in range(0, len(rows), 1000):
        yield from rows[start : start + 1000].tolist()


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity to be written, with its further names. `language` is that of label and aliases.

    `foreign`: further names of other languages, each with its own.
    """

    entity: Entity
    aliases: tuple[str, ...] = ()
    language: str = "en"
    foreign: tuple[tuple[str, str], ...] = ()


def examine(new: NewEntity) -> None:
    if not new.entity.id:
        raise KnowledgeError("an entity needs an id")
    for name in (new.entity.label, *new.aliases, *(text for text, _ in new.foreign)):
        if len(name) > names.LONGEST_NAME:
            raise KnowledgeError(
                f"{new.entity.id}: a name of {len(name)} characters, the limit is {names.LONGEST_NAME}"
            )


def entity_row(number: int, entity: Entity) -> tuple[int, str, str, str, str, float, str, str | None]:
    types = "\n".join(entity.types)
    label = entity.label or entity.id
    return number, entity.id, label, entity.description, types, entity.popularity, entity.gender, entity.url


def property_row(number: int, known: Property) -> tuple[int | float | str | None, ...]:
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


def alias_rows(
    group: Sequence[NewEntity], numbers: Mapping[str, int]
) -> Iterator[tuple[str, int, str, str, int]]:
    """One row per name; where an entity comes twice, the last label is the label, and the former an alias.

    An id that is no name by its looks ("P1") is one where it is among the aliases: somebody says that the thing is called so.
    """
    labels = {new.entity.id: new.entity.label for new in group}
    for new in group:
        number, label = numbers[new.entity.id], labels[new.entity.id]
        own = ((text, new.language) for text in (new.entity.label, *new.aliases))
        for text, language in (*own, *new.foreign):
            if text == new.entity.id and not is_name(text) and text not in new.aliases:
                continue
            if folded := names.key(text):
                yield folded, number, text, language, int(text != label)
