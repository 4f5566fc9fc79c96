"""Which statements hold at the time that a claim speaks of.

Only for relations that change with time. "is" needs a statement without an end, or else the latest; "former" one that
has ended; the past tense may mean any. Nothing is dropped: that a statement once held is evidence too ("is no longer"),
so those that hold come first, and the others after them.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.evidence.properties import ontology
from guardrail.types import Property, Triplet, Value


def in_time(statements: Sequence[Triplet], known: Property, tense: str) -> list[Triplet]:
    """All statements, those first on which a claim in this tense may rest."""
    holding = holds(statements, known, tense)
    return [*holding, *(s for s in statements if s not in holding)]


def holds(statements: Sequence[Triplet], known: Property, tense: str) -> list[Triplet]:
    """The statements on which a claim in this tense may rest, in their order."""
    if not known.temporal or tense not in ("present", "former"):
        return list(statements)
    ended = [s for s in statements if ontology.is_over(s)]
    if tense == "former":
        return ended or list(statements)
    current = [s for s in statements if not ontology.is_over(s)]
    return [s for s in current if s.rank == "preferred"] or current or _latest(ended)


def _latest(ended: Sequence[Triplet]) -> list[Triplet]:
    latest = max((_end(s) for s in ended), default="")
    return [s for s in ended if _end(s) == latest]


def _end(statement: Triplet) -> str:
    """The latest date of an end, as text that sorts (dates before our era sort first)."""
    found = [
        q.object.value
        for q in statement.qualifiers
        if ontology.is_end(q.predicate.id, q.predicate.label)
        and isinstance(q.object, Value)
        and q.object.datatype == "date"
    ]
    return max((value for value in found if not value.startswith("-")), default="")
