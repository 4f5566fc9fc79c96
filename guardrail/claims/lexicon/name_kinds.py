"""What a name that no graph knows probably is: a person, an organisation, a place or a work.

An averaged perceptron over the words of the name and the two words on either side of it. The weights
(guardrail/data/models/names.npz) are trained by `python -m eval.train.names`. It answers only where it is sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["MODEL", "NameKinds", "features", "likely", "load"]

MODEL = Path(__file__).parents[2] / "data" / "models" / "names.npz"
SURE = {"person": 1.0, "org": 2.0, "place": 2.0, "work": 2.0, "other": 0.0}
"""How far ahead the best kind must be, in weights: people are easiest to tell."""


@dataclass(frozen=True, slots=True)
class NameKinds:
    """`rows`: feature → its row in `weights` [features, kinds], in hundredths."""

    kinds: tuple[str, ...]
    rows: dict[str, int]
    weights: NDArray[np.int16]

    def scores(self, present: Sequence[str]) -> NDArray[np.float64]:
        """One number for each of `kinds`, the largest for the likeliest."""
        found = [row for row in (self.rows.get(feature) for feature in present) if row is not None]
        total: NDArray[np.float64] = self.weights[found].sum(axis=0, dtype=np.float64)
        return total / 100


def features(name: str, before: Sequence[str] = (), after: Sequence[str] = ()) -> Iterator[str]:
    """What the perceptron looks at. `before` and `after`: the words around the name, the nearest one first."""
    words = name.split()
    low = [word.lower().strip("\"“”'’().,") for word in words]
    yield f"c {min(len(words), 5)}"
    yield "f " + low[0]
    yield "l " + low[-1]
    yield "s3 " + low[-1][-3:]
    yield "s4 " + low[-1][-4:]
    yield "p3 " + low[0][:3]
    yield "fs3 " + low[0][-3:]
    for word in low[1:-1]:
        yield "m " + word
    for word in dict.fromkeys(low):
        yield "w " + word
    yield "shape " + "".join(_shape(word) for word in words[:4])
    if before:
        yield "b1 " + before[0]
        yield "b2 " + " ".join(reversed(before[:2]))
    if after:
        yield "a1 " + after[0]
        yield "a2 " + " ".join(after[:2])
    if before and after:
        yield "ba " + before[0] + " " + after[0]


def _shape(word: str) -> str:
    if any(c.isdigit() for c in word):
        return "9"
    if word.isupper():
        return "I" if len(word) <= 2 and word.endswith(".") else "A"
    return "X" if word[:1].isupper() else "x"


@cache
def load(path: Path = MODEL) -> NameKinds:
    """The model that is shipped; read once."""
    with np.load(path) as data:
        names = data["features"].tobytes().decode().split("\n")
        kinds = tuple(data["kinds"].tobytes().decode().split("\n"))
        return NameKinds(kinds, {name: row for row, name in enumerate(names)}, data["weights"])


@lru_cache(maxsize=4096)
def likely(name: str, before: tuple[str, ...] = (), after: tuple[str, ...] = ()) -> str:
    """The kind of a name, "" where that is not sure or none that matters."""
    if not name[:1].isupper():
        return ""
    model = load()
    scores = model.scores(list(features(name, before, after)))
    order = scores.argsort()
    best = model.kinds[int(order[-1])]
    sure = scores[order[-1]] - scores[order[-2]] >= SURE[best]
    return best if sure and best != "other" else ""
