"""Measured confidences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrail.check.kg.confidence import basis, calibrated, measured, smoothed
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import Claim, Evidence, Label, Node, Slot, Span, Value, Verdict
from guardrail.verifier import Verifier

DAY = Value("1990", "1990", "date", 9)


def verdict(label: Label, raw: float, *values: Node | Value) -> Verdict:
    slot = Slot("p", "claimed", "known", "single", "conflict", Span(0, 1), 0, values)
    return Verdict(Claim(0, Span(0, 1), "x", "x"), label, raw, Evidence(), "Because.", "symbolic", slot=slot)


def test_a_rule_is_told_by_label_raw_confidence_and_kind() -> None:
    """A date that conflicts is another rule than a name, and what decides nothing is none."""
    assert basis(verdict(Label.CONTRADICTORY, 0.95, DAY)) == "contradictory 0.95 date"
    assert basis(verdict(Label.CONTRADICTORY, 0.95, Node("Q1", "Bonn"))) == "contradictory 0.95 name"
    assert basis(verdict(Label.ATTRIBUTABLE, 0.97)) == "attributable 0.97 none"
    assert basis(verdict(Label.EXTRAPOLATORY, 0.6, DAY)) == ""


@pytest.mark.parametrize(
    ("right", "total", "low", "high"), [(0, 0, 0.9, 0.9), (1000, 1000, 0.99, 1.0), (0, 2, 0.75, 0.9), (0, 1000, 0.0, 0.03)]
)  # fmt: skip
def test_few_verdicts_move_little(right: int, total: int, low: float, high: float) -> None:
    """Without counts the raw confidence stays; with many it is forgotten."""
    assert low <= smoothed(0.9, right, total) <= high


def test_what_was_never_measured_stays(verifier: Verifier) -> None:
    """Only the confidence changes, and only where the rule was counted."""
    given = verdict(Label.CONTRADICTORY, 0.95, DAY)
    assert calibrated(given, {}) == given
    changed = calibrated(given, {"contradictory 0.95 date": (80, 100)})
    assert changed == replace(given, confidence=0.825)


def test_the_checker_reports_the_measured_confidence(verifier: Verifier) -> None:
    """With counts of one's own the same verdict is as sure as they say."""
    text = "The capital of Australia is Sydney."
    (raw,) = replace(verifier, checker=SymbolicChecker(counts={})).check(text).verdicts
    counts = {basis(raw): (0, 100)}
    (doubted,) = replace(verifier, checker=SymbolicChecker(counts=counts)).check(text).verdicts
    assert doubted.label is raw.label is Label.CONTRADICTORY
    assert doubted.confidence < 0.2 < raw.confidence


def test_the_shipped_counts_are_counts() -> None:
    """Every rule names its label, and no more verdicts were right than there were."""
    for name, (right, total) in measured().items():
        assert name.split()[0] in ("attributable", "contradictory")
        assert 0 <= right <= total
