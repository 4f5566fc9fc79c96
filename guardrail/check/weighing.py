"""Weighs what speaks for a claim and against it: boosted trees over named numbers, its signals (Friedman 2001, algorithm 6).

A tree asks two of the signals whether they exceed a value. The trees belong to the model whose probabilities are among the signals:
those for passages (`check.text.signals`) lie beside it as `verdict.json`, those for statements (`check.nli.signals`) as `records.json`.
How they are grown: eval/train/growing.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS
from guardrail.models.nli import Classifier, softmax
from guardrail.types import Label

__all__ = [
    "COVERED",
    "PASSAGES",
    "RECORDS",
    "Limits",
    "Shares",
    "Signals",
    "Trees",
    "Weighing",
    "weighing_for",
]

PASSAGES, RECORDS = "verdict.json", "records.json"
# The signal that limits may depend on: the share of the claim's words that the evidence has.
COVERED = "covered"
Signals = Mapping[str, float]
Shares = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Trees:
    """`asked` and `least`: `[n, 3]`, the signal that each question of a tree is about and the value that it must exceed: the
    first question, the second after a no, the second after a yes. `given`: `[n, 4]`, what the tree adds after no-no, no-yes,
    yes-no and yes-yes. The trees are for attributable, extrapolatory and contradictory in turn; `start`: `[3]`.
    """

    asked: NDArray[np.int64]
    least: NDArray[np.float64]
    given: NDArray[np.float64]
    start: NDArray[np.float64]

    def scores(self, signals: NDArray[np.float32]) -> NDArray[np.float64]:
        """`[3]`, before they are made shares."""
        every = np.arange(len(self.asked))
        first = (signals[self.asked[:, 0]] > self.least[:, 0]).astype(int)
        second = (signals[self.asked[every, 1 + first]] > self.least[every, 1 + first]).astype(int)
        summed: NDArray[np.float64] = self.given[every, 2 * first + second].reshape(-1, 3).sum(0)
        return self.start + summed


@dataclass(frozen=True, slots=True)
class Limits:
    """The least share at which a label is given to claims of whose words the evidence has at least `covered`."""

    covered: float
    attributable: float
    contradictory: float

    def label(self, shares: Shares) -> Label:
        if shares[0] >= self.attributable:
            return Label.ATTRIBUTABLE
        return Label.CONTRADICTORY if shares[2] >= self.contradictory else Label.EXTRAPOLATORY


@dataclass(frozen=True, slots=True)
class Weighing:
    """`limits`: by their `covered`, which begins with 0. A claim in other words than its evidence is harder to judge: one limit for both
    would leave nearly all of those open, or let too many mistakes through where the words are the same.
    """

    model: str
    names: tuple[str, ...]
    trees: Trees
    limits: tuple[Limits, ...]

    def shares(self, signals: Signals) -> Shares:
        """Of attributable, extrapolatory and contradictory. Raises ConfigError where a signal that the trees ask for is not measured."""
        if unknown := [name for name in self.names if name not in signals]:
            raise ConfigError(
                f"the trees of {self.model} ask for {unknown[0]!r}, which this version does not measure: grow them again"
                " (python -m eval.train verdicts)"
            )
        scores = self.trees.scores(np.array([signals[name] for name in self.names], np.float32))
        first, second, third = softmax(scores.astype(np.float32)).tolist()
        return first, second, third

    def label(self, signals: Signals, shares: Shares) -> Label:
        covered = signals.get(COVERED, 0.0)
        return next(one for one in reversed(self.limits) if covered >= one.covered).label(shares)


def weighing_for(model: Classifier, kind: str = PASSAGES) -> Weighing | None:
    """The trees that were grown for this model: those that lie beside it, else those that ship; None where neither were. `kind`: of
    evidence, `PASSAGES` or `RECORDS`. Raises ConfigError for trees that an earlier version has grown.
    """
    found = _read((model.folder or MODELS) / kind)
    return found if found and found.model == model.name else None


@cache
def _read(path: Path) -> Weighing | None:
    if not path.exists():
        return None
    told = json.loads(path.read_text(encoding="utf-8"))
    if "limits" not in told:
        raise ConfigError(
            f"{path} is of an earlier version: grow the trees again (python -m eval.train verdicts)"
        )
    trees = Trees(
        np.array(told["asked"]), np.array(told["least"]), np.array(told["given"]), np.array(told["start"])
    )
    limits = tuple(Limits(**one) for one in told["limits"])
    return Weighing(told["model"], tuple(told["names"]), trees, limits)
