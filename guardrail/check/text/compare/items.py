"""The words of a text as they are compared: dates and numbers by value, negations apart, without articles and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from guardrail.types import Argument, Span, Value
from guardrail.values import find_values
from guardrail.values.clock import find_clocks
from guardrail.values.find_dates import find_days

__all__ = ["Item", "items"]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")
_NOT = re.compile(r"\b(can|ca|wo|sha|\w+)n['’]t\b", re.IGNORECASE)
_ARTICLES = frozenset({"a", "an", "the"})
_MONTH = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)$"
)
_BEFORE_NUMBERS = frozenset(
    "in on at about over some nearly almost around approximately roughly only exactly the of by with after before for from"
    " all these those there between under up more than least most its his her their to has had with another other".split()
)


@dataclass(frozen=True, slots=True)
class Item:
    """A word, or a date, number (`value`) or time as one. `key`: what makes two of them the same. `after`: the marks behind it.

    `times`: the readings of a day without a year ("--05-20") or of a time of day in minutes ("555"), of which one may have two.
    The hash is of key and words alone: whole texts are looked up by their items again and again.
    """

    key: str
    text: str
    span: Span = field(hash=False)
    value: Argument | None = field(default=None, hash=False)
    after: str = field(default="", hash=False)
    times: frozenset[str] = field(default=frozenset(), hash=False)


@lru_cache(maxsize=4096)
def items(text: str) -> tuple[Item, ...]:
    """The words of `text` without articles, its dates and numbers each as one."""
    found = _found(text)
    raw: list[Item] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() < at:
            continue
        whole = next((one for one in found if one.span.start <= match.start() < one.span.end), None)
        if whole is not None:
            at = whole.span.end
            raw.append(whole)
            continue
        raw += _words(match[0], match.start())
    starts = [*(item.span.start for item in raw[1:]), len(text)]
    return tuple(
        replace(one, after=text[one.span.end : following].strip())
        for one, following in zip(raw, starts, strict=False)  # no word, no mark behind it
        if one.key not in _ARTICLES
    )


def _found(text: str) -> list[Item]:
    """Dates, numbers and times of `text`. A number with a unit, and a range, is no time of day."""
    values = [one for one in find_values(text) if not _in_name(text, one)]
    times = _apart(_times(text), [one.span for one in values if one.value and _measured(one.value)])
    numbers = (Item(_value_key(one), one.text, one.span, one) for one in values if one.span)
    return [*times, *_apart(numbers, [one.span for one in times])]


def _measured(value: Value) -> bool:
    return value.unit is not None or value.upper is not None


def _apart(found: Iterable[Item], taken: Sequence[Span | None]) -> list[Item]:
    """What overlaps nothing that is taken."""
    return [one for one in found if not any(span and span.overlaps(one.span) for span in taken)]


def _times(text: str) -> Iterator[Item]:
    for span, day in find_days(text):
        yield _time(text, span, [day])
    for clock in find_clocks(text):
        if clock.sure or not clock.text.isalnum():
            yield _time(text, clock.span, list(map(str, clock.minutes)))


def _time(text: str, span: Span, readings: Sequence[str]) -> Item:
    return Item(f"={'/'.join(readings)}", span.of(text), span, times=frozenset(readings))


def _words(word: str, start: int) -> Iterator[Item]:
    """A token as items: "didn't" is two."""
    span = Span(start, start + len(word))
    if (negated := _NOT.fullmatch(word)) is not None:
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(negated[1].casefold(), negated[1].casefold())
        yield Item(stem, word, Span(start, start))
        yield Item("not", word, span)
        return
    if word.casefold() == "cannot":
        yield Item("can", word, Span(start, start))
        yield Item("not", word, span)
        return
    plain = unicodedata.normalize("NFKD", word.replace("’", "'"))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    yield Item("&" if plain == "and" else plain.replace(".", ""), word, span)


def _value_key(argument: Argument) -> str:
    value = argument.value
    if value is None:
        return argument.text.casefold()
    unit = (value.unit.id or value.unit.label) if value.unit else ""
    return f"={value.datatype} {value.value} {value.lower or ''} {value.upper or ''} {unit}"


def _in_name(text: str, argument: Argument) -> bool:
    """Whether a number is a part of a name, as in "Apollo 11" or "Boeing 737"."""
    span, value = argument.span, argument.value
    if span is None or value is None:
        return True
    if value.datatype == "date":
        return False
    before = text[: span.start].rstrip()
    word = before[before.rfind(" ") + 1 :]
    named = word[:1].isupper() and word[-1:].isalnum() and word.casefold() not in _BEFORE_NUMBERS
    return value.unit is None and argument.text[:1].isdigit() and named and not _MONTH.search(word)
