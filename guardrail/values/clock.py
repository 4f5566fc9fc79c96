"""Times of day in text: "21:00", "8 pm", "half past ten in the evening", "a quarter to midnight".

    find_clocks("open until 8 pm") → [Clock(span, minutes=(1200,))]
    opening("08:30-18:00") → (510, 1080)

A time without a half of the day ("half past eight") may be either: it has two readings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from guardrail.types import Span
from guardrail.values.numbers import read_number

__all__ = ["Clock", "find_clocks", "opening"]

_DAY = 24 * 60
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOUR = rf"(?:{_HOURS}|1?\d|2[0-4])"
_HALF = (
    r"(?:\s?(?P<half>[ap](?:\.\s?m\.|\s?m\b))|\s(?:in\sthe|at)\s(?P<part>morning|afternoon|evening|night))"
)
# "From ten to four" is two times, and so is "eight to four": minutes are told by their name, or in fives.
_MINUTES = r"(?:[a-z]+|\d\d?)\sminutes|(?<!from\s)(?:five|ten|twenty|twenty-five|5|10|20|25)"
_CLOCK = re.compile(
    rf"(?<![\w.,:])(?:(?:(?P<past>a\squarter|quarter|half|(?P<n>{_MINUTES}))\s(?P<way>past|to|after))\s)?"
    rf"(?:(?P<word>noon|midday|midnight)|(?P<hour>{_HOUR})(?:[:.h](?P<minute>[0-5]\d)(?::[0-5]\d)?)?(?P<oclock>\so['’]clock)?{_HALF}?)"
    r"(?![\w]|[.,:]\d)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:at|until|till|to|from|by|before|after|and|between)\s$", re.IGNORECASE)
_SURE = ("minute", "half", "part", "oclock", "word", "past")  # what only a time has
_BEFORE_NOON = re.compile(r"a\W*m|morning")
_STORED = re.compile(r"(\d\d?):(\d\d)(?::\d\d)?(?:\s?[-–]\s?(\d\d?):(\d\d)(?::\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. `minutes` since midnight, one for each reading; `sure`: nothing else than a time can be meant."""

    span: Span
    text: str
    minutes: tuple[int, ...]
    sure: bool = True


def find_clocks(text: str) -> list[Clock]:
    """All times of day of `text` in order, and numbers after "at", "until" and their like, which may be one."""
    found = (_clock(text, match) for match in _CLOCK.finditer(text))
    return [one for one in found if one is not None]


def opening(text: str) -> tuple[int, int | None] | None:
    """A stored time of day, or opening and closing time, in minutes since midnight; None for any other text.

    Words may stand beside it ("Mo-Fr 09:00-17:00"), a second time may not.
    """
    found = list(_STORED.finditer(text))
    if len(found) != 1 or any(c.isdigit() for c in text[: found[0].start()] + text[found[0].end() :]):
        return None
    match = found[0]
    first = int(match[1]) * 60 + int(match[2])
    return first, int(match[3]) * 60 + int(match[4]) if match[3] else None


def _clock(text: str, match: re.Match[str]) -> Clock | None:
    offset = _offset(match)
    if offset is None:
        return None
    sure = any(match[name] for name in _SURE)
    if match["minute"] and "." in match[0] and not (match["half"] or match["part"]):
        sure = False  # "8.30" may be a number
    if not sure and not _BEFORE.search(text, 0, match.start()):
        return None
    readings = [(one + offset) % _DAY for one in _hours(match)]
    return Clock(Span(*match.span()), match[0], tuple(dict.fromkeys(readings)), sure)


def _offset(match: re.Match[str]) -> int | None:
    """Minutes that "half past" and its like add; None where the words name no number of minutes."""
    if not match["past"]:
        return int(match["minute"] or 0)
    if match["minute"]:
        return None
    words = match["past"].casefold()
    number = read_number(match["n"].split()[0]) if match["n"] else None
    amount = 30 if words == "half" else 15 if words.endswith("quarter") else int(number or 0)
    if not 0 < amount < 60:
        return None
    return -amount if match["way"].casefold() == "to" else amount


def _hours(match: re.Match[str]) -> tuple[int, ...]:
    if match["word"]:
        return (0,) if match["word"].casefold() == "midnight" else (_DAY // 2,)
    hour = int(read_number(match["hour"]) or 0)
    if half := match["half"] or match["part"]:
        noon = 0 if _BEFORE_NOON.match(half.casefold()) else 12
        return ((hour % 12 + noon) * 60,)
    sure = match["minute"] and len(match["hour"]) == 2
    return (hour * 60, (hour + 12) * 60) if 0 < hour < 12 and not sure else (hour * 60,)
