"""Parts of speech by a greedy averaged perceptron (Collins 2002), some 40,000 words a second.

The weights (guardrail/data/models/tagger.npz) are trained by `python -m eval.train.tagger` on UD English EWT and GUM.
Tags are those of the Penn Treebank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from guardrail.claims.reading.tokens import Token

__all__ = ["Tagger", "features", "load", "save"]

MODEL = Path(__file__).parents[2] / "data" / "models" / "tagger.npz"
SCALE = 100  # weights are kept in hundredths: int16 takes a tenth of the memory of Python numbers


@dataclass(frozen=True, slots=True)
class Tagger:
    """`rows`: feature → its row in `weights` [features, classes]; `known`: words that have one tag only."""

    classes: tuple[str, ...]
    rows: Mapping[str, int]
    weights: NDArray[np.int16]
    known: Mapping[str, str]

    def tag(self, tokens: Sequence[Token]) -> None:
        """Sets `tag` of every token, from left to right."""
        shapes = [normal(token.text) for token in tokens]
        before, last = "-2-", "-1-"
        for at, token in enumerate(tokens):
            tag = self.known.get(token.text)
            if tag is None:
                present = (
                    self.rows.get(feature) for feature in features(at, shapes, token.text, last, before)
                )
                scores = self.weights[[row for row in present if row is not None]].sum(axis=0, dtype=np.int32)
                tag = self.classes[int(scores.argmax())]
            token.tag = tag
            before, last = last, tag


def normal(word: str) -> str:
    """A word as the features see it: digits and years are classes of their own."""
    if word[0].isdigit() or (len(word) > 1 and word[0] in "$€£¥#" and word[1].isdigit()):
        return "!YEAR" if word.isdigit() and len(word) == 4 else "!DIGITS"
    return word.lower()


def features(at: int, shapes: Sequence[str], word: str, last: str, before: str) -> Iterator[str]:
    """What the perceptron looks at: the word, its neighbours, its affixes, its shape and the two tags before it."""
    low = shapes[at]
    left = shapes[at - 1] if at else "-START-"
    left2 = shapes[at - 2] if at > 1 else "-START-"
    right = shapes[at + 1] if at + 1 < len(shapes) else "-END-"
    right2 = shapes[at + 2] if at + 2 < len(shapes) else "-END-"
    shape = (
        ("X" if word[0].isupper() else "x") + ("A" if word.isupper() else "") + ("-" if "-" in word else "")
    )
    yield "w " + low
    yield "s3 " + low[-3:]
    yield "s2 " + low[-2:]
    yield "p2 " + low[:2]
    yield "sh " + shape + ("^" if not at else "")
    yield "t1 " + last
    yield "t2 " + before + " " + last
    yield "t1w " + last + " " + low
    yield "t1s " + last + " " + low[-2:] + shape
    yield "l " + left
    yield "l2 " + left2
    yield "r " + right
    yield "rs " + right[-3:]
    yield "r2 " + right2
    yield "wr " + low[-3:] + " " + right


@cache
def load(path: Path = MODEL) -> Tagger:
    """The tagger that is shipped; read once."""
    with np.load(path) as data:
        names, (words, tags) = _lines(data["features"]), map(_lines, (data["words"], data["tags"]))
        classes = tuple(_lines(data["classes"]))
        weights = np.zeros((len(names), len(classes)), np.int16)
        weights[np.repeat(np.arange(len(names)), data["counts"]), data["columns"]] = data["values"]
    return Tagger(
        classes, {name: row for row, name in enumerate(names)}, weights, dict(zip(words, tags, strict=True))
    )


def save(
    path: Path,
    classes: Sequence[str],
    weights: Mapping[str, Mapping[int, float]],
    known: Mapping[str, str],
) -> None:
    """Writes a model. `weights`: feature → class index → weight; what rounds to 0 is left out."""
    kept = {
        feature: found
        for feature, row in weights.items()
        if (
            found := {
                index: hundredths for index, weight in row.items() if (hundredths := round(weight * SCALE))
            }
        )
    }
    np.savez_compressed(
        path,
        classes=_bytes(classes),
        features=_bytes(kept),
        words=_bytes(known),
        tags=_bytes(known.values()),
        counts=np.array([len(row) for row in kept.values()], np.uint8),
        columns=np.array([index for row in kept.values() for index in row], np.uint8),
        values=np.array([value for row in kept.values() for value in row.values()], np.int16),
    )


def _bytes(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def _lines(data: NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode().split("\n")
