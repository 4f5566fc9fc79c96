"""Natural claim and evidence sets: three-way and balanced accuracy of the shipped cross-encoder, beside published ones.

The last two columns are what a user sees: of the labels that are given at the thresholds, how many are right.

No model that ships was trained on any of these sets (of MNLI: on none of these premises). Rows are sometimes fewer than
upstream, so published figures are anchors and not the same measurement.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.calibration import (
    balanced_accuracy,
    expected_calibration_error,
    reliability,
    show_reliability,
)
from eval.datasets.files import find
from eval.datasets.reading import read
from eval.train.dev import DEV
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, UNSUPPORTED, Example
from guardrail.models.nli import Embedded
from guardrail.models.settings import Thresholds

_MOST = 800  # pairs of each set, drawn with a fixed seed
# Published, for models below 50 M parameters unless said otherwise (model cards; see docs for sources).
_ANCHORS = {
    "mnli (kept aside)": "MNLI-m: same base, 100 k pairs .718; XtremeDistil-L6-H384 22 M, 393 k pairs .854",
    "snli test": "same base, 11 minutes of training .791",
    "cad_nli test": "same base, 11 minutes of training .665",
    "fever_symmetric": "symbolic features .577",
}


@dataclass(frozen=True, slots=True)
class Score:
    """`support`, `refutal`: labels given at the thresholds, as (right, given)."""

    count: int
    majority: float
    accuracy: float
    balanced: float
    confidence: NDArray[np.float32]
    right: NDArray[np.bool_]
    support: tuple[int, int]
    refutal: tuple[int, int]


def run() -> int:
    """Prints a row per set, then calibration over all three-way sets."""
    model = Embedded()
    print(
        f"{model.name}\n{'set':24}{'n':>6} {'classes':>8} {'majority':>9} {'accuracy':>9} {'balanced':>9}  {'ECE':6}"
        f"{'Attributable':>14} {'Contradictory':>14}"
    )
    three: list[Score] = []
    for name, reader in DEV.items():
        examples = list(reader(find(".")))
        examples = random.Random(5).sample(examples, min(_MOST, len(examples)))
        ways = _ways(examples)
        score = _score(examples, read(model, examples), ways, model.thresholds("passages"))
        if ways == 3:
            three.append(score)
        error = expected_calibration_error(score.confidence, score.right)
        print(
            f"{name:24}{score.count:6} {ways:8} {score.majority:9.3f} {score.accuracy:9.3f} {score.balanced:9.3f}  {error:.3f} "
            f"{_given(score.support):>14} {_given(score.refutal):>14}  {_ANCHORS.get(name, '')}",
            flush=True,
        )
    confidence = np.concatenate([score.confidence for score in three])
    right = np.concatenate([score.right for score in three])
    print(f"\nall three-way sets: ECE {expected_calibration_error(confidence, right):.3f}")
    print(show_reliability(reliability(confidence, right)))
    return 0


def _ways(examples: list[Example]) -> int:
    """3, or 2 where a set says only supported or not, or only supported or refuted."""
    labels = {example.labels for example in examples}
    return 2 if UNSUPPORTED in labels or len(labels) == 2 else 3


def _given(counted: tuple[int, int]) -> str:
    right, given = counted
    return f"{right / given:.3f} of {given}" if given else "none"


def _score(examples: list[Example], rows: NDArray[np.float32], ways: int, limits: Thresholds) -> Score:
    gold = np.array([_truth(example.labels, ways) for example in examples])
    labels = np.array([example.labels for example in examples])
    supported, refuted = rows[:, 0] >= limits.attributable, rows[:, 2] >= limits.contradictory
    support = int((supported & (labels == ATTRIBUTABLE)).sum()), int(supported.sum())
    refutal = int((refuted & (labels & CONTRADICTORY > 0)).sum()), int(refuted.sum())
    if ways == 2:  # the two classes of the set: Attributable against the other, or against all others
        other = rows[:, 2] if _refuting(examples) else rows[:, 1] + rows[:, 2]
        rows = np.stack([rows[:, 0], other], axis=1)
        rows = rows / rows.sum(axis=1, keepdims=True)
    predicted = rows.argmax(axis=1)
    return Score(
        len(examples),
        float(np.bincount(gold).max() / len(gold)),
        float((predicted == gold).mean()),
        balanced_accuracy(gold.tolist(), predicted.tolist()),
        rows.max(axis=1),
        predicted == gold,
        support,
        refutal,
    )


def _refuting(examples: list[Example]) -> bool:
    return {example.labels for example in examples} == {ATTRIBUTABLE, CONTRADICTORY}


def _truth(labels: int, ways: int) -> int:
    if ways == 2:
        return int(labels != ATTRIBUTABLE)
    return labels.bit_length() - 1
