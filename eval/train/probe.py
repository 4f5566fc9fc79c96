"""Hypothesis-only probe: how far the words of the claim alone give its label away.

A bag of words and word pairs, softmax regression, trained on claims without their evidence. Far above the majority
share, the minimal pairs leak, and a model may learn the claims instead of the reading.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from eval.train.example import Example

__all__ = ["hypothesis_only"]

_WIDTH = 1 << 15


def hypothesis_only(
    train: Sequence[Example], test: Sequence[Example], *, epochs: int = 6
) -> tuple[float, float]:
    """(accuracy of the probe, share of the majority class) on the three-way examples of `test`."""
    train = [e for e in train if e.labels in (1, 2, 4)]
    test = [e for e in test if e.labels in (1, 2, 4)]
    weights = np.zeros((_WIDTH, 3), np.float32)
    features = [_features(e.hypothesis) for e in train]
    truth = [e.labels.bit_length() - 1 for e in train]
    rng = np.random.default_rng(0)
    for epoch in range(epochs):
        rate = 0.5 / (1 + epoch)
        for at in rng.permutation(len(train)):
            scores = weights[features[at]].sum(axis=0)
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            shares[truth[at]] -= 1
            np.subtract.at(weights, features[at], rate * shares / len(features[at]) ** 0.5)
    gold = np.array([e.labels.bit_length() - 1 for e in test])
    guess = np.array([int(weights[_features(e.hypothesis)].sum(axis=0).argmax()) for e in test])
    return float((gold == guess).mean()), float(np.bincount(gold).max() / len(gold))


def _features(text: str) -> NDArray[np.int64]:
    words = ["^", *re.findall(r"\w+", text.lower()), "$"]
    grams = {*words, *(f"{a} {b}" for a, b in pairwise(words))}
    return np.array(sorted(zlib.crc32(gram.encode()) % _WIDTH for gram in grams))
