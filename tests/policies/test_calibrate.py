"""Thresholds keep their promise: proved by simulation where the truth is known."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.calibrate import Sample, TooFewLabels, calibrate, least_samples, reliability, upper_bound

SIMULATIONS = 1000


def honest(rate: float) -> float:
    """A calibrated checker: wrong as often as it says."""
    return 1 - rate


def boastful(rate: float) -> float:
    """An overconfident checker: wrong in a third of all cases, whatever it says up to 0.9."""
    return 0.35 if rate < 0.9 else 0.02


def useless(_: float) -> float:
    """Its confidence says nothing."""
    return 0.1


def draw(source: random.Random, error: Callable[[float], float], n: int) -> list[Sample]:
    found = []
    for _ in range(n):
        confidence = source.random()
        found.append(Sample(confidence, source.random() < error(confidence)))
    return found


def risk(threshold: float, error: Callable[[float], float], steps: int = 400) -> float:
    """The true rate of wrong actions at a threshold, confidences being uniform."""
    middles = ((index + 0.5) / steps for index in range(steps))
    return sum(error(middle) for middle in middles if middle >= threshold) / steps


@pytest.mark.parametrize("error", [honest, boastful, useless])
@pytest.mark.parametrize("max_wrong", [0.02, 0.05])
def test_on_average_the_risk_is_at_most_the_promise(
    error: Callable[[float], float], max_wrong: float
) -> None:
    """Over 1,000 sets of labels the mean true risk is within the bound, for checkers that boast, too."""
    source = random.Random(1)
    risks = []
    for _ in range(SIMULATIONS):
        try:
            risks.append(risk(calibrate(draw(source, error, 120), max_wrong=max_wrong).threshold, error))
        except TooFewLabels:
            risks.append(0.0)  # nothing is acted on
    mean = sum(risks) / len(risks)
    deviation = (sum((one - mean) ** 2 for one in risks) / len(risks)) ** 0.5
    assert mean <= max_wrong + 3 * deviation / len(risks) ** 0.5
    if error is honest:
        assert mean > max_wrong / 2  # and it is no empty promise


@pytest.mark.parametrize("error", [honest, boastful, useless])
def test_with_confidence_the_risk_is_rarely_above_the_promise(error: Callable[[float], float]) -> None:
    """In at most 5 % of 1,000 sets of labels the true risk exceeds the bound, as 95 % confidence says."""
    source = random.Random(2)
    broken = 0
    for _ in range(SIMULATIONS):
        try:
            threshold = calibrate(draw(source, error, 150), max_wrong=0.05, confidence=0.95).threshold
        except TooFewLabels:
            continue
        broken += risk(threshold, error) > 0.05 + 1 / 400  # the grid of `risk`
    assert broken <= SIMULATIONS * 0.05 + 3 * (SIMULATIONS * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize(
    ("max_wrong", "confidence", "least"),
    [(0.01, None, 99), (0.05, None, 19), (0.01, 0.95, 299), (0.05, 0.95, 59)],
)
def test_too_few_labels_are_refused(max_wrong: float, confidence: float | None, least: int) -> None:
    """With one fewer than it takes there is no threshold, however right they all are."""
    assert least_samples(max_wrong, confidence) == least
    right = [Sample(0.9, wrong=False)] * least
    assert calibrate(right, max_wrong=max_wrong, confidence=confidence).threshold == 0.9
    with pytest.raises(TooFewLabels, match=f"at least {least}"):
        calibrate(right[1:], max_wrong=max_wrong, confidence=confidence)


def test_a_checker_that_is_always_wrong_gets_no_threshold() -> None:
    """It is said instead of acting on nothing."""
    with pytest.raises(TooFewLabels, match="wrong too often"):
        calibrate([Sample(0.9, wrong=True)] * 500, max_wrong=0.05)


def test_the_threshold_and_its_price_by_hand() -> None:
    """100 labels, the 40 least sure of them wrong: with 5 % the threshold lets 4 wrong ones in."""
    labels = [Sample(0.5 + index / 1000, index < 40) for index in range(100)]
    found = calibrate(labels, max_wrong=0.05)
    assert found.threshold == pytest.approx(0.536)
    assert (found.acted, found.right_acted, found.observed, found.missed) == (64, 60, 0.04, 0.0)
    assert found.bound == pytest.approx(5 / 101)


@pytest.mark.parametrize("bad", [0.0, 1.0, -1.0, 2.0, float("nan")])
def test_a_promise_out_of_range_is_refused(bad: float) -> None:
    """Neither nothing nor everything can be promised."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibrate([], max_wrong=bad)
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibrate([], max_wrong=0.1, confidence=bad)


@pytest.mark.parametrize(
    ("wrong", "n", "bound"),
    [(0, 59, 0.0495), (0, 299, 0.00997), (5, 100, 0.10225), (10, 20, 0.69805), (7, 7, 1.0)],
)
def test_the_exact_bound_agrees_with_published_tables(wrong: int, n: int, bound: float) -> None:
    """Clopper and Pearson's one-sided 95 % limits."""
    assert upper_bound(wrong, n, 0.95) == pytest.approx(bound, rel=1e-3)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_reliability_counts_every_label_once(given_: list[tuple[float, bool]]) -> None:
    """Whatever the confidences are, one included."""
    samples = [Sample(*one) for one in given_]
    assert sum(one.count for one in reliability(samples)) == len(samples)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=100, max_size=160),
    st.sampled_from([0.05, 0.2]),
)
def test_a_threshold_keeps_its_bound_in_the_sample(
    given_: list[tuple[float, bool]], max_wrong: float
) -> None:
    """And a lower one of the same data never would have."""
    samples = [Sample(*one) for one in given_]
    try:
        found = calibrate(samples, max_wrong=max_wrong)
    except TooFewLabels:
        return
    assert found.observed <= found.bound <= max_wrong
    lower = [sample.confidence for sample in samples if sample.confidence < found.threshold]
    if lower:
        wrong = sum(sample.wrong for sample in samples if sample.confidence >= max(lower))
        assert (wrong + 1) / (len(samples) + 1) > max_wrong
