"""Numbers exchanged, moved, or written otherwise."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from eval.train.edits.base import Change, Place, exchange, made_false, made_same
from guardrail.language import Doc, Token

__all__ = ["NUMBERS", "numbers"]

NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()


_RANGE = re.compile(r"\s*(?:to|and|or|–|-|—|/|,|:|by|x|×)\s*")


def numbers(place: Place) -> Iterator[Change]:
    """Two numbers of the sentence exchanged, one taken from another sentence or moved: false. Digits for words: the same."""
    doc, found = place.doc, _numbers_of(place.doc)
    for at, left in enumerate(found):
        for right in found[at + 1 :]:
            if left.low != right.low and not _RANGE.fullmatch(doc.text[left.end : right.start]):
                spans = (left.start, left.end), (right.start, right.end)
                yield made_false("numbers", *exchange(doc.text, *spans))
    for token in found:
        yield from _single(place, token)


def _numbers_of(doc: Doc) -> list[Token]:
    """The numbers that are written in digits, and the words from two to twelve."""
    found = (token for token in doc.tokens if token.tag == "CD")
    return [one for one in found if one.low in NUMBERS or re.fullmatch(r"\d[\d,.]*\d|\d", one.text)]


def _single(place: Place, token: Token) -> Iterator[Change]:
    doc = place.doc
    span = token.start, token.end
    named = token.head < token.at and doc.tokens[token.head].tag[0] == "N"  # "section 4"
    if not named and (other := _other_number(place, token)):
        yield made_false("number", (*span, other))
    if token.low in NUMBERS:
        yield made_same("digits", (*span, str(_count(token))))
    elif 2 <= _count(token) <= 12 and _kind_of(doc, token):
        yield made_same("digits", (*span, NUMBERS[_count(token) - 2]))
    yield from _units(doc, token)


def _kind_of(doc: Doc, token: Token) -> bool:
    """Whether a number counts something: "4 weeks", not "section 4" or "4 May"."""
    return token.dep == "nummod" and token.head == token.at + 1 and doc.tokens[token.head].tag == "NNS"


def _other_number(place: Place, token: Token) -> str:
    """A number written alike: one of another sentence, or this one moved."""
    own = {t.low for t in place.doc.tokens}
    elsewhere = [n for n in _numbers_elsewhere(place, token) if n.lower() not in own]
    if elsewhere and place.rng.random() < 0.5:
        return place.rng.choice(elsewhere)
    if token.low in NUMBERS:
        return place.rng.choice([n for n in NUMBERS if n not in own])
    other = _moved(_count(token), place.rng)
    return "" if other in own else other


def _numbers_elsewhere(place: Place, token: Token) -> list[str]:
    found = [t for doc in place.others for t in _numbers_of(doc)]
    return [
        t.text
        for t in found
        if t.text[0].isdigit() == token.text[0].isdigit() and len(t.text) == len(token.text)
    ]


def _moved(value: int, rng: random.Random) -> str:
    """Another number of the size of this one; "" for none."""
    if not value:
        return ""
    if 1500 < value < 2100:
        return str(value + rng.choice((-20, -5, -3, -2, -1, 1, 2, 3, 4, 10)))
    other = max(2, round(value * rng.choice((0.3, 0.5, 0.8, 1.2, 1.5, 2, 3))))
    return "" if other == value else str(other)


_CONVERTED = {("weeks", "days"): 7, ("days", "hours"): 24, ("years", "months"): 12, ("hours", "minutes"): 60}


def _units(doc: Doc, token: Token) -> Iterator[Change]:
    """A time in the next smaller unit: "two weeks" → "14 days" (the same) or "17 days" (false)."""
    if not _kind_of(doc, token):
        return
    unit, count = doc.tokens[token.head], _count(token)
    for (large, small), factor in _CONVERTED.items():
        if unit.low == large and 2 <= count <= 6:
            yield made_same("units", (token.start, unit.end, f"{count * factor} {small}"))
            yield made_false("units", (token.start, unit.end, f"{count * factor + factor // 2} {small}"))


def _count(token: Token) -> int:
    """The whole number that a token writes, or 0."""
    if token.low in NUMBERS:
        return NUMBERS.index(token.low) + 2
    return int(token.text) if token.text.isdigit() else 0
