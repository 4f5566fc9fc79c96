"""What can only be known when everything is there: degrees, cardinality, kinds and names of relations.

One pass over the edges, one over the statements. `Graph.write` keeps degrees by itself where a batch is small.
"""

from __future__ import annotations

import orjson

from guardrail.evidence import ontology
from guardrail.evidence.database import Cursor


def settle(cursor: Cursor) -> None:
    """Counts anew; doing it twice changes nothing."""
    cursor.rows(
        "UPDATE entity SET degree = counted.degree"
        " FROM (SELECT a, COUNT(*) AS degree FROM edge GROUP BY a) AS counted WHERE counted.a = entity.n"
    )
    _measure(cursor)
    # RDF names properties as it names everything: their labels came as those of entities.
    cursor.rows(
        "UPDATE property SET label = (SELECT label FROM entity WHERE entity.id = property.id)"
        " WHERE id IN (SELECT e.id FROM entity e JOIN alias ON alias.entity = e.n AND alias.text = e.label"
        " WHERE alias.kind = 0 AND alias.language <> '')"
    )


def _measure(cursor: Cursor) -> None:
    """The share of subjects with one value, and what the values are where no ontology said it."""
    rows = cursor.rows(
        "SELECT p, COUNT(*), SUM(CASE WHEN c = 1 THEN 1 ELSE 0 END), MAX(linked), MIN(example) FROM"
        " (SELECT s, p, COUNT(*) AS c, MAX(CASE WHEN o IS NULL THEN 0 ELSE 1 END) AS linked, MIN(value) AS example"
        " FROM statement WHERE rank < 2 GROUP BY s, p) AS per_subject GROUP BY p"
    )
    ratios = [
        (single / subjects if subjects >= ontology.MEASURED_FROM else None, p)
        for p, subjects, single, _, _ in rows
    ]
    cursor.many("UPDATE property SET single_ratio = ? WHERE n = ?", ratios)
    literal = [(orjson.loads(example)[0], p) for p, _, _, linked, example in rows if not linked and example]
    cursor.many("UPDATE property SET datatype = ? WHERE n = ? AND datatype = 'entity'", literal)
