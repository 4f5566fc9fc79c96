"""Thresholds with a guarantee: conformal risk control over reviewed verdicts.

Given n reviewed verdicts of a label, exchangeable with the ones to come, find the lowest confidence at which acting on
the label is wrong at most a share alpha of the time, over all verdicts of that label:

    L_i(t) = 1 if verdict i has confidence >= t and its label is wrong, else 0        (does not grow with t)
    R_n(t) = mean of L_i(t);   choose the smallest t with   (n R_n(t) + 1) / (n + 1) <= alpha

Angelopoulos, Bates, Fisch, Lei, Schuster, "Conformal Risk Control" (ICLR 2024), Theorem 1, with losses bounded by B = 1:
then E[L_new(t)] <= alpha, the expectation being over the reviewed data and the new verdict alike. With `confidence` the
stronger statement "with probability at least c over the reviewed data, the risk at t is at most alpha" is wanted; there
t is the smallest from which on the Clopper-Pearson upper bound of the risk stays below alpha. As the risk cannot grow
with t, that needs no correction for looking at many thresholds (Bates, Angelopoulos, Lei, Malik, Jordan,
"Distribution-Free, Risk-Controlling Prediction Sets", JACM 2021, Theorem 1).

The assumption is exchangeability: the reviewed verdicts must be a fair sample of those to come, of the same models,
prompts and knowledge. Choosing only odd-looking ones for review breaks it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.errors import GuardrailError

__all__ = ["Bin", "Calibration", "Sample", "TooFewLabels", "calibrate", "reliability", "upper_bound"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A verdict's confidence, and whether a reviewer says that its label is wrong."""

    confidence: float
    wrong: bool


class TooFewLabels(GuardrailError):
    """No threshold can be promised with so little data."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """`threshold`: act at or above it. `bound`: what is promised of the rate of wrong actions; `observed`: in the sample.

    `acted`, `right_acted`: how many of the sample are acted on, and how many of them rightly; `missed`: the share of the
    right verdicts that are no longer acted on: the price.
    """

    threshold: float
    max_wrong: float
    confidence: float | None
    bound: float
    observed: float
    samples: int
    acted: int
    right_acted: int
    missed: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Of a reliability diagram: verdicts with confidence in [low, high), their mean confidence and how many were right."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def calibrate(samples: Sequence[Sample], *, max_wrong: float, confidence: float | None = None) -> Calibration:
    """The lowest threshold that keeps the promise. `max_wrong` and `confidence` in (0, 1).

    Raises TooFewLabels when not even a threshold above all samples keeps it, ValueError for a promise out of range.
    """
    if not 0 < max_wrong < 1 or not (confidence is None or 0 < confidence < 1):
        raise ValueError("max_wrong and confidence lie between 0 and 1")
    n = len(samples)
    needed = least_samples(max_wrong, confidence)
    if n < needed:
        raise TooFewLabels(f"{n} labels are too few to promise {max_wrong:.2%}: at least {needed} are needed")
    best: tuple[float, int] | None = None
    for threshold, wrong in _descending(samples):
        if not _keeps(wrong, n, max_wrong, confidence):
            break
        best = (threshold, wrong)
    if best is None:
        raise TooFewLabels(f"even the most confident verdicts are wrong too often to promise {max_wrong:.2%}")
    threshold, wrong = best
    acted = [sample for sample in samples if sample.confidence >= threshold]
    right = sum(not sample.wrong for sample in samples)
    right_acted = sum(not sample.wrong for sample in acted)
    return Calibration(
        threshold=threshold,
        max_wrong=max_wrong,
        confidence=confidence,
        bound=_bound(wrong, n, confidence),
        observed=wrong / n,
        samples=n,
        acted=len(acted),
        right_acted=right_acted,
        missed=1 - right_acted / right if right else 0.0,
    )


def least_samples(max_wrong: float, confidence: float | None) -> int:
    """How many labels it takes to promise anything: with no wrong one among them the bound must hold."""
    if confidence is None:
        return math.ceil(1 / max_wrong - 1 - 1e-12)
    return math.ceil(math.log(1 - confidence) / math.log(1 - max_wrong) - 1e-12)


def reliability(samples: Sequence[Sample], *, bins: int = 10) -> list[Bin]:
    """The bins of a reliability diagram that hold anything."""
    found = []
    for index in range(bins):
        low, high = index / bins, (index + 1) / bins
        inside = [
            s for s in samples if low <= s.confidence < high or (index == bins - 1 and s.confidence == 1)
        ]
        if inside:
            mean = sum(sample.confidence for sample in inside) / len(inside)
            right = sum(not sample.wrong for sample in inside) / len(inside)
            found.append(Bin(low, high, len(inside), mean, right))
    return found


def upper_bound(wrong: int, n: int, confidence: float) -> float:
    """Clopper and Pearson's exact upper bound: the rate at which `wrong` or fewer of n has probability 1 - confidence."""
    if wrong >= n:
        return 1.0
    low, high = wrong / n, 1.0
    for _ in range(60):  # bisection: the distribution function falls in the rate
        middle = (low + high) / 2
        if _binomial_cdf(wrong, n, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _descending(samples: Sequence[Sample]) -> list[tuple[float, int]]:
    """Each distinct confidence, highest first, and how many wrong verdicts are acted on at that threshold."""
    ordered = sorted(samples, key=lambda sample: -sample.confidence)
    found: list[tuple[float, int]] = []
    wrong = 0
    for index, sample in enumerate(ordered):
        wrong += sample.wrong
        if index + 1 == len(ordered) or ordered[index + 1].confidence != sample.confidence:
            found.append((sample.confidence, wrong))
    return found


def _keeps(wrong: int, n: int, max_wrong: float, confidence: float | None) -> bool:
    """Whether the bound is at most `max_wrong`; for Clopper-Pearson without searching for the bound itself."""
    if confidence is None:
        return _bound(wrong, n, None) <= max_wrong
    return _binomial_cdf(wrong, n, max_wrong) <= 1 - confidence


def _bound(wrong: int, n: int, confidence: float | None) -> float:
    if confidence is None:
        return (wrong + 1) / (n + 1)  # n/(n+1) R_n + B/(n+1)
    return upper_bound(wrong, n, confidence)


def _binomial_cdf(k: int, n: int, p: float) -> float:
    if p in (0.0, 1.0):
        return 1.0 if p == 0.0 or k >= n else 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    total = math.lgamma(n + 1)
    terms = (
        total - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_p + (n - i) * log_q
        for i in range(k + 1)
    )
    return min(1.0, math.fsum(math.exp(term) for term in terms))
