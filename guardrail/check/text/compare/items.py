"""The words of a text as they are compared: dates and numbers by value, negations apart, without articles and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from guardrail.types import Argument, Span
from guardrail.values import find_values

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
    """A word, or a date or number (`value`) as one. `key`: what makes two of them the same. `after`: the marks behind it."""

    key: str
    text: str
    span: Span
    value: Argument | None = None
    after: str = ""


@lru_cache(maxsize=4096)
def items(text: str) -> tuple[Item, ...]:
    """The words of `text` without articles, its dates and numbers each as one."""
    values = [argument for argument in find_values(text) if argument.span and not _in_name(text, argument)]
    raw: list[Item] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() < at:
            continue
        value = next(
            (v for v in values if v.span is not None and v.span.start <= match.start() < v.span.end), None
        )
        if value is not None and value.span is not None:
            at = value.span.end
            raw.append(Item(_value_key(value), value.text, value.span, value))
            continue
        raw += _words(match[0], match.start())
    starts = [*(item.span.start for item in raw[1:]), len(text)]
    return tuple(
        replace(one, after=text[one.span.end : following].strip())
        for one, following in zip(raw, starts, strict=False)  # no word, no mark behind it
        if one.key not in _ARTICLES
    )


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
