"""Days of the week in text: "on Tuesdays and Thursdays", "Mon-Sat", "from Tuesday to Sunday", "at weekends", "daily".

find_weekdays("open Mon-Fri") → [Weekdays(span of "Mon-Fri", frozenset({0, 1, 2, 3, 4}))]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from guardrail.types import Span

__all__ = ["Weekdays", "find_weekdays", "weekdays"]

_WEEK = frozenset(range(7))
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:(?i:mon|tues|wednes|thurs|fri|satur|sun)(?i:days?)\b|(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|MON|TUE|WED|THU|FRI|SAT|SUN|Mo|Tu|We|Th|Fr|Sa|Su)\b\.?)"
_ARTICLE = r"(?:(?i:a|the|every|each)\s)?"
_LIST = rf"{_DAY}(?:\s?(?:[-–—]|,(?:\s(?i:and|or))?|/|&|\b(?i:to|through|until|till|and|or)\b)\s?{_ARTICLE}{_DAY})*"
_GROUPS = {"weekday": frozenset(range(5)), "weekend": frozenset({5, 6}), "dail": _WEEK, "every": _WEEK}
_GROUP = re.compile(
    r"\b(?P<group>weekdays?|weekends?)\b|\b(?P<all>daily|every day(?: of the week)?)\b", re.IGNORECASE
)
_FOUND = re.compile(rf"\b{_LIST}")
_ONE = re.compile(_DAY)
_RANGE = re.compile(r"\s?(?:[-–—]|\b(?:to|through|until|till)\b)\s?", re.IGNORECASE)
_NEAR = 12  # characters before a day
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_ONE_OF_SEVERAL = re.compile(
    r"\b(?:good|easter|whit|black|ash|palm|holy|maundy|shrove|cyber|super|first|second|third|fourth|last|other|alternate|\d(?:st|nd|rd|th))\s+$",
    re.IGNORECASE,
)
_OF_THE_MONTH = re.compile(r"\s+(?:of|in) (?:the|each|every) month\b", re.IGNORECASE)
# A short form that stands alone has so many letters ("We" is none), and no word follows it ("Sat on a bench").
_FEWEST = 3
_WORD_BEHIND = re.compile(r"\s+[^\W\d]")


@dataclass(frozen=True, slots=True)
class Weekdays:
    """A place of a text that names days of the week: 0 is Monday."""

    span: Span
    days: frozenset[int]


def find_weekdays(text: str) -> list[Weekdays]:
    """All of `text` in order. O(n)."""
    return sorted([*_listed(text), *_grouped(text)], key=lambda one: one.span.start)


@lru_cache(maxsize=4096)
def weekdays(text: str) -> frozenset[int]:
    """All days that a text names."""
    return frozenset(day for one in find_weekdays(text) for day in one.days)


def _listed(text: str) -> Iterator[Weekdays]:
    for match in _FOUND.finditer(text):
        days = [(found, _number(found[0])) for found in _ONE.finditer(text, *match.span())]
        if len(days) == 1 and not _clear(text, match):
            continue
        members = {number for _, number in days}
        for (one, first), (other, last) in pairwise(days):
            between = len(days) == 2 and _BETWEEN.search(text, max(0, one.start() - _NEAR), one.start())
            if between or _RANGE.fullmatch(text[one.end() : other.start()]):
                members |= {(first + step) % 7 for step in range((last - first) % 7)}
        yield Weekdays(Span(*match.span()), frozenset(members))


def _clear(text: str, match: re.Match[str]) -> bool:
    """Whether one day alone is meant as one: "the Sun" and "We" are none, nor is Good Friday or the first Monday of a month."""
    before = text[max(0, match.start() - _NEAR) : match.start()]
    if _ONE_OF_SEVERAL.search(before) or _OF_THE_MONTH.match(text, match.end()):
        return False
    if match[0].casefold().rstrip("s").endswith("day"):
        return True
    beside = before.casefold().endswith("the ") or _WORD_BEHIND.match(text, match.end())
    return len(match[0]) >= _FEWEST and not beside


def _grouped(text: str) -> Iterator[Weekdays]:
    for match in _GROUP.finditer(text):
        days = next(days for start, days in _GROUPS.items() if match[0].casefold().startswith(start))
        yield Weekdays(Span(*match.span()), days)


def _number(day: str) -> int:
    return next(at for at, name in enumerate(_NAMES) if name.startswith(day.casefold()[:2]))
