"""Parts of speech by a greedy averaged perceptron (Collins 2002) in plain Python: no dependency, some 40,000 words a second.

The weights (guardrail/data/models/tagger.json.gz) are trained by `python -m eval.train_tagger` on UD English EWT and GUM.
Tags are those of the Penn Treebank.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from guardrail.claims.tokens import Token

__all__ = ["Tagger", "features", "load"]

MODEL = Path(__file__).parent.parent / "data" / "models" / "tagger.json.gz"


@dataclass(frozen=True, slots=True)
class Tagger:
    """`weights`: feature → ((class, weight), …); `known`: words that have one tag only."""

    classes: tuple[str, ...]
    weights: dict[str, tuple[tuple[int, float], ...]]
    known: dict[str, str]

    def tag(self, tokens: Sequence[Token]) -> None:
        """Sets `tag` of every token, from left to right."""
        shapes = [normal(token.text) for token in tokens]
        before, last = "-2-", "-1-"
        for at, token in enumerate(tokens):
            tag = self.known.get(token.text)
            if tag is None:
                scores = [0.0] * len(self.classes)
                for feature in features(at, shapes, token.text, last, before):
                    for index, weight in self.weights.get(feature, ()):
                        scores[index] += weight
                tag = self.classes[max(range(len(scores)), key=scores.__getitem__)]
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
    shape = ("X" if word[0].isupper() else "x") + ("A" if word.isupper() else "") + ("-" if "-" in word else "")
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
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)
    weights = {
        feature: tuple((int(index), float(weight)) for index, weight in pairs)
        for feature, pairs in data["weights"].items()
    }
    return Tagger(tuple(data["classes"]), weights, data["known"])
