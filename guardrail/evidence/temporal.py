"""Which statements hold at the time that a claim speaks of.

Only for relations that change with time. "is" needs a statement without an end, or else the latest; "former" one that
has ended; the past tense may mean any.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.evidence import ontology
from guardrail.types import Property, Triplet, Value


def in_time(statements: Sequence[Triplet], known: Property, tense: str) -> list[Triplet]:
    """The statements that an answer in this tense may rest on, in their order."""
    if not known.temporal or tense not in ("present", "former"):
        return list(statements)
    ended = [s for s in statements if _ended(s)]
    if tense == "former":
        return ended or list(statements)
    current = [s for s in statements if not _ended(s)]
    if current and any(_start(s) for s in current):
        return current
    if current:
        return [s for s in current if s.rank == "preferred"] or current
    latest = max((_end(s) for s in ended), default="")
    return [s for s in ended if _end(s) == latest]


def _ended(statement: Triplet) -> bool:
    return any(q.predicate.id in ontology.END for q in statement.qualifiers)


def _end(statement: Triplet) -> str:
    return _date(statement, ontology.END)


def _start(statement: Triplet) -> str:
    return _date(statement, ontology.START)


def _date(statement: Triplet, predicates: Sequence[str]) -> str:
    """The latest date of such a qualifier, as text that sorts (dates before our era sort first)."""
    found = [
        q.object.value
        for q in statement.qualifiers
        if q.predicate.id in predicates and isinstance(q.object, Value) and q.object.datatype == "date"
    ]
    return max((value for value in found if not value.startswith("-")), default="")
