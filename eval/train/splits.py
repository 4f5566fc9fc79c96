"""One-fact claims about Wikipedia sentences, from WikiSplit: a long sentence and the two short ones that people made of it.

Attributable    a short sentence, if it adds no word to the long one
Extrapolatory   the second short sentence beside the first, or the long one beside either
Contradictory   a number or date moved, or the sentence denied
not supported   a name put in for another: whether that contradicts depends on the relation
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example
from eval.train.sets import spaced, text_file
from eval.train.synthetic import negate

__all__ = ["split_pairs"]

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,4}(?![\w,-]|\.\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_SMALL = frozenset(
    "a an and are as at be been by for from had has have he her hers him his i in is it its of on or she that the their"
    " them there these they this to was were when where which while who whose with also".split()
)
_LIKELY = {"claim": 0.55, "next": 0.45, "longer": 0.2, "number": 0.8, "denied": 0.12, "name": 0.35}


def split_pairs(root: Path, rng: random.Random) -> Iterator[Example]:
    """The parts `tune` and `validation` (`test` is for evaluation)."""
    rows = [row for name in ("tune", "validation") for row in _rows(root / f"wiki_split/{name}.tsv.gz")]
    names = sorted({name for _, parts in rows for part in parts for name in _NAME.findall(part)})
    for whole, parts in rows:
        for label, premise, claim in _variants(whole, parts, names, rng):
            yield Example(premise, claim, label, "split", whole)


def _rows(path: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    with text_file(path) as file:
        for line in file:
            whole, _, simple = line.rstrip("\n").partition("\t")
            first, _, second = simple.partition(" <::::> ")
            if second and len(whole) < 400:
                yield _clean(whole), (_clean(first), _clean(second))


def _clean(text: str) -> str:
    return re.sub(r" +", " ", spaced(text.replace("''", " "))).strip()


def _variants(
    whole: str, parts: tuple[str, str], names: list[str], rng: random.Random
) -> Iterator[tuple[int, str, str]]:
    first, second = parts
    if rng.random() < _LIKELY["next"] and len(_words(second) - _words(first)) >= 3:
        yield EXTRAPOLATORY, first, second
    for part in parts:
        if not _words(part) - _words(whole):  # else it adds something: nobody says whether that is true
            yield from _beside(whole, part, names, rng)


def _beside(whole: str, part: str, names: list[str], rng: random.Random) -> Iterator[tuple[int, str, str]]:
    """What is made of a sentence and a part of it that adds nothing."""
    if rng.random() < _LIKELY["claim"]:
        yield ATTRIBUTABLE, whole, part
    if rng.random() < _LIKELY["longer"] and len(_words(whole) - _words(part)) >= 4:
        yield EXTRAPOLATORY, part, whole
    if rng.random() < _LIKELY["number"] and (moved := _moved(part, whole, rng)):
        yield CONTRADICTORY, whole, moved
    if rng.random() < _LIKELY["denied"] and (denied := negate(part, rng)):
        yield CONTRADICTORY, whole, denied
    if rng.random() < _LIKELY["name"] and (renamed := _renamed(part, whole, names, rng)):
        yield UNSUPPORTED, whole, renamed


def _moved(part: str, whole: str, rng: random.Random) -> str:
    """`part` with one of its numbers changed to one that `whole` does not have, or ""."""
    found = list(_NUMBER.finditer(part))
    if not found:
        return ""
    match = rng.choice(found)
    value = int(match[0])
    if value > 1000:
        other = value + rng.choice((-20, -7, -4, -3, -2, -1, 1, 2, 3, 5, 10))
    elif value <= 31:
        other = rng.randint(2, 28)
    else:
        other = max(2, round(value * rng.choice((0.3, 0.5, 0.8, 0.9, 1.1, 1.5, 2, 4))))
    changed = f"{part[: match.start()]}{other}{part[match.end() :]}"
    return "" if str(other) in _WORD.findall(whole) else changed


def _renamed(part: str, whole: str, names: list[str], rng: random.Random) -> str:
    found = list(_NAME.finditer(part))
    if not found:
        return ""
    match = rng.choice(found)
    length = len(match[0].split())
    for _ in range(12):
        other = rng.choice(names)
        if len(other.split()) == length and other not in whole:
            return f"{part[: match.start()]}{other}{part[match.end() :]}"
    return ""


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _SMALL
