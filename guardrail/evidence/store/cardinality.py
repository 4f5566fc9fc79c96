"""One value or many: what the statements of a graph show where nobody has said it.

A property has one value where each of three subjects or more has one; where fewer are known, what the values are (a
number, a date, yes or no) or the name of the property ("price", "owner", "version") must say so too. One of which a
statement has ended changes with time, and has one value at a time unless two of a subject were so at once. Wikidata's
properties are curated (ontology.py) and are left alone.

What was inferred stands in the property's row like what was declared; which that is stands in `meta`, so that it is
inferred anew when there is more to see, and is none of what `kg export` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

import orjson

from guardrail.evidence.properties import iris, ontology
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.evidence.properties.words import Said, said
from guardrail.evidence.store.database import Cursor, Database, Row
from guardrail.ontology import completed, curated
from guardrail.types import Property

__all__ = ["ENOUGH", "declare", "infer", "inferred", "is_own"]

ENOUGH = 3
"""Subjects with one value each that show that there is one."""
_KEY = "inferred cardinality"
_SCHEMAS = (iris.RDF, iris.RDFS, iris.OWL, iris.SKOS)
_TERMS = frozenset((*ontology.START, *ontology.END, *ontology.POINT, *ontology.TYPES, COMPLETE_LIST.id))
_EXACT = re.compile(r"yes|no|\d\d:\d\d(?:-\d\d:\d\d)?")
_HAS_END = f'%"{ontology.END[0]}"%'


def infer(cursor: Cursor, counted: Mapping[int, tuple[int, int]]) -> None:
    """Writes the cardinality of properties of which it is unknown. `counted`: subjects, and those with one value, of each."""
    former = _listed(cursor.rows("SELECT value FROM meta WHERE key = ?", (_KEY,)))
    cursor.many("UPDATE property SET cardinality = 'unknown' WHERE id = ?", [(i,) for i in former])
    rows = cursor.rows(
        "SELECT n, id, label, datatype, is_temporal FROM property WHERE cardinality = 'unknown'"
    )
    open_ones = [row for row in rows if row[0] in counted and is_own(row[1])]
    dated = _dated(cursor, [row[0] for row in open_ones])
    cursor.many("UPDATE property SET is_temporal = 1 WHERE n = ?", [(p,) for p in dated])
    cursor.many(
        "UPDATE property SET is_hierarchical = 1 WHERE n = ?",
        [(r[0],) for r in open_ones if said(r[2]).hierarchical],
    )
    single = [
        row[1]
        for row in open_ones
        if _has_one(cursor, row, *counted[row[0]], one_at_a_time=dated.get(row[0]))
    ]
    cursor.many("UPDATE property SET cardinality = 'single' WHERE id = ?", [(i,) for i in single])
    _note(cursor, single)


def declare(cursor: Cursor, property_id: str) -> None:
    """What is in the row of this property counts as said by somebody from now on."""
    listed = _listed(cursor.rows("SELECT value FROM meta WHERE key = ?", (_KEY,)))
    _note(cursor, [one for one in listed if one != property_id])


def inferred(database: Database) -> frozenset[str]:
    """The ids of properties whose cardinality nobody said."""
    return frozenset(_listed(database.rows("SELECT value FROM meta WHERE key = ?", (_KEY,))))


def _listed(rows: Sequence[Row]) -> list[str]:
    return list(map(str, orjson.loads(rows[0][0]))) if rows else []


def _note(cursor: Cursor, listed: Sequence[str]) -> None:
    text = orjson.dumps(sorted(listed)).decode()
    cursor.many(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [(_KEY, text)],
    )


def is_own(property_id: str) -> bool:
    """Whether it is a property of the user's: none of Wikidata, of a schema, or of ours."""
    return (
        property_id not in _TERMS
        and not curated(Property(property_id, ""))
        and not property_id.startswith(_SCHEMAS)
    )


def _has_one(cursor: Cursor, row: Row, subjects: int, single: int, *, one_at_a_time: bool | None) -> bool:
    number, _, label, datatype, _ = row
    told = said(label)
    if one_at_a_time is not None:
        return one_at_a_time and not told.many
    if not _left_to_counting(row, told) or not _mostly_single(subjects, single):
        return False
    if _exact(cursor, number, datatype):
        return True
    return not told.many and (told.single or told.identifier or subjects >= ENOUGH)


def _left_to_counting(row: Row, told: Said) -> bool:
    """Not of what changes, where the graph may know the latest only; and what is known of such properties goes before."""
    _, property_id, label, datatype, temporal = row
    known = completed(Property(property_id, label, datatype=datatype)).cardinality
    return not temporal and (known == "unknown" or told.single or datatype == "quantity")


def _mostly_single(subjects: int, single: int) -> bool:
    """Whether nearly all have one value; of few subjects all must."""
    return single >= (ontology.SINGLE_FROM * subjects if subjects >= ontology.MEASURED_FROM else subjects)


def _exact(cursor: Cursor, number: int, datatype: str) -> bool:
    """Whether values are quantities, dates, or texts that are yes and no, or times of day."""
    if datatype != "string":
        return datatype in ("quantity", "date")
    rows = cursor.rows("SELECT value FROM statement WHERE p = ? LIMIT 20", (number,))
    values = [orjson.loads(text)[1] for (text,) in rows if text]
    return bool(values) and all(_EXACT.fullmatch(value) for value in values)


def _dated(cursor: Cursor, numbers: Sequence[int]) -> dict[int, bool]:
    """Those of which a statement says until when it was so: whether each subject has one value at a time."""
    ended = cursor.rows("SELECT DISTINCT p FROM statement WHERE qualifiers LIKE ?", (_HAS_END,))
    found: dict[int, bool] = {}
    for p in sorted({p for (p,) in ended} & set(numbers)):
        rows = cursor.rows("SELECT s, qualifiers FROM statement WHERE rank < 2 AND p = ? ORDER BY s", (p,))
        found[p] = all(_apart(list(_terms(group))) for _, group in groupby(rows, key=itemgetter(0)))
    return found


def _terms(rows: Iterator[Row]) -> Iterator[tuple[str, str]]:
    """Start and end of each statement, "" where it has none."""
    for row in rows:
        dates = {q[0]: str(q[2]) for q in orjson.loads(row[1] or "[]") if q[1] == "date"}
        yield dates.get(ontology.START[0], ""), dates.get(ontology.END[0], "")


def _apart(terms: list[tuple[str, str]]) -> bool:
    """Whether no two were so at the same time."""
    if len(terms) > 1 and any(not start and not end for start, end in terms):
        return False
    ordered = sorted(terms)
    return all(end and _ends_before(end, start) for (_, end), (start, _) in pairwise(ordered))


def _ends_before(end: str, start: str) -> bool:
    """Within the coarser of the two: what ended in 2019 may be followed in April 2019."""
    length = min(len(end), len(start))
    return end[:length] <= start[:length]
