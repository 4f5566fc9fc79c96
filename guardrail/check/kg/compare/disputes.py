"""Statements of one graph, or of two, that contradict each other about a property with one value.

Both sides are shown, each with its source. The graph that comes first decides; where none comes first, the claim is neither confirmed
nor refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from guardrail import ontology
from guardrail.check.kg.compare.timeline import POINT, current, ended, qualifier_values
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.rationale import statement
from guardrail.rules import rule
from guardrail.types import (
    Answer,
    Evidence,
    Label,
    Object,
    Property,
    Reason,
    Slot,
    Source,
    SourceVerdict,
    Triplet,
    Value,
    Verdict,
)
from guardrail.values import compare
from guardrail.values.render import as_sentence

__all__ = ["disputed", "rivals", "undecided_between"]

_MOST = 4  # statements of a side that are told


@rule("rival-statements", silent=())
def rivals(
    agreeing: Sequence[Triplet], answer: Answer, known: Callable[[Triplet], Object], *, today: date, now: bool
) -> tuple[Triplet, ...]:
    """The statements that cannot be true beside those that agree. `now`: only what holds today is claimed."""
    if not _one(answer.property) or (answer.property.temporal and not now):
        return ()
    standing = current(answer.statements, today) if answer.property.temporal else answer.statements
    return tuple(
        t
        for t in dict.fromkeys((*standing, *_overruled(answer, today)))
        if t not in agreeing
        and t.rank != "deprecated"
        and not qualifier_values(t, POINT)
        and all(_apart(known(t), known(one)) for one in agreeing)
    )


def _overruled(answer: Answer, today: date) -> list[Triplet]:
    """Statements that hold today beside a preferred one."""
    return [t for t in answer.statements if t.rank == "normal" and not ended(t, today)]


def _one(known: Property) -> bool:
    """Whether a subject can have one value only; of some that are single a few are known, and all of them true."""
    told = ontology.standard(known) or known
    return known.cardinality == "single" and told.cardinality != "list"


def _apart(one: Object, other: Object) -> bool:
    if isinstance(one, Value) and isinstance(other, Value):
        return "agree" not in (compare(one, other), compare(other, one)) and compare(one, other) == "conflict"
    return type(one) is type(other) and (one.id or one.label) != (other.id or other.label)  # type: ignore[union-attr]


def disputed(verdict: Verdict, findings: Sequence[FactFinding]) -> Verdict:
    """The verdict with both sides, where it rests on a statement that another one of the graph contradicts."""
    torn = next((one for one in findings if one.state == "agree" and one.rivals and not one.negated), None)
    if torn is None or verdict.label is Label.CONTRADICTORY:
        return verdict
    return undecided_between(verdict, torn.slot, torn.triplets, torn.rivals)


def undecided_between(
    verdict: Verdict, slot: Slot, pro: Sequence[Triplet], con: Sequence[Triplet]
) -> Verdict:
    """A verdict that supports its claim by `pro`, which `con` contradicts, as the order of the two has it. `slot`: of `pro`."""
    sides = _side(Label.ATTRIBUTABLE, pro, verdict), _side(Label.CONTRADICTORY, con, verdict)
    shown = tuple(dict.fromkeys((*verdict.evidence.triplets, *con)))
    told = replace(verdict, evidence=replace(verdict.evidence, triplets=shown), by_source=sides)
    if verdict.label is not Label.ATTRIBUTABLE or _first(pro) > _first(con):
        return replace(told, rationale=f"{verdict.rationale} {_told(pro, con)}")
    if _first(con) > _first(pro):
        slot = replace(
            slot,
            state="conflict",
            known=_values(con),
            values=tuple(t.object for t in con),
            answers=len(con),
        )
        return replace(
            told, label=Label.CONTRADICTORY, rationale=_told(con, pro), by_source=sides[::-1], slot=slot
        )
    return replace(
        told, label=Label.EXTRAPOLATORY, reason=Reason.INSUFFICIENT, rationale=_told(pro, con, neither=True)
    )


def _first(side: Sequence[Triplet]) -> bool:
    """Whether a side has a statement that goes before others."""
    return any(t.rank == "preferred" for t in side)


def _values(side: Sequence[Triplet]) -> str:
    return "; ".join(dict.fromkeys(t.object.label for t in side))


def _side(label: Label, triplets: Sequence[Triplet], verdict: Verdict) -> SourceVerdict:
    return SourceVerdict(
        Source.KG,
        label,
        verdict.confidence,
        Evidence(triplets=tuple(triplets)),
        as_sentence(_says(triplets)),
        verdict.checker,
    )


def _told(first: Sequence[Triplet], second: Sequence[Triplet], *, neither: bool = False) -> str:
    order = "neither of them goes before the other" if neither else "the first goes before"
    return f"The knowledge graph disagrees with itself: {_says(first)}; {_says(second)}; {order}."


def _says(side: Sequence[Triplet]) -> str:
    """What a side says, and by which source."""
    facts = " and ".join(dict.fromkeys(map(statement, side[:_MOST])))
    sources = " and ".join(dict.fromkeys(t.source for t in side if t.source))
    return f"{sources} says that {facts}" if sources else facts
