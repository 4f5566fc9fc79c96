"""Grows the trees by which signals become a label, and finds the least shares at which labels are given.

Needs scikit-learn (`pip install --group train`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.train.example import ATTRIBUTABLE, BITS, CONTRADICTORY, EXTRAPOLATORY
from guardrail.check.weighing import COVERED, Limits, Trees
from guardrail.models.nli import softmax

__all__ = ["LABELS", "Allowed", "Row", "fitted", "grown", "least", "shares_of", "write"]

LABELS = {ATTRIBUTABLE: 0, EXTRAPOLATORY: 1, CONTRADICTORY: 2}
_BY_LABEL = {label: LABELS[bits] for label, bits in BITS.items()}
_ROUNDS, _RATE, _LEAF, _LOOKED_AT = 200, 0.06, 20, 12
_FOLDS = 5
_NEVER = 1e9  # no signal exceeds it

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """`group`: the passage or the table it is of, whose rows are never divided between growing and judging; `kind`: of data."""

    group: str
    kind: str
    label: int
    signals: dict[str, float]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Allowed:
    """The share of the sentences of these `kinds` that may get a wrong label: `green` of those whose label is in `unsupported`, `red` of
    those whose label is in `unrefuted`. It holds for sentences of whose words the evidence has at least the share `covered`, up to that
    of the next one.
    """

    kinds: tuple[str, ...]
    green: float
    red: float
    covered: float = 0.0
    unsupported: tuple[int, ...] = (2,)
    unrefuted: tuple[int, ...] = (0,)


def grown(found: Sequence[Row], model: str, allowed: Sequence[Allowed]) -> dict[str, object]:
    """The trees in the form of their file, with the least shares that keep what is `allowed`, by `covered`; each row is judged by trees
    that were grown without its group. Prints what they give for each kind.
    """
    names = list(found[0].signals)
    numbers = np.array([[row.signals[name] for name in names] for row in found])
    labels = np.array([row.label for row in found])
    weight = np.array([row.weight for row in found])
    kinds = np.array([row.kind for row in found])
    apart = _apart(found, numbers, labels, weight)
    covered = np.array([row.signals.get(COVERED, 0.0) for row in found])
    place = np.searchsorted([one.covered for one in allowed], covered, side="right") - 1
    limits = [
        _limits(apart, labels, (place == at) & np.isin(kinds, one.kinds), one)
        for at, one in enumerate(allowed)
    ]
    said = np.array([_BY_LABEL[limits[at].label(row)] for at, row in zip(place, apart.tolist(), strict=True)])
    for kind in dict.fromkeys(kinds.tolist()):
        _show(kind, said[kinds == kind], labels[kinds == kind])
    trees = fitted(numbers, labels, weight)
    return {
        "model": model,
        "limits": [asdict(one) for one in limits],
        "names": names,
        "start": trees.start.tolist(),
        "asked": trees.asked.tolist(),
        "least": np.nan_to_num(trees.least, posinf=_NEVER).tolist(),
        "given": trees.given.tolist(),
    }


def write(told: dict[str, object], out: Path) -> None:
    """A line for each part."""
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in told.items())
    out.write_text("{" + ",\n ".join(lines) + "}\n", encoding="utf-8")


def fitted(given: Numbers, labels: NDArray[np.int64], weight: Numbers) -> Trees:
    """Trees of two questions by gradient boosting on the log loss. `given`: `[rows, n]`."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=_ROUNDS,
        learning_rate=_RATE,
        max_depth=2,
        min_samples_leaf=_LEAF,
        subsample=0.7,
        max_features=_LOOKED_AT,
        random_state=0,
    ).fit(given, labels, sample_weight=weight)
    grown = [_tree(one.tree_) for round_ in model.estimators_ for one in round_]
    asked, limits, added = (np.array(part) for part in zip(*grown, strict=True))
    start = np.log(model.init_.class_prior_)
    return Trees(asked, limits, np.round(_RATE * added, 6), np.round(start, 6))


def _tree(tree: Any) -> tuple[list[int], list[float], list[float]]:
    """The questions and what the ends give; where a branch has no second question, none can be answered with yes."""
    asked, limits, added = [0, 0, 0], [np.inf] * 3, [0.0] * 4
    branches = (tree.children_left[0], tree.children_right[0]) if tree.node_count > 1 else (0, 0)
    if tree.node_count > 1:
        asked[0], limits[0] = int(tree.feature[0]), float(tree.threshold[0])
    for side, node in enumerate(branches):
        ends = (node, node)
        if node and tree.children_left[node] >= 0:
            asked[1 + side], limits[1 + side] = int(tree.feature[node]), float(tree.threshold[node])
            ends = (tree.children_left[node], tree.children_right[node])
        added[2 * side : 2 * side + 2] = [float(tree.value[end].item()) for end in ends]
    return asked, limits, added


def shares_of(trees: Trees, given: Numbers) -> Numbers:
    """Of each row: `[rows, 3]`."""
    return softmax(np.array([trees.scores(row) for row in given.astype(np.float32)], np.float32)).astype(
        np.float64
    )


def least(shares: Numbers, wrong: NDArray[np.bool_], rate: float) -> float:
    """The least probability that at most this share of the wrong rows reaches."""
    ordered = np.sort(shares[wrong])[::-1]
    return float(ordered[int(rate * len(ordered))]) + 1e-3


def _apart(found: Sequence[Row], numbers: Numbers, labels: NDArray[np.int64], weight: Numbers) -> Numbers:
    """The probabilities of each row by trees that were grown without its group."""
    fold = np.array([zlib.crc32(row.group.encode()) % _FOLDS for row in found])
    shares = np.zeros((len(found), 3))
    for one in range(_FOLDS):
        rest = fold != one
        shares[~rest] = shares_of(fitted(numbers[rest], labels[rest], weight[rest]), numbers[~rest])
    return shares


def _limits(
    shares: Numbers, labels: NDArray[np.int64], counted: NDArray[np.bool_], allowed: Allowed
) -> Limits:
    green = least(shares[:, 0], counted & np.isin(labels, allowed.unsupported), allowed.green)
    red = least(shares[:, 2], counted & np.isin(labels, allowed.unrefuted), allowed.red)
    return Limits(allowed.covered, round(green, 4), round(red, 4))


def _show(name: str, said: NDArray[np.int64], labels: NDArray[np.int64]) -> None:
    def share(label: int, given: int) -> str:
        return f"{(said[labels == label] == given).mean():.1%}"

    print(
        f"{name:18}{len(labels):6}  supported {share(0, 0)}  contradicted {share(2, 2)}  wrong red {share(0, 2)}"
        f"  wrong green {share(2, 0)}  of the open ones green {share(1, 0)}, red {share(1, 2)}"
    )
