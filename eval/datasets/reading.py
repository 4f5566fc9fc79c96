"""Reads natural claim-and-evidence pairs with a classifier the way the checker does: in windows that fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.train.example import Example
from guardrail.check.text.windows import windows
from guardrail.models.nli import Classifier
from guardrail.types import Passage, Source

__all__ = ["read"]

_ROOM = 300  # tokens, as in guardrail.check.text.reading


def read(model: Classifier, examples: Sequence[Example]) -> NDArray[np.float32]:
    """One row of probabilities per example: that of the premise which decides most, for or against."""
    pairs: list[tuple[str, str]] = []
    owner: list[int] = []
    for at, example in enumerate(examples):
        hypothesis = example.hypothesis
        spare = model.window - model.specials - model.lengths([hypothesis])[0] - 8
        evidence = (Passage("e", example.premise, Source.REQUEST),)
        found = windows(evidence, room=min(_ROOM, max(32, spare)), measure=model.lengths)
        pairs += [(window.text, hypothesis) for window in found]
        owner += [at] * len(found)
    rows = np.concatenate([model.probabilities(pairs[at : at + 256]) for at in range(0, len(pairs), 256)])
    best = np.tile(np.array([0.0, 1.0, 0.0], np.float32), (len(examples), 1))
    strength = np.full(len(examples), -1.0)
    for at, row in zip(owner, rows, strict=True):
        if (decided := max(row[0], row[2])) > strength[at]:
            best[at], strength[at] = row, decided
    return best
