"""A sentence that compares two things, or sets one above all others, against the values that statements give them.

A model that reads is bad at this; which of two values of one property is greater can be told exactly, whatever the sentence calls the
property: the sentence names the things, and says which way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from guardrail.check.text.compare.phrases import EMPTY
from guardrail.check.text.compare.stems import like_stems
from guardrail.language.lists import any_of
from guardrail.language.stems import light_stem
from guardrail.types import Triplet
from guardrail.values.cells import read_cell
from guardrail.values.comparisons import superlative_in
from guardrail.values.numbers import WORDS
from guardrail.values.units import unit_of

__all__ = ["Reckoned", "borne_out"]

Words = Sequence[str]

_WORD = re.compile(r"[^\W_]+")
_WAYS = {
    name: re.compile(rf"\b(?:{any_of(name)})\b", re.IGNORECASE)
    for name in ("greater", "lesser", "older", "younger")
}
_WAYS |= {
    "before": re.compile(r"\bbefore\b", re.IGNORECASE),
    "after": re.compile(r"(?<!look)(?<!looks)(?<!looked)(?<!named)\bafter\b", re.IGNORECASE),
}
_FIRST = re.compile(r"\W*(?:before|after)\b", re.IGNORECASE)
_MULTIPLYING = re.compile(rf"\b(?:{any_of('multiplying')})\b", re.IGNORECASE)
_DENYING = re.compile(rf"\b(?:{any_of('denying')})\b|n['’]t\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\bthan (?:any|all|every|the others?|the rest)\b|\bof (?:all|them|those|the \w+)\b", re.IGNORECASE
)
_DIFFERENCE = re.compile(
    rf"\bby \S+ \w+|(?:\d|\b(?:{WORDS})\b)[^.,;]{{0,20}}\b(?:more|less|fewer|before|after|above|below)\b",
    re.IGNORECASE,
)
_YEARS = (1000, 2200)  # from and to, of numbers that may be years


class Reckoned(NamedTuple):
    """`sign`: 1 where the values bear out what is compared, -1 where they say otherwise, 0 where nothing is. `by`: whose values tell."""

    sign: int
    by: Sequence[Triplet]


class _Size(NamedTuple):
    """What a statement gives; sizes of one `kind` can be compared. `at`: where the claim names the statement's subject, -1 where it does not."""

    statement: Triplet
    kind: str
    size: float
    at: int


_NOTHING = Reckoned(0, ())


def borne_out(claim: str, near: Sequence[Triplet]) -> Reckoned:
    """Whether the values bear out what the claim compares.

    By the property of the nearest statements that both things have; one value that says otherwise is enough. By how much one exceeds the
    other is not reckoned, so a claim that says it is not borne out.
    """
    if _MULTIPLYING.search(claim):
        return _NOTHING
    words, by_how_much = _words(claim), _DIFFERENCE.search(claim) is not None
    for name in dict.fromkeys(one.predicate.label for one in near):
        sizes = list(_sizes(words, [one for one in near if one.predicate.label == name]))
        if signs := list(_signs(claim, sizes)):
            return _NOTHING if by_how_much and _all(signs).sign > 0 else _all(signs)
    return _NOTHING


def _all(signs: Sequence[Reckoned]) -> Reckoned:
    """The first that says otherwise, else all together."""
    refuting = next((one for one in signs if one.sign < 0), None)
    return refuting or Reckoned(1, tuple(dict.fromkeys(said for one in signs for said in one.by)))


def _signs(claim: str, sizes: Sequence[_Size]) -> Iterator[Reckoned]:
    """Of each pair of values that the claim may compare."""
    denied = -1 if _DENYING.search(claim) else 1
    for one, other in _compared(claim, sizes):
        way = _way(claim, dated=_dated(one) and _dated(other))
        if way != 0:
            sign = denied if way * (one.size - other.size) > 0 else -denied
            yield Reckoned(sign, (one.statement, other.statement))


def _compared(claim: str, sizes: Sequence[_Size]) -> Iterator[tuple[_Size, _Size]]:
    """Two things that the claim names, in its order; of what it sets above all others, it and each other."""
    others = superlative_in(claim) or _OTHERS.search(claim) is not None
    for one, other in permutations(sizes, 2):
        both = 0 <= one.at < other.at or (others and one.at >= 0 > other.at)
        if both and one.statement.subject != other.statement.subject and _comparable(one, other):
            yield one, other


def _comparable(one: _Size, other: _Size) -> bool:
    """Of one kind; a year, which may be any number, and a date are."""
    return one.kind == other.kind or (_dated(one) and _dated(other))


def _dated(size: _Size) -> bool:
    return size.kind == "date" or (size.kind == "" and _YEARS[0] <= size.size < _YEARS[1])


def _way(claim: str, *, dated: bool) -> int:
    """1 where the first is said to have the greater value, -1 where the lesser; 0 where that is not told."""
    age, turned = (-1 if dated else 1), (-1 if _FIRST.match(claim) else 1)
    signs = {"greater": 1, "lesser": -1, "older": age, "younger": -age, "before": -turned, "after": turned}
    found = [(match.start(), sign) for name, sign in signs.items() if (match := _WAYS[name].search(claim))]
    return min(found)[1] if found else 0


def _sizes(claim: Words, near: Sequence[Triplet]) -> Iterator[_Size]:
    """Of the values of one property that can be put in an order."""
    things = {one.subject.label: _words(one.subject.label) for one in near}
    common = Counter(word for words in things.values() for word in set(words))
    for one in near:
        if (size := _size(one.object.label)) is not None:
            own = [word for word in things[one.subject.label] if common[word] == 1]
            yield _Size(one, size[0], size[1], _place(claim, own))


def _place(claim: Words, own: Words) -> int:
    """Where the claim names a thing by a word that others lack; -1 where it does not."""
    return next((at for at, word in enumerate(claim) if any(_same(word, at, one) for one in own)), -1)


def _same(word: str, at: int, one: str) -> bool:
    """Whether they are forms of one word; a letter is one where it is a capital and no article that begins a sentence."""
    if len(one) == 1:
        return word == one and (at > 0 or one != "A")
    return like_stems(light_stem(word.casefold()), light_stem(one.casefold()))


def _words(text: str) -> Words:
    return [word for word in _WORD.findall(text) if word not in EMPTY]


def _size(text: str) -> tuple[str, float] | None:
    """What kind of size it is, and how large in units of its kind; None of what has no size."""
    cell = read_cell(text)
    if cell is None:
        return None
    value = cell.value
    if cell.family == "time":
        hour, minute = value.value[:5].split(":")
        return "time", int(hour) * 60 + int(minute)
    if value.datatype == "date":
        year, month, day = (*map(int, value.value.lstrip("-").split("-")), 1, 1)[:3]
        return "date", (-year if value.value.startswith("-") else year) + month / 13 + day / 500
    if cell.family != "quantity":
        return None
    unit = unit_of(value.unit)
    number = float(value.value)
    return (unit.dimension, float(unit.factor) * number) if unit else (cell.dimension, number)
