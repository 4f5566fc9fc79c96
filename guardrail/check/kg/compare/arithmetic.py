"""What must be reckoned before it can be compared: ages from dates of birth, and the number of a list's members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from operator import le, lt

from guardrail.check.kg.compare.timeline import best_of
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.sides import Side
from guardrail.rules import rule
from guardrail.types import Answer, Argument, Fact, Node, Object, Reason, Triplet, Value
from guardrail.values import State, compare
from guardrail.values.dates import moment_of
from guardrail.values.units import AGE, unit_of

__all__ = ["age_of", "by_absence", "by_age", "by_count", "of_any", "years_between"]

_AGE_WORDS = re.compile(r"(?:(?:the\s+)?age(?:\s+of)?|aged)\s+(\d{1,3})", re.IGNORECASE)
SURE, LIKELY = 0.95, 0.85
_AND_MORE = ("at least", "more than")


@rule("age")
def by_age(
    blank: FactFinding, fact: Fact, side: Side, statements: Sequence[Triplet], today: date
) -> FactFinding | None:
    """An age against a date of birth: today's minus the birth's, give or take what the precision leaves open."""
    value = side.claimed.value
    if value is None or value.datatype != "quantity" or not _is_age(fact, value):
        return None
    births = [o for t in statements if isinstance(o := side.known(t), Value) and o.datatype == "date"]
    if not births:
        return None
    years = _years_since(births[0], today)
    if years is None or fact.tense in ("past", "former"):
        found = blank.with_statements(side.known, statements, "unknown", confidence=UNDECIDED)
        return replace(found, note="age", reason=Reason.INSUFFICIENT)
    known = Value(str(years[1]), str(years[1]), "quantity", unit=AGE)
    states = {compare(value, replace(known, value=str(n)), modifier=side.claimed.modifier) for n in years}
    found = blank.with_statements(side.known, statements, best_of(states), confidence=SURE)
    return replace(found, note="age", known=(known,), cardinality="single", relation="age")


def _is_age(fact: Fact, value: Value) -> bool:
    return fact.object_type == "age" or (value.unit is not None and value.unit.id == AGE.id)


def age_of(argument: Argument) -> Value | None:
    """The age that an argument is ("76 years old", "age of 76"); None for anything else."""
    value = argument.value
    if value is not None:
        return value if value.unit is not None and value.unit.id == AGE.id else None
    match = _AGE_WORDS.fullmatch(argument.text.strip())
    return Value(match[1], match[1], "quantity", unit=AGE) if match else None


def years_between(birth: Object, event: Value) -> tuple[int, ...]:
    """The full years from a birth to an event: one number where both dates are exact, else the two that are possible."""
    start, end = moment_of(birth) if isinstance(birth, Value) else None, moment_of(event)
    if start is None or end is None or min(start.precision, end.precision) < 9 or start.year < 0:
        return ()
    full = end.year - start.year
    if full < 0:
        return ()
    if min(start.precision, end.precision) >= 11:
        return (full - ((end.month, end.day) < (start.month, start.day)),)
    return (full - 1, full)


def _years_since(birth: Value, today: date) -> tuple[int, int] | None:
    """Least and greatest number of full years between a birth and today."""
    moment = moment_of(birth)
    if moment is None or moment.precision < 9 or moment.year < 0:
        return None
    full = today.year - moment.year
    if moment.precision >= 11:
        full -= (today.month, today.day) < (moment.month, moment.day)
        return full, full
    return full - 1, full


@rule("count")
def by_count(
    blank: FactFinding, answer: Answer, side: Side, statements: Sequence[Triplet]
) -> FactFinding | None:
    """Counts the members of a list. One that may go on refutes a smaller number and proves "at least", nothing else.

    A list is whole where the graph says so of it. Where lists of its property name all members as a rule, that it has
    just as many is taken for support; that it has fewer refutes nothing.
    """
    value = _bare_number(side.claimed)
    if value is None:
        return None
    members = {o.id or o.label for t in statements if isinstance(o := side.known(t), Node)}
    if not 0 < len(members) == len(statements):
        return None
    known = Value(str(len(members)), str(len(members)), "quantity")
    found = blank.with_statements(side.known, statements, "unknown", confidence=UNDECIDED)
    found = replace(found, note="count" if answer.complete else "least", reason=Reason.OPEN_LIST)
    state = compare(value, known, modifier=side.claimed.modifier)
    if not answer.complete and not _certain(value, side.claimed.modifier, len(members), answer, state):
        return found
    sure = SURE if answer.complete or side.claimed.modifier in _AND_MORE else LIKELY
    return replace(found, state=state, reason=None, confidence=sure, known=(known,))


def _bare_number(claimed: Argument) -> Value | None:
    """The number that an argument is, where it may count members: "three metres" counts none."""
    value = claimed.value
    if value is None or value.datatype != "quantity" or claimed.mentions:
        return None
    return None if value.unit is not None and unit_of(value.unit) is not None else value


@rule("none")
def by_absence(blank: FactFinding, fact: Fact, answer: Answer, side: Side) -> FactFinding | None:
    """Of a list that is known to be whole and has no member: Mercury has no moons, and not two."""
    value = side.claimed.value
    if not answer.complete or answer.inverse or answer.about != "subject":
        return None
    none = Value("0", "0", "quantity")
    if value is not None and value.datatype == "quantity" and not side.claimed.mentions:
        state = compare(value, none, modifier=side.claimed.modifier)
    elif of_any(fact, side):
        state = "conflict"
    else:
        return None
    return replace(blank, state=state, note="none", cardinality="list", confidence=SURE, answers=0)


@rule("any-denied", silent=False)
def of_any(fact: Fact, side: Side) -> bool:
    """Whether any member at all is denied: "has no moons", read with the relation that counts them."""
    return (
        fact.negated
        and fact.object_type == "quantity"
        and bool(fact.relations)
        and side.claimed is fact.object
        and side.claimed.value is None
        and not side.claimed.mentions
    )


def _certain(value: Value, modifier: str, members: int, answer: Answer, state: State) -> bool:
    """Whether more members than are known would leave the outcome as it is, or hardly any list of the kind has more."""
    if modifier in _AND_MORE:
        return state == "agree"
    below = le if modifier == "less than" else lt
    try:
        too_few = below(Decimal(value.value), members)
    except InvalidOperation:
        return False
    if too_few and modifier in ("", "exactly", "at most", "less than"):
        return state == "conflict" and not answer.property.temporal
    as_a_rule = answer.property.complete or answer.property.cardinality == "single"
    return state == "agree" and as_a_rule and not answer.inverse
