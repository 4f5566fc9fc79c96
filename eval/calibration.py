"""Does confidence mean something: expected calibration error, the reliability table, and scores that survive imbalance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bin", "balanced_accuracy", "expected_calibration_error", "reliability", "show_reliability"]


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions whose confidence lies in [low, high): their number, mean confidence and share of right ones."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def reliability(confidence: NDArray[np.floating], right: NDArray[np.bool_], *, bins: int = 10) -> list[Bin]:
    """Bins of equal width over [0, 1] that hold anything. Guo et al. 2017, eq. 3."""
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    return [
        Bin(
            at / bins,
            (at + 1) / bins,
            int(inside.sum()),
            float(confidence[inside].mean()),
            float(right[inside].mean()),
        )
        for at in range(bins)
        if (inside := place == at).any()
    ]


def expected_calibration_error(
    confidence: NDArray[np.floating], right: NDArray[np.bool_], *, bins: int = 10
) -> float:
    """Mean distance of accuracy and confidence over the bins, weighted by their size. Guo et al. 2017, eq. 5."""
    found = reliability(confidence, right, bins=bins)
    total = sum(one.count for one in found)
    return sum(one.count * abs(one.accuracy - one.confidence) for one in found) / total if total else 0.0


def balanced_accuracy(truth: Sequence[int], predicted: Sequence[int]) -> float:
    """Mean recall over the classes that occur in `truth`."""
    gold, given = np.asarray(truth), np.asarray(predicted)
    classes = np.unique(gold)
    return float(np.mean([(given[gold == one] == one).mean() for one in classes])) if len(classes) else 0.0


def show_reliability(bins: Sequence[Bin]) -> str:
    """One line a bin: confidence, accuracy as a bar, and how many."""
    lines = ["confidence   right  n"]
    for one in bins:
        bar = "█" * round(one.accuracy * 30)
        lines.append(
            f"{one.low:.1f}–{one.high:.1f} ({one.confidence:.2f})  {one.accuracy:.2f}  {one.count:6}  {bar}"
        )
    return "\n".join(lines)
