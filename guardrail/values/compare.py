"""Does a claimed date or quantity agree with the known one?

Dates are intervals: a claim that is coarser than the knowledge agrees, one that is finer is unknown, and only disjoint
intervals conflict. Quantities convert to a common unit and are compared within the tolerance that the claim's own words
and digits ask for ("about" 10 %, "1.4 billion" half of its last digit).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, NamedTuple

from guardrail.types import Value
from guardrail.values.dates import Moment, moment_of
from guardrail.values.meanings import read_as
from guardrail.values.numbers import as_decimal, read_number, step
from guardrail.values.units import YEAR, Unit, unit_of

__all__ = ["State", "compare", "near", "rounds"]

State = Literal["agree", "conflict", "unknown"]

_IN_CENTS = frozenset({"EUR", "USD"})
# Where the early, middle and late part of a time begin and end, in percent of it.
_PARTS = {"early": (0, 45), "mid": (25, 75), "late": (55, 100)}
# "The end of 2027": what is surely meant, and what may be.
_EDGES = {"start": ((0, 12), (0, 35)), "end": ((88, 100), (65, 100))}
_FINE = 20  # a converted number may be off by this part of it
_PRICE = 1000  # below it a sum is given to the unit because it is meant to
_ROUNDED = Decimal("0.1")  # of a quantity: so far off may be what is told in whole units …
_TOLD_EXACTLY = Decimal("0.01")  # … and so far where the known one is told in the same unit, but more exactly


def compare(claimed: Value, known: Value, *, modifier: str = "") -> State:
    """Whether `claimed`, softened or bounded by `modifier`, holds given `known`."""
    if claimed.datatype == "date" and known.datatype == "date":
        return _dates(claimed, known, modifier)
    if claimed.datatype == "quantity" and known.datatype in ("quantity", "string"):
        return _quantities(claimed, known, modifier)
    if claimed.datatype == known.datatype == "string":
        return "agree" if _fold(claimed.value) == _fold(known.value) else "conflict"
    return "unknown"


def _fold(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


# ── dates ─────────────────────────────────────────────────────────────────────────────────────────────


class _Days(NamedTuple):
    """The first and the last day of a time."""

    first: int
    last: int

    def within(self, other: _Days) -> bool:
        return other.first <= self.first and self.last <= other.last

    def meets(self, other: _Days) -> bool:
        return self.first <= other.last and other.first <= self.last

    def wider(self, days: int) -> _Days:
        return _Days(self.first - days, self.last + days)

    def part(self, begin: int, end: int) -> _Days:
        """From one percentage of it to another."""
        size = self.last - self.first + 1
        return _Days(self.first + size * begin // 100, min(self.last, self.first + size * end // 100))


def _dates(claimed: Value, known: Value, modifier: str) -> State:
    ours, theirs = moment_of(claimed), moment_of(known)
    if ours is None or theirs is None:
        return "unknown"
    claim, fact = _Days(*ours.interval()), _Days(*theirs.interval())
    if bounded := _bounded(modifier, claim, fact):
        return bounded
    if modifier == "about":
        return "agree" if fact.meets(claim.wider(_about_days(ours))) else "conflict"
    if fact.meets(claim):
        return "agree" if fact.within(_part(modifier, claim)) else "unknown"
    calendars = modifier not in _PARTS and _calendars_may_differ(ours, theirs, claimed, known)
    return "unknown" if calendars else "conflict"


def _bounded(modifier: str, claim: _Days, fact: _Days) -> State | None:
    """What a comparator says of the known time. "between" and "and" are the two ends of one range."""
    if modifier == "before":
        return _decided(agree=fact.last < claim.first, conflict=fact.first >= claim.first)
    if modifier == "after":
        return _decided(agree=fact.first > claim.last, conflict=fact.last <= claim.last)
    if modifier == "between":
        return _decided(agree=fact.first >= claim.first, conflict=fact.last < claim.first)
    if modifier in _EDGES:
        meant, may_be = (claim.part(*part) for part in _EDGES[modifier])
        return _decided(agree=fact.within(meant), conflict=not fact.meets(may_be))
    if modifier in ("by", "no later than", "and"):
        return _decided(agree=fact.last <= claim.last, conflict=fact.first > claim.last)
    return None


def _decided(*, agree: bool, conflict: bool) -> State:
    """A known value that has more than one end may lie on both sides of a bound."""
    return "agree" if agree else "conflict" if conflict else "unknown"


def _about_days(moment: Moment) -> int:
    if moment.precision >= 11:
        return 7
    if moment.precision == 10:
        return 62
    # The further back, the rounder the guess: "around 1990" is 3 years, "around 500 BC" is 25.
    return 366 * (3 if moment.year > 1800 else 10 if moment.year > 1000 else 25)


def _part(modifier: str, days: _Days) -> _Days:
    """The early, middle or late part of a time; the whole of it for any other modifier."""
    return days.part(*_PARTS[modifier]) if modifier in _PARTS else days


def _calendars_may_differ(ours: Moment, theirs: Moment, claimed: Value, known: Value) -> bool:
    """The same day in the Julian and the Gregorian calendar: 10 to 13 days apart, until Greece changed in 1923."""
    if min(ours.precision, theirs.precision) < 11 or ours.year > 1923:
        return False
    if claimed.calendar and known.calendar and claimed.calendar == known.calendar:
        return False
    return 10 <= abs(ours.interval()[0] - theirs.interval()[0]) <= 13


# ── quantities ────────────────────────────────────────────────────────────────────────────────────────


class _Fact(NamedTuple):
    """A known quantity in the claimed unit; `moved`: it was converted."""

    number: Decimal
    low: Decimal
    high: Decimal
    moved: bool


def _quantities(claimed: Value, known: Value, modifier: str) -> State:
    claimed, known = read_as(claimed, known), read_as(known, claimed)
    ours, fact = as_decimal(claimed.value), _fact(known, claimed)
    if ours is None or fact is None:
        return "unknown"
    if claimed.upper is not None and claimed.lower is not None:
        low_claim, high_claim = as_decimal(claimed.lower) or ours, as_decimal(claimed.upper) or ours
        return "agree" if low_claim <= fact.high and fact.low <= high_claim else "conflict"
    compared = _comparator(modifier, ours, fact.low, fact.high, extends=known.upper is not None)
    return compared or _single(claimed, ours, fact, modifier)


def _fact(known: Value, claimed: Value) -> _Fact | None:
    """What is known in the claimed unit; None where it is no number or cannot be compared."""
    number = as_decimal(known.value) if known.datatype == "quantity" else read_number(known.value)
    converted = _convert(number, known, claimed) if number is not None else None
    if converted is None:
        return None
    theirs, scale, moved = converted
    return _Fact(theirs, *_bounds(known, theirs, scale, moved), moved)


def _single(claimed: Value, ours: Decimal, fact: _Fact, modifier: str) -> State:
    """A claimed number beside the known one, within the tolerance that its words ask for."""
    tolerance = _tolerance(claimed, ours, modifier)
    if modifier == "nearly":
        return _decided(
            agree=ours * Decimal("0.9") <= fact.high and fact.low <= ours,
            conflict=fact.high < ours * Decimal("0.9") or fact.low > ours + tolerance,
        )
    if not fact.low - max(tolerance, _cut_off(claimed, ours)) <= ours <= fact.high + tolerance:
        return "unknown" if _told_otherwise(claimed, ours, fact.number) else "conflict"
    agrees = modifier or fact.low <= ours <= fact.high or _is_rounded(claimed, ours, fact)
    return "agree" if agrees else "unknown"


def rounds(claimed: Value, known: Value) -> bool:
    """Whether a claimed quantity may be the known one, rounded further than `compare` takes for agreement: 25 kg for 24.5 kg."""
    ours = as_decimal(claimed.value)
    told = ours is not None and not _is_price(claimed, ours) and near(claimed, known, _ROUNDED)
    return told and compare(claimed, known) == "unknown"


def near(claimed: Value, known: Value, share: Decimal) -> bool:
    """Whether a claimed quantity, in its own unit, is at most `share` of itself away from the known one."""
    ours, theirs = as_decimal(claimed.value), as_decimal(known.value)
    converted = _convert(theirs, known, claimed) if theirs is not None else None
    return ours is not None and converted is not None and abs(converted[0] - ours) <= share * abs(ours)


def _convert(number: Decimal, known: Value, claimed: Value) -> tuple[Decimal, Decimal, bool] | None:
    """`number` in the claimed unit, the scale of the conversion, and whether there was one; None: not comparable."""
    if claimed.unit is None or known.unit is None:
        # A count claimed without a unit is compared with a bare number only; the reverse too.
        return (number, Decimal(1), False) if claimed.unit is known.unit else _bare(number, known, claimed)
    if claimed.unit.id and claimed.unit.id == known.unit.id:
        return number, Decimal(1), False
    ours, theirs = unit_of(claimed.unit), unit_of(known.unit)
    if ours is None or theirs is None:
        return (number, Decimal(1), False) if _fold(claimed.unit.label) == _fold(known.unit.label) else None
    return _change(number, theirs, ours) if _convertible(ours, theirs) else None


def _convertible(ours: Unit, theirs: Unit) -> bool:
    """Of one dimension; cents are of any currency that has them, an age and a time only where one of them is in years."""
    both = {ours.dimension, theirs.dimension}
    if both == {"age", "time"}:
        return YEAR in (theirs.node, ours.node)
    return len(both) == 1 or ("CENT" in both and bool(both & _IN_CENTS))


def _bare(number: Decimal, known: Value, claimed: Value) -> tuple[Decimal, Decimal, bool] | None:
    """One side has a unit, the other none: an ordinal or a percentage may be stored as a bare number, a length may not."""
    unit = claimed.unit or known.unit
    named = unit_of(unit)
    if named is not None and named.dimension in ("order", "ratio", "age", "atomic mass"):
        return number, Decimal(1), False
    # Unknown units are what a count is counted in ("inhabitants"), which text says with a noun.
    return (number, Decimal(1), False) if claimed.unit is None and named is None else None


def _change(number: Decimal, theirs: Unit, ours: Unit) -> tuple[Decimal, Decimal, bool]:
    if {theirs.dimension, ours.dimension} == {"age", "time"}:
        return number, Decimal(1), False
    base = number * theirs.factor + theirs.offset
    scale = theirs.factor / ours.factor
    return (base - ours.offset) / ours.factor, scale, theirs.node.id != ours.node.id


def _bounds(known: Value, number: Decimal, scale: Decimal, moved: bool) -> tuple[Decimal, Decimal]:
    lower, upper = as_decimal(known.lower or ""), as_decimal(known.upper or "")
    raw = as_decimal(known.value)
    if lower is not None and upper is not None and raw is not None and lower <= raw <= upper:
        return number + (lower - raw) * scale, number + (upper - raw) * scale
    # A converted number is no finer than it was before: 381 m is 1,250 ft give or take 1.6 ft. But an hour is not 90 minutes.
    slack = min(step(known.value)[0] / 2 * scale, abs(number) / _FINE) if moved else Decimal(0)
    return number - slack, number + slack


def _comparator(modifier: str, ours: Decimal, low: Decimal, high: Decimal, *, extends: bool) -> State | None:
    """`extends`: the known value is all from `low` to `high`, and not one somewhere between them."""
    if modifier == "more than":
        return _decided(agree=low > ours, conflict=high <= ours)
    if modifier == "at least":
        return _decided(agree=(low if extends else high) >= ours, conflict=high < ours)
    if modifier == "less than":
        return _decided(agree=high < ours, conflict=low >= ours)
    if modifier == "at most":
        return _decided(agree=(high if extends else low) <= ours, conflict=low > ours)
    return None


def _told_otherwise(claimed: Value, ours: Decimal, theirs: Decimal) -> bool:
    """Whether two books may tell a temperature so differently: iron melts at 1,535 or 1,538 °C. Half a percent, from absolute zero."""
    unit = unit_of(claimed.unit)
    if unit is None or unit.dimension != "temperature":
        return False
    return abs(ours - theirs) * unit.factor * 200 <= ours * unit.factor + unit.offset


def _is_rounded(claimed: Value, ours: Decimal, fact: _Fact) -> bool:
    """Whether people would call the known quantity by the claimed one: 115 minutes two hours, but not 90, and no $19.80 $20."""
    off = max(fact.low - ours, ours - fact.high)
    most = _TOLD_EXACTLY if not fact.moved and _less_exact(claimed, fact.number) else _ROUNDED
    return off <= most * abs(ours) and not _is_price(claimed, ours)


def _less_exact(claimed: Value, theirs: Decimal) -> bool:
    """Whether a whole number is claimed where the known one has a part: 24 or 25 kg for 24.5 kg, but not 25 million."""
    return step(claimed.label)[0] == 1 and theirs != theirs.to_integral_value()


def _is_price(claimed: Value, ours: Decimal) -> bool:
    """Whether a sum of money is given to the unit, and small enough to be meant so."""
    unit = unit_of(claimed.unit)
    money = unit is not None and unit.money
    return money and abs(ours) < _PRICE and step(claimed.label)[0] <= 1


def _cut_off(claimed: Value, ours: Decimal) -> Decimal:
    """What may have been cut off rather than rounded: 68.5 million people are "68 million", where that is a small part."""
    exact, _ = step(claimed.label)
    return exact if exact > 1 and exact * 50 <= abs(ours) else Decimal(0)


def _tolerance(claimed: Value, ours: Decimal, modifier: str) -> Decimal:
    exact, rounded = step(claimed.label)
    if modifier == "about":
        return max(abs(ours) / 10, rounded / 2)
    if modifier == "exactly":
        return Decimal(0) if exact >= 1 else exact / 2
    if claimed.unit is None and abs(ours) < 100 and exact == 1:
        return Decimal(0)  # a small count is exact: three children are not four
    dimension = _dimension(claimed)
    if dimension in ("age", "order"):
        return Decimal(0)
    # Mountains are measured again: 8,848 m and 29,029 ft are no mistakes for 8,849 m.
    measured = abs(ours) / 2000 if dimension in ("length", "area", "mass", "volume") else Decimal(0)
    # 25,000 may be rounded to thousands, but 300 is not 340: trailing zeros excuse 1 % at most.
    return max(exact / 2, measured, min(rounded / 2, abs(ours) / 100))


def _dimension(value: Value) -> str:
    """What its unit measures; "" without a known unit."""
    unit = unit_of(value.unit)
    return unit.dimension if unit is not None else ""
