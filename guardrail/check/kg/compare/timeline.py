"""When a statement holds: start, end and point in time among its qualifiers, against the time that a claim speaks of."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from math import inf

from guardrail import ontology
from guardrail.types import Argument, Triplet, Value
from guardrail.values import State, compare
from guardrail.values.dates import moment_of
from guardrail.values.units import unit_of

__all__ = [
    "at_beginning",
    "at_time",
    "best_of",
    "current",
    "days_of",
    "ended",
    "follows",
    "has_ended",
    "lasted",
    "qualifier_values",
    "started",
    "years_of",
]

START, END = ontology.names("starts"), ontology.names("ends")
POINT = ontology.names("point in time")
_DAYS = 365.2425  # of a year
_ROUNDED = 0.6  # of a year that has begun
_NEXT = 31  # days, at most, between two terms that follow each other
_SOON = 366  # likewise between the day on which somebody is chosen and the first of the term


def qualifier_values(triplet: Triplet, names: Collection[str]) -> list[Value]:
    """Date qualifiers of `triplet` whose property has one of these ids or labels."""
    if not triplet.qualifiers:
        return []
    wanted = {name.casefold() for name in names}
    return [
        q.object
        for q in triplet.qualifiers
        if isinstance(q.object, Value)
        and (q.predicate.id.casefold() in wanted or q.predicate.label.casefold() in wanted)
    ]


def started(triplet: Triplet) -> bool:
    return bool(qualifier_values(triplet, START))


def ended(triplet: Triplet, today: date) -> bool:
    """Whether the statement says that it was over before `today`."""
    now = Value("", today.isoformat(), "date", 11)
    return any(compare(end, now) != "agree" and _before(end, now) for end in qualifier_values(triplet, END))


def _before(left: Value, right: Value) -> bool:
    a, b = days_of(left), days_of(right)
    return a is not None and b is not None and a[1] < b[0]


def follows(later: Triplet, earlier: Triplet, *, longest_vacancy: float = inf) -> State:
    """Whether one term began when the other ended. It did not where it began no later than the other, nor where the office would
    have been vacant for more than `longest_vacancy` days.
    """
    began, over, before = _when(later, START), _when(earlier, END), _when(earlier, START)
    if began is not None and before is not None and began[1] <= before[0]:
        return "conflict"
    if began is None or over is None:
        return "unknown"
    if over[0] - _NEXT <= began[1] and began[0] <= over[1] + _NEXT:
        return "agree"
    return "conflict" if began[0] - over[1] > longest_vacancy else "unknown"


def _when(term: Triplet, names: Collection[str]) -> tuple[int, int] | None:
    return days_of(next(iter(qualifier_values(term, names)), None))


def days_of(value: Value | None) -> tuple[int, int] | None:
    """The first and the last day that a date may mean, as running numbers."""
    moment = moment_of(value) if value is not None else None
    return moment.interval() if moment is not None else None


def years_of(value: Value | None) -> float | None:
    """How many years a duration is, 1.5 for "eighteen months"; None for any other value."""
    unit = unit_of(value.unit) if value is not None else None
    if value is None or unit is None or unit.dimension != "time":
        return None
    return float(value.value) * float(unit.factor) / (_DAYS * 86_400)


def lasted(statements: Sequence[Triplet], years: float, modifier: str) -> bool:
    """Whether what began and ended may be said to have lasted so many years together: those that are over, or the nearest number."""
    spans = [span for one in statements if (span := _span(one)) is not None]
    least = sum(last[0] - first[1] for first, last in spans) / _DAYS
    most = sum(last[1] - first[0] for first, last in spans) / _DAYS
    if modifier in ("more than", "over"):
        return most > years
    if modifier in ("less than", "under"):
        return least < years
    near = len(spans) * (1.0 if years >= 1 else 0.2)
    return least - near < years < most + _ROUNDED * near


def has_ended(statement: Triplet) -> bool:
    """Whether it says when what it tells began and ended."""
    return _span(statement) is not None


def _span(statement: Triplet) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The days of the start and of the end of what a statement tells; None where one is not known."""
    ends = [days_of(next(iter(qualifier_values(statement, names)), None)) for names in (START, END)]
    return (ends[0], ends[1]) if ends[0] is not None and ends[1] is not None else None


def current(triplets: Sequence[Triplet], today: date) -> list[Triplet]:
    """The statements that hold now: preferred ones if there are any, else those without an end."""
    open_ones = [triplet for triplet in triplets if not ended(triplet, today)]
    preferred = [triplet for triplet in open_ones if triplet.rank == "preferred"]
    return preferred or open_ones


def at_time(triplet: Triplet, argument: Argument) -> State:
    """Whether `triplet` held at, began in, or ended in the time that `argument` gives; its modifier says which."""
    claimed = argument.value
    if claimed is None or claimed.datatype != "date":
        return "unknown"
    starts, ends = qualifier_values(triplet, START), qualifier_values(triplet, END)
    points = qualifier_values(triplet, POINT)
    if argument.modifier in ("from", "since"):
        return _any(claimed, starts or points, "")
    if argument.modifier in ("to", "until"):
        return _any(claimed, ends, "")
    if points:
        return _any(claimed, points, argument.modifier)
    # "between 2009 and 2017" of what lasted: from the one to the other, or within them
    modifier = "" if argument.modifier in ("between", "and") else argument.modifier
    if _any(claimed, [*starts, *ends], modifier) == "agree":
        return "agree"
    # the first or last weeks of a year are those of a start or an end, or of neither
    return "unknown" if modifier in ("start", "end") else _within(claimed, starts, ends)


def at_beginning(triplet: Triplet, argument: Argument, of: str) -> State:
    """Whether `triplet` began then. Who was "chosen" may begin within a year, and who was "elected" be so again while it lasts."""
    claimed = argument.value
    if claimed is None or claimed.datatype != "date":
        return "unknown"
    starts = qualifier_values(triplet, START) or qualifier_values(triplet, POINT)
    held = _within(claimed, starts, qualifier_values(triplet, END))
    if not starts:
        return "conflict" if held == "conflict" else "unknown"
    began = _any(claimed, starts, "" if argument.modifier in ("from", "since") else argument.modifier)
    return "unknown" if began == "conflict" and _loosely(claimed, starts, held, of) else began


def _loosely(claimed: Value, starts: Sequence[Value], held: State, of: str) -> bool:
    """Whether a date may be that of a choice for what began soon after it, or had begun already."""
    days = days_of(claimed)
    if of == "begun" or days is None:
        return False
    firsts = [first[0] for start in starts if (first := days_of(start)) is not None]
    return (of == "elected" and held == "agree") or any(0 < first - days[1] <= _SOON for first in firsts)


def _any(claimed: Value, known: Sequence[Value], modifier: str) -> State:
    return best_of({compare(claimed, value, modifier=modifier) for value in known})


def best_of(states: Collection[State]) -> State:
    """What comparisons with several known values come to: one that agrees is enough, and a conflict needs all of them."""
    if "agree" in states:
        return "agree"
    return "conflict" if set(states) == {"conflict"} else "unknown"


def _within(claimed: Value, starts: Sequence[Value], ends: Sequence[Value]) -> State:
    """A state that began before and ended after holds in between; before its start and after its end it does not."""
    days = days_of(claimed)
    first, last = (days_of(some[0]) if some else None for some in (starts, ends))
    if days is None:
        return "unknown"
    if (first is not None and days[1] < first[0]) or (last is not None and days[0] > last[1]):
        return "conflict"
    known = first is not None and (last is not None or days[0] >= first[0])
    return "agree" if known else "unknown"
