"""The files that `python -m eval.train pack` writes, and the pairs of an epoch, drawn from them.

A *segment* is a sentence, a claim or a whole premise; each stands in the files once, as BERT's token ids. A pair is a list of segments
for its premise and one for its claim. So each epoch can place a claim beside other sentences of its passage, and the files stay small.

pairs.npz
    tokens, begins       uint16, uint32: the tokens of all segments, and where each begins
    characters           uint16: of each segment
    passages.begins, passages.segments, passages.titles     the sentences of each passage, and its title
    claims, claims.labels, claims.passages                  of each claim its segment, its labels as bits, its passage
    nearest.begins, nearest                                 of each claim the sentences of its passage, the nearest first
    NAME.AT.premises, NAME.AT.claims, NAME.AT.labels        copy AT of the pairs NAME, whose premises are one segment each
unlabelled.npz
    tokens, begins       of the segments that pairs.npz lacks, numbered behind its own
    premises.begins, premises, claims                       pairs that nobody labelled
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.train.lean.pairs import ATTRIBUTABLE, EXTRAPOLATORY, UNKNOWN, Pairs

__all__ = ["LONG", "PAIRS", "SHORT", "TEST", "UNLABELLED", "WHOLE", "Packed", "Recipe", "epochs"]

PAIRS, UNLABELLED = "pairs.npz", "unlabelled.npz"
TEST = "test"  # what the names of pairs begin with that nothing learns from
_LONGEST, _CLAIM = (
    316,
    120,
)  # tokens of a pair without marks, and of a claim; the premise is cut to what is left
_NEAR, _LESS = (
    (80, 300),
    (60, 220),
)  # characters of the sentences that a claim stands beside, whole or without the nearest
_TITLED, _SURROUNDED = 0.3, 0.35  # share of whole passages that get their title, another passage
_WITHOUT = (
    0.15  # share of the supported claims that are drawn beside their passage without the nearest sentence
)
_ONE = 0.7  # share of these where one sentence is left out, else two

Row = tuple[Sequence[int], int, int]
"""The segments of a premise, the segment of a claim, its labels as bits."""

Recipe = tuple[tuple[str, float], ...]
"""What an epoch is drawn from, and which share of it: names of pairs, or ways of placing the claims of twins."""

SHORT: Recipe = (("near", 1), ("without", 1), ("units", 1), ("tables", 1), ("cards", 0.5), ("natural", 0.6))
LONG: Recipe = (("whole", 0.7), ("units_whole", 0.8), ("natural", 0.6))
WHOLE: Recipe = (*SHORT, ("whole", 0.34), ("units_whole", 0.34))
"""For a model that reads pairs of any length with one body: a third beside whole passages."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What the files hold, by the names above."""

    arrays: dict[str, NDArray[Any]]
    more: dict[str, NDArray[Any]]

    @classmethod
    def read(cls, folder: Path, *, unlabelled: bool = False) -> Packed:
        """Raises FileNotFoundError where a file is missing; `unlabelled`: the second one, too."""
        arrays = _arrays(folder / PAIRS)
        more = _arrays(folder / UNLABELLED) if unlabelled else {}
        if more:
            arrays["begins"] = np.concatenate([arrays["begins"], more["begins"][1:] + arrays["begins"][-1]])
            arrays["tokens"] = np.concatenate([arrays["tokens"], more["tokens"]])
        return cls(arrays, more)

    def drawn(self, recipe: Recipe, seed: int) -> Pairs:
        """The pairs of one epoch."""
        rng = random.Random(seed)
        rows: list[Row] = []
        for name, share in recipe:
            found = _PLACED[name](self, rng) if name in _PLACED else self._copy(name, seed)
            rows += (row for row in found if share == 1 or rng.random() < share)
        return self._pairs(rows)

    def tests(self) -> dict[str, Pairs]:
        """Pairs that nothing learns from, by their names."""
        names = [key.split(".")[1] for key in self.arrays if key.startswith(TEST) and key.endswith(".claims")]
        return {name: self._pairs(list(self._rows(f"{TEST}.{name}"))) for name in names}

    def unlabelled(self, share: float = 1.0) -> Pairs:
        """The pairs that nobody labelled, this share of them."""
        rng = random.Random(0)
        premises = _divided(self.more["premises.begins"], self.more["premises"])
        rows = zip(premises, self.more["claims"].tolist(), strict=True)
        return self._pairs([(p.tolist(), c, UNKNOWN) for p, c in rows if share == 1 or rng.random() < share])

    def _copy(self, name: str, seed: int) -> Iterator[Row]:
        """Epochs take the copies of the pairs `name` in turn. Raises KeyError where there is none."""
        many = next(at for at in count() if f"{name}.{at}.claims" not in self.arrays)
        return self._rows(f"{name}.{seed % max(1, many)}")

    def _rows(self, name: str) -> Iterator[Row]:
        columns = (self.arrays[f"{name}.{part}"] for part in ("premises", "claims", "labels"))
        return (([premise], claim, int(labels)) for premise, claim, labels in zip(*columns, strict=True))

    def _pairs(self, rows: Sequence[Row]) -> Pairs:
        return Pairs.of([self._cut(*row) for row in rows])

    def _cut(
        self, premise: Sequence[int], claim: int, labels: int
    ) -> tuple[NDArray[np.uint16], NDArray[np.uint16], int]:
        said = self._segment(claim)[:_CLAIM]
        read = np.concatenate([self._segment(one) for one in premise])
        return read[: _LONGEST - len(said)], said, labels

    def _segment(self, number: int) -> NDArray[np.uint16]:
        begins = self.arrays["begins"]
        found: NDArray[np.uint16] = self.arrays["tokens"][begins[number] : begins[number + 1]]
        return found


@dataclass(frozen=True, slots=True)
class _Claim:
    """`said`: the segments of its passage; `nearest`: their places, the nearest first."""

    segment: int
    labels: int
    passage: int
    said: NDArray[Any]
    nearest: NDArray[Any]


def _claims(packed: Packed) -> Iterator[_Claim]:
    arrays = packed.arrays
    passages = _divided(arrays["passages.begins"], arrays["passages.segments"])
    orders = _divided(arrays["nearest.begins"], arrays["nearest"])
    columns = (arrays[name].tolist() for name in ("claims", "claims.labels", "claims.passages"))
    for segment, labels, passage, order in zip(*columns, orders, strict=True):
        yield _Claim(segment, labels, passage, passages[passage], order)


def _near(packed: Packed, rng: random.Random) -> Iterator[Row]:
    """Each claim of twins beside the sentences of its passage that are nearest to it."""
    characters = packed.arrays["characters"]
    for one in _claims(packed):
        kept = _fitting(one.said, one.nearest, characters, rng.randint(*_NEAR))
        yield kept, one.segment, one.labels


def _without(packed: Packed, rng: random.Random) -> Iterator[Row]:
    """Some supported claims beside their passage without the sentence that is nearest, or the two. What is left may support them or
    leave them open, but a true passage does not contradict them.
    """
    characters = packed.arrays["characters"]
    for one in _claims(packed):
        if one.labels == ATTRIBUTABLE and len(one.said) > 2 and rng.random() < _WITHOUT:
            rest = one.nearest[1 if rng.random() < _ONE else 2 :]
            kept = _fitting(one.said, rest, characters, rng.randint(*_LESS))
            yield kept, one.segment, ATTRIBUTABLE | EXTRAPOLATORY


def _whole(packed: Packed, rng: random.Random) -> Iterator[Row]:
    """Each claim beside its whole passage, some with its title, some with another passage before or after it."""
    arrays = packed.arrays
    passages = _divided(arrays["passages.begins"], arrays["passages.segments"])
    for one in _claims(packed):
        premise = list(one.said)
        if rng.random() < _TITLED:
            premise.insert(0, arrays["passages.titles"][one.passage])
        if rng.random() < _SURROUNDED:
            other = list(rng.choice(passages))
            premise = [*other, *premise] if rng.random() < 0.5 else [*premise, *other]
        yield premise, one.segment, one.labels


_PLACED: dict[str, Callable[[Packed, random.Random], Iterator[Row]]] = {
    "near": _near,
    "without": _without,
    "whole": _whole,
}


def _fitting(said: NDArray[Any], nearest: NDArray[Any], characters: NDArray[Any], room: int) -> list[int]:
    """The first of `nearest`, and what of the others has room beside it, in the order of the passage."""
    kept: list[int] = []
    spent = 0
    for place in nearest.tolist():
        length = int(characters[said[place]])
        if not kept or spent + length <= room:
            kept.append(place)
            spent += length
    return [int(said[place]) for place in sorted(kept)]


def _divided(begins: NDArray[Any], values: NDArray[Any]) -> list[NDArray[Any]]:
    return np.split(values, begins[1:-1])


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as file:
        return {key: file[key] for key in file.files}


def epochs(folder: Path, recipes: Sequence[Recipe], *, processes: int) -> Iterator[Pairs]:
    """An epoch for each recipe, drawn by other processes ahead of time: the GPU must not wait for Python."""
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_open, initargs=(folder,)
    )
    try:
        yield from pool.map(_epoch, recipes, range(len(recipes)))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_opened: Packed  # of this process


def _open(folder: Path) -> None:
    global _opened
    _opened = Packed.read(folder)


def _epoch(recipe: Recipe, seed: int) -> Pairs:
    return _opened.drawn(recipe, seed)
