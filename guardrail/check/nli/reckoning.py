"""A sentence that compares two things, or sets one above all others, against the values that statements give them.

A model that reads is bad at this; which of two values of one property is greater can be told exactly, whatever the sentence calls the
property: the sentence names the things, and says which way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from guardrail.check.text.compare.phrases import EMPTY
from guardrail.check.text.compare.stems import like_stems, stem
from guardrail.language.lists import any_of
from guardrail.types import Triplet
from guardrail.values.cells import read_cell, year_of
from guardrail.values.units import unit_of

__all__ = ["borne_out"]

Words = Sequence[str]

_WORD = re.compile(r"[^\W_]+")
_WAYS = {
    name: re.compile(rf"\b(?:{any_of(name)})\b", re.IGNORECASE)
    for name in ("greater", "lesser", "older", "younger")
}
_WAYS |= {
    "before": re.compile(r"\bbefore\b", re.IGNORECASE),
    "after": re.compile(r"(?<!look)(?<!looks)(?<!looked)(?<!named) after\b"),
}
_MULTIPLYING = re.compile(rf"\b(?:{any_of('multiplying')})\b", re.IGNORECASE)
_DENYING = re.compile(rf"\b(?:{any_of('denying')})\b|n['’]t\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:\w{3,}est|most|least|than (?:any|all|every|the others?|the rest)|of (?:all|them|those|the \w+))\b",
    re.IGNORECASE,
)


class _Size(NamedTuple):
    """Of a thing, by a property; sizes of one `kind` can be compared. `at`: where the claim names the thing, -1 where it does not."""

    property: str
    kind: str
    thing: str
    size: float
    at: int


def borne_out(claim: str, near: Sequence[Triplet]) -> float:
    """1 where the values bear out what the claim compares, -1 where they say otherwise, 0 where nothing is compared.

    By the property of the nearest statements that both things have; 0 where its values disagree.
    """
    if _MULTIPLYING.search(claim):
        return 0.0
    sizes = list(_sizes(_words(claim), near))
    for name in dict.fromkeys(size.property for size in sizes):
        found = set(_signs(claim, [size for size in sizes if size.property == name]))
        if found:
            return float(found.pop()) if len(found) == 1 else 0.0
    return 0.0


def _signs(claim: str, sizes: Sequence[_Size]) -> Iterator[int]:
    """Of each pair of values that the claim may compare."""
    denied = -1 if _DENYING.search(claim) else 1
    others = _OTHERS.search(claim) is not None
    for one, other in permutations(sizes, 2):
        both = 0 <= one.at < other.at or (others and one.at >= 0 > other.at)
        if both and one.kind == other.kind and one.thing != other.thing:
            yield from filter(None, [denied * _way(claim, one.kind) * _sign(one.size - other.size)])


def _way(claim: str, kind: str) -> int:
    """1 where the first is said to have the greater value, -1 where the lesser; 0 where that is not told."""
    dated = -1 if kind == "date" else 1
    signs = {"greater": 1, "lesser": -1, "older": dated, "younger": -dated}
    if kind in ("date", "time"):
        signs |= {"before": -1, "after": 1}
    found = [(match.start(), sign) for name, sign in signs.items() if (match := _WAYS[name].search(claim))]
    return min(found)[1] if found else 0


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)


def _sizes(claim: Words, near: Sequence[Triplet]) -> Iterator[_Size]:
    """Of the values that can be put in an order."""
    things = {one.subject.label: _words(one.subject.label) for one in near}
    shared = frozenset.intersection(*map(frozenset, things.values())) if len(things) > 1 else frozenset()
    for one in near:
        if (size := _size(one.object.label)) is not None:
            thing = one.subject.label
            own = [word for word in things[thing] if word not in shared]
            yield _Size(one.predicate.label, size[0], thing, size[1], _place(claim, own))


def _place(claim: Words, own: Words) -> int:
    """Where the claim names a thing by a word that others lack; -1 where it does not."""
    return next((at for at, word in enumerate(claim) if any(_same(word, at, one) for one in own)), -1)


def _same(word: str, at: int, one: str) -> bool:
    """Whether they are forms of one word; a letter is one where it is a capital and no article that begins a sentence."""
    if len(one) == 1:
        return word == one and (at > 0 or one != "A")
    return like_stems(stem(word.casefold()), stem(one.casefold()))


def _words(text: str) -> Words:
    return [word for word in _WORD.findall(text) if word not in EMPTY]


def _size(text: str) -> tuple[str, float] | None:
    """What kind of size it is, and how large in units of its kind; None of what has no size."""
    cell = read_cell(text)
    if cell is None:
        return None
    value = year_of(cell.value) or cell.value
    if cell.family == "time":
        hour, minute = value.value[:5].split(":")
        return "time", int(hour) * 60 + int(minute)
    if value.datatype == "date":
        year, month, day = (*map(int, value.value.lstrip("-").split("-")), 1, 1)[:3]
        return "date", (-year if value.value.startswith("-") else year) + month / 13 + day / 500
    if cell.family != "quantity":
        return None
    unit = unit_of(value.unit) if value.unit is not None else None
    number = float(value.value)
    return (unit.dimension, float(unit.factor) * number) if unit else (cell.dimension, number)
