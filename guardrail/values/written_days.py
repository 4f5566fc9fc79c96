"""Days as people write them, of which some are none and some may be two.

    doubt("31/02/2001")  → there is no such day
    doubt("03/04/2021")  → it is 3 April to some and 4 March to others
    doubt("15/06/2022")  → "": one day; so is every other text that is no day

What stands beside a day tells which of two it is: who writes 15/06/2022 writes the day first, also in 03/04/2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from guardrail.values.dates import is_day, month_number, ordinal_number
from guardrail.values.find_dates import FULL_DATE, NUMERIC_DATE

__all__ = ["Order", "doubt", "in_order", "order_of"]

Order = Literal["", "day", "month"]
"""What stands first in 03/04/2021; "" where nothing tells."""
_LONGEST = 40
_Day = tuple[int, int, int]
_ISO = re.compile(r"(?P<year>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:[T ]\d\d:\d\d.*)?")


def doubt(text: str) -> str:
    """Why a text that is written like a day is not one day; "" for a day, and for what is not written like one."""
    readings = _readings(text)
    days = [_iso(day) for day in readings if is_day(*day)]
    if not readings or len(days) == 1:
        return ""
    return f"may be {days[0]} or {days[1]}: write one of these" if days else "is no day of the calendar"


def order_of(texts: Iterable[str]) -> Order:
    """What stands first in all of them: at least one shows it, and none shows the opposite."""
    shown = {order for text in texts if (order := _order(text))}
    return shown.pop() if len(shown) == 1 else ""


def in_order(text: str, order: Order) -> str:
    """A day that may be two, as the one that it is in this order, in ISO 8601; any other text as it is."""
    if not order or not doubt(text):
        return text
    readings = _readings(text)
    return _iso(readings[order == "month"]) if len(readings) == 2 and is_day(*readings[0]) else text


def _order(text: str) -> Order:
    readings = _readings(text)
    if len(readings) < 2:
        return ""
    day_first, month_first = (is_day(*reading) for reading in readings)
    return "" if day_first == month_first else "day" if day_first else "month"


@lru_cache(maxsize=65_536)
def _readings(text: str) -> tuple[_Day, ...]:
    """Year, month and day in each way that the form allows, be there such a day or not: of two, the first has the day first."""
    if len(text) > _LONGEST:
        return ()
    if (found := NUMERIC_DATE.fullmatch(text)) is not None:
        return _in_numbers(found)
    if (found := FULL_DATE.fullmatch(text)) is not None and found["year"] and not found["era"]:
        month, day = month_number(found["m"] or found["m2"]), ordinal_number(found["d"] or found["d2"])
        return ((int(found["year"]), month, day),)
    found = _ISO.fullmatch(text)
    return ((int(found["year"]), int(found["m"]), int(found["d"])),) if found is not None else ()


def _in_numbers(found: re.Match[str]) -> tuple[_Day, ...]:
    year, a, b = int(found["year"]), int(found["a"]), int(found["b"])
    return ((year, b, a), (year, a, b)) if found["sep"] == "/" and a != b else ((year, b, a),)


def _iso(day: _Day) -> str:
    return "{:04}-{:02}-{:02}".format(*day)
