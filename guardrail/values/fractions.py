"""Amounts told by fractions of a unit: "half a year", "three quarters of an hour", "a year and a half", "a fortnight"."""

from __future__ import annotations

import re
from decimal import Decimal

from guardrail.types import Argument, Span, Value
from guardrail.values.numbers import DIGITS, WORDS, plain, read_number
from guardrail.values.units import unit_named, unit_pattern

__all__ = ["find_fractions"]

_PARTS = {"half": Decimal("0.5"), "third": Decimal(1) / 3, "quarter": Decimal("0.25")}
_COUNTS = {"": 1, "a": 1, "one": 1, "two": 2, "three": 3}
_UNIT = unit_pattern()
_PART_OF = re.compile(
    rf"\b(?:(?P<count>a|one|two|three)[\s-])?(?P<part>half|third|quarter)s?(?:\sof)?\san?\s(?P<unit>{_UNIT})(?!\w)",
    re.IGNORECASE,
)
_AND_PART = re.compile(
    rf"\b(?:(?P<one>an?|one)\s(?P<unit>{_UNIT})\sand\s(?:a\s)?(?P<part>half|quarter)|"
    rf"(?P<number>{DIGITS}|(?i:{WORDS})|one)\sand\sa\s(?P<part2>half|quarter)\s(?P<unit2>{_UNIT}))(?!\w)",
    re.IGNORECASE,
)
_FORTNIGHT = re.compile(r"\b(?:an?|one)\sfortnight\b", re.IGNORECASE)


def find_fractions(text: str) -> list[Argument]:
    """Such amounts, in order and disjoint; O(n)."""
    found = [_argument(match, _of(match), match["unit"]) for match in _PART_OF.finditer(text)]
    for match in _AND_PART.finditer(text):
        number = Decimal(1) if match["one"] else read_number(match["number"]) or Decimal(1)
        part = _PARTS[(match["part"] or match["part2"]).casefold()]
        found.append(_argument(match, number + part, match["unit"] or match["unit2"]))
    found += [_argument(match, Decimal(2), "week") for match in _FORTNIGHT.finditer(text)]
    return sorted((one for one in found if one is not None), key=lambda one: one.span or Span(0, 0))


def _of(match: re.Match[str]) -> Decimal:
    return _COUNTS[(match["count"] or "").casefold()] * _PARTS[match["part"].casefold()]


def _argument(match: re.Match[str], number: Decimal, unit: str) -> Argument | None:
    named = unit_named(unit)
    if named is None:
        return None
    value = Value(match[0], plain(number), "quantity", unit=named.node)
    return Argument(match[0], Span(*match.span()), (), value)
