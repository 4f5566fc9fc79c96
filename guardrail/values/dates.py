"""Dates with a precision: reading them, the interval each one covers, and writing them.

A `Moment` is what `Value` holds for dates: year (44 BC is -44; there is no year 0), month, day, and Wikidata's precision
(11 day, 10 month, 9 year, 8 decade, 7 century, 6 millennium). It covers a closed interval of days.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

from guardrail.types import Value
from guardrail.values.numbers import ORDINAL_WORDS

__all__ = ["MONTHS", "Moment", "day_number", "is_day", "moment_of", "month_number", "value_of"]

MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class Moment:
    year: int
    month: int = 0
    day: int = 0
    precision: int = 9

    def interval(self) -> tuple[int, int]:
        """First and last day covered, as running day numbers (see `day_number`)."""
        first, last = self._years()
        if self.precision >= 11 and self.month and self.day:
            number = day_number(self.year, self.month, self.day)
            return number, number
        if self.precision >= 10 and self.month:
            start = day_number(self.year, self.month, 1)
            return start, day_number(self.year, self.month, _month_length(self.year, self.month))
        return day_number(first, 1, 1), day_number(last, 12, 31)

    def _years(self) -> tuple[int, int]:
        size = {8: 10, 7: 100, 6: 1000}.get(self.precision, 1 if self.precision >= 9 else 10**4)
        if size == 1:
            return self.year, self.year
        # "The 1990s" are 1990 to 1999, but the 20th century is 1901 to 2000.
        shift = 0 if size == 10 else 1
        if self.year < 0:
            top = -((-self.year - shift) // size * size + shift)
            return top - size + 1, top
        first = (self.year - shift) // size * size + shift
        return first, first + size - 1


def _month_length(year: int, month: int) -> int:
    if month == 2 and year % 4 == 0 and (year <= 1582 or calendar.isleap(year)):
        return 29
    return 28 if month == 2 else calendar.monthrange(2001, month)[1]


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has the day: the Julian one until 1582, then the Gregorian."""
    return 1 <= month <= 12 and 1 <= day <= _month_length(year, month)


def day_number(year: int, month: int, day: int) -> int:
    """A running number of the day in the proleptic Gregorian calendar; BC years count down without a year 0."""
    astronomical = year + 1 if year < 0 else year
    shifted = astronomical % 400 + 400
    try:
        within = date(shifted, month, day).toordinal()
    except ValueError:  # 29 February 1700 of the Julian calendar
        within = date(shifted, month, 28).toordinal() + day - 28
    return within + (astronomical - shifted) // 400 * 146097


def moment_of(value: Value) -> Moment | None:
    """The moment that a date value holds; None when its text is no date."""
    match = re.fullmatch(r"([+-]?\d{1,16})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?", value.value)
    if value.datatype != "date" or not match:
        return None
    year, month, day = (int(part or 0) for part in match.groups())
    if month > 12 or day > 31:
        return None
    given = 11 if month and day else 10 if month else 9
    return Moment(year, month, day, min(value.precision or given, given))


def value_of(moment: Moment, label: str) -> Value:
    """The canonical `Value` of a moment: ISO 8601 cut to its precision; coarse ones hold their first year."""
    year = moment.year
    if moment.precision < 9:
        year = moment._years()[0]
    text = f"{'-' if year < 0 else ''}{abs(year):04d}"
    if moment.precision >= 10:
        text += f"-{moment.month:02d}"
    if moment.precision >= 11:
        text += f"-{moment.day:02d}"
    return Value(label=label, value=text, datatype="date", precision=moment.precision)


def month_number(word: str) -> int:
    """1 to 12 for a month's name or abbreviation, 0 for anything else."""
    word = word.casefold().rstrip(".")
    for i, name in enumerate(MONTHS, start=1):
        if name.casefold() == word or (len(word) >= 3 and name.casefold()[:3] == word[:3] and len(word) <= 4):
            return i
    return 0


def century_moment(number: int, *, bc: bool, precision: int = 7) -> Moment:
    """The nth century (or millennium with precision 6)."""
    size = 100 if precision == 7 else 1000
    year = -(number * size) if bc else (number - 1) * size + 1
    return Moment(year, precision=precision)


def ordinal_number(word: str) -> int:
    """21 for "21st" and for "twenty-first", 0 for anything else."""
    match = re.match(r"\d+", word)
    return int(match[0]) if match else ORDINAL_WORDS.get(word.casefold(), 0)
