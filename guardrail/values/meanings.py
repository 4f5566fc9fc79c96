"""Words that name two units: "pounds" are money where something costs so many, and a mass where it weighs that."""

from __future__ import annotations

import re
from dataclasses import replace

from guardrail.language.lists import any_of
from guardrail.types import Argument, Value
from guardrail.values.units import Unit, unit_named, unit_named_otherwise, unit_of

__all__ = ["meant", "other_reading", "read_as"]

_TELLING = re.compile(rf"\b(?:(?P<money>{any_of('paying')})|(?P<mass>{any_of('weighing')}))\b", re.IGNORECASE)
_UNIT = re.compile(r"[^\W\d_]+\Z")


def meant(words: str, text: str, start: int) -> tuple[Unit, ...]:
    """The units that `words` may name behind the number at `start`, the usual one first; the one that the text tells, if it does:
    by the last telling word before the number, else by the first behind it.
    """
    first, second = unit_named(words), unit_named_otherwise(words)
    units = tuple(unit for unit in (first, second) if unit is not None)
    if len(units) < 2:
        return units
    found = list(_TELLING.finditer(text))
    if not found:
        return units
    before = [one for one in found if one.end() <= start]
    money = (before[-1] if before else found[0])["money"] is not None
    return tuple(unit for unit in units if unit.money == money) or units


def other_reading(argument: Argument, text: str) -> Value | None:
    """The value in the other unit that its words may name, where nothing in the text tells which."""
    value, span = argument.value, argument.span
    if value is None or span is None or value.unit is None:
        return None
    units = meant(_words(value), text, span.start)
    other = next((unit for unit in units[1:] if unit.node != value.unit), None)
    return replace(value, unit=other.node) if other is not None else None


def read_as(value: Value, like: Value) -> Value:
    """The value in the unit that can be compared with that of another one, if its words may name such a unit."""
    ours, theirs = (unit_of(one.unit) for one in (value, like))
    if ours is None or theirs is None or ours.dimension == theirs.dimension:
        return value
    words = _words(value)
    may_be = (unit_named(words), unit_named_otherwise(words))
    found = next((unit for unit in may_be if unit is not None and unit.dimension == theirs.dimension), None)
    return replace(value, unit=found.node) if found is not None and ours in may_be else value


def _words(value: Value) -> str:
    """The last word of a value: "pounds" of "thirty-one pounds"."""
    found = _UNIT.search(value.label)
    return found[0] if found is not None else ""
