"""The weights by which signals become a verdict are found from labelled rows."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from eval.train.growing import fitted, least, shares_of


def test_labels_that_signals_tell_are_found_again() -> None:
    """Each label has a signal of its own; a third one tells nothing."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 600)
    given = np.stack([labels == 0, labels == 2, rng.random(600)], 1) * np.array([1.0, 30.0, 1.0])
    shares = shares_of(fitted(given, labels, np.ones(600)), given)
    assert (shares.argmax(1) == labels).all()
    assert shares.sum(1) == pytest.approx(np.ones(600), abs=1e-5)


def test_the_trees_say_what_the_library_says() -> None:
    """They are written down as two questions each, and add up to the same shares."""
    from sklearn.ensemble import GradientBoostingClassifier

    rng = np.random.default_rng(1)
    given = np.round(rng.random((400, 14)), 2)
    labels = (given[:, 0] + given[:, 1] * given[:, 2] > 0.8).astype(int) + (given[:, 3] > 0.7)
    model = GradientBoostingClassifier(
        n_estimators=200,
        learning_rate=0.06,
        max_depth=2,
        min_samples_leaf=20,
        subsample=0.7,
        max_features=12,
        random_state=0,
    ).fit(given, labels)
    shares = shares_of(fitted(given, labels, np.ones(400)), given)
    assert shares == pytest.approx(model.predict_proba(given), abs=2e-3)


def test_the_least_probability_keeps_the_rate() -> None:
    shares = np.arange(100) / 100
    wrong = np.ones(100, bool)
    assert (shares[wrong] >= least(shares, wrong, 0.03)).sum() == 3
