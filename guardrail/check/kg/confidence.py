"""How often a rule of the symbolic checker is right, as it was measured.

Each rule states a raw confidence, which also tells it from the others: another single value is surer than another member
of a complete list. `guardrail/data/confidence.json` counts, for every label, raw confidence and kind of value, how many verdicts
on development data were right (`python -m eval.suites.calibration fit`). What is reported is that share, drawn towards the
raw confidence where few were counted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

from guardrail.types import Label, Value, Verdict

__all__ = ["UNDECIDED", "Counts", "basis", "calibrated", "measured", "smoothed"]

Counts = Mapping[str, tuple[int, int]]  # basis → verdicts that were right, all verdicts

UNDECIDED = 0.6  # of a verdict that decides nothing although something was compared
_WEIGHT = 20  # the raw confidence counts as so many verdicts


def basis(verdict: Verdict) -> str:
    """What verdicts of one rule have in common: "contradictory 0.95 date"; "" for one that decides nothing."""
    if verdict.label is Label.EXTRAPOLATORY:
        return ""
    values = verdict.slot.values if verdict.slot else ()
    kind = next((value.datatype if isinstance(value, Value) else "name" for value in values), "none")
    return f"{verdict.label.value} {verdict.confidence:.2f} {kind}"


def smoothed(raw: float, right: int, total: int) -> float:
    """The share of right verdicts, with the raw confidence as prior (mean of a Beta posterior); in [0, 1]."""
    return (right + _WEIGHT * raw) / (total + _WEIGHT)


def calibrated(verdict: Verdict, counts: Counts) -> Verdict:
    """The verdict with the measured confidence of its rule; as it is, where the rule was never measured."""
    right, total = counts.get(basis(verdict), (0, 0))
    return (
        replace(verdict, confidence=round(smoothed(verdict.confidence, right, total), 3))
        if total
        else verdict
    )


@cache
def measured() -> Counts:
    """The counts that ship with the package."""
    text = files("guardrail").joinpath("data", "confidence.json").read_text(encoding="utf-8")
    return {name: (right, total) for name, (right, total) in json.loads(text).items()}
