"""Calibration figures: what they say on cases whose answer is known."""

import numpy as np
import pytest

from eval.calibration import balanced_accuracy, expected_calibration_error, reliability, show_reliability


def test_a_model_that_is_as_right_as_it_says_has_no_error() -> None:
    """Confidence .75 and three of four right: no calibration error."""
    confidence = np.full(400, 0.75)
    right = np.arange(400) % 4 != 0
    assert expected_calibration_error(confidence, right) == pytest.approx(0.0)


def test_a_model_that_is_sure_and_wrong_is_as_far_off_as_it_can_be() -> None:
    """Always sure, never right: the error is one."""
    assert expected_calibration_error(np.ones(10), np.zeros(10, bool)) == pytest.approx(1.0)


def test_nothing_predicted_is_no_error() -> None:
    """An empty set has neither bins nor error."""
    assert reliability(np.zeros(0), np.zeros(0, bool)) == []
    assert expected_calibration_error(np.zeros(0), np.zeros(0, bool)) == 0.0


def test_bins_hold_every_prediction_once() -> None:
    """Bins divide [0, 1]; a confidence of exactly one falls into the last."""
    confidence = np.array([0.05, 0.15, 0.1, 0.95, 1.0])
    bins = reliability(confidence, np.array([True, False, True, True, True]))
    assert [(one.low, one.count) for one in bins] == [(0.0, 1), (0.1, 2), (0.9, 2)]
    assert bins[1].accuracy == pytest.approx(0.5)
    assert "0.9–1.0 (0.97)  1.00       2" in show_reliability(bins)


def test_balanced_accuracy_is_not_fooled_by_a_large_class() -> None:
    """Saying the majority label always is right in one class of two."""
    truth = [0] * 90 + [1] * 10
    assert balanced_accuracy(truth, [0] * 100) == pytest.approx(0.5)
    assert balanced_accuracy(truth, truth) == pytest.approx(1.0)
    assert balanced_accuracy([], []) == 0.0
