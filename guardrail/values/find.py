"""`find_values`: everything in a text that is a date or a quantity."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from guardrail.types import Argument
from guardrail.values.find_dates import find_dates
from guardrail.values.find_numbers import find_numbers
from guardrail.values.fractions import find_fractions

__all__ = ["find_values"]


def find_values(text: str, *, offset: int = 0, today: date | None = None) -> list[Argument]:
    """Dates and quantities of `text`, in order, disjoint, spans shifted by `offset`.

    Numbers that are part of a name ("Boeing 737") are found too: the caller, who knows the names, drops overlaps.
    A range of years gives two dates with the modifiers "from" and "to", or "between" and "and"; a range of numbers one value with bounds.
    `today` lets "last year" and "two years ago" mean a year; without it they mean nothing.
    """
    dates = find_dates(text, today)
    found = [date_.argument for date_ in dates if date_.argument is not None]
    fractions = find_fractions(text)
    found += fractions
    taken = [(date_.start, date_.end) for date_ in dates]
    taken += [(one.span.start, one.span.end) for one in fractions if one.span]
    found += find_numbers(text, taken)
    found.sort(key=lambda argument: argument.span.start if argument.span else 0)
    if not offset:
        return found
    return [replace(a, span=a.span.shift(offset)) for a in found if a.span]
