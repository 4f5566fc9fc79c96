"""Makes the exported model's confidence mean something: one temperature, and thresholds per source of evidence.

Everything is found on pairs that training never touched, with the int8 model as it ships. The temperature minimises the
negative log likelihood (Guo et al. 2017, §4.2). A label's threshold is the smallest probability above which at least the
wanted share of predictions is right; what lies below is the abstain band, which is all where none is right so often.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from guardrail.models.encoder import Encoder

__all__ = ["logits_of", "softmax", "temperature", "thresholds"]

_RIGHT = 0.85  # the share of a label's verdicts that must be right
# label → its column, its bit, and the least threshold
_WANTED = {"attributable": (0, ATTRIBUTABLE, 0.7), "contradictory": (2, CONTRADICTORY, 0.85)}
_NEVER = 1.01  # where no probability is high enough

Rows = NDArray[np.float32]


def logits_of(encoder: Encoder, examples: Sequence[Example], *, longest: int) -> tuple[Rows, list[Example]]:
    """Logits and the examples that fit `longest` tokens."""
    tokens = encoder.tokenise([(e.premise, e.hypothesis) for e in examples])
    fitting = [at for at, one in enumerate(tokens) if len(one) <= longest]
    return encoder.run([tokens[at] for at in fitting]), [examples[at] for at in fitting]


def softmax(logits: Rows, heat: float = 1.0) -> Rows:
    raised = np.exp((logits - logits.max(axis=1, keepdims=True)) / heat)
    shares: Rows = raised / raised.sum(axis=1, keepdims=True)
    return shares


def temperature(logits: Rows, examples: Sequence[Example]) -> float:
    """The temperature in .5 to 3 that makes the three-way examples likeliest."""
    sure = [at for at, e in enumerate(examples) if e.labels in (ATTRIBUTABLE, EXTRAPOLATORY, CONTRADICTORY)]
    truth = [examples[at].labels.bit_length() - 1 for at in sure]

    def loss(heat: float) -> float:
        rows = softmax(logits[sure], heat)
        return float(-np.log(rows[np.arange(len(sure)), truth] + 1e-9).mean())

    return float(min(np.arange(0.5, 3.01, 0.05), key=loss))


def thresholds(rows: Rows, examples: Sequence[Example]) -> dict[str, float]:
    """Per label the probability above which enough of them are right; an open two-way label counts as wrong."""
    found: dict[str, float] = {}
    for name, (column, label, floor) in _WANTED.items():
        hits = np.array([e.labels == label for e in examples])
        # A two-way "not supported" does not say whether "contradictory" is right: it is left out there.
        known = np.array(
            [name == "attributable" or e.labels != CONTRADICTORY | EXTRAPOLATORY for e in examples]
        )
        order = np.argsort(-rows[:, column])
        order = order[known[order]]
        precision = np.cumsum(hits[order]) / np.arange(1, len(order) + 1)
        enough = np.flatnonzero(precision >= _RIGHT)
        least = float(rows[order[enough[-1]], column]) if len(enough) else _NEVER
        found[name] = round(max(least, floor), 3)
    return found
