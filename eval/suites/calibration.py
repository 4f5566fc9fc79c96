"""Does the confidence of a verdict mean something? Reliability and ECE of the whole cascade (bar: ECE at most 0.05).

`python -m eval.suites.calibration fit` counts again how often each symbolic rule is right, on the other half of the data,
and writes guardrail/data/confidence.json.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import guardrail
from eval.calibration import expected_calibration_error, reliability, show_reliability
from eval.confidence_samples import Half, Judged, judged
from guardrail.check.cascade import Cascade
from guardrail.check.kg.confidence import basis, calibrated, measured
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.check.nli.records import RecordsChecker
from guardrail.models.opened import open_statement_reader
from guardrail.types import Verdict
from guardrail.verifier import Verifier

BAR = 0.05
COUNT = 400
_DATA = Path(guardrail.__file__).parent / "data" / "confidence.json"


def run() -> int:
    """A reliability table and the ECE, over all sets and by set and label."""
    before = _judged("report")
    found = [replace(one, verdict=_measured(one.verdict)) for one in before]
    print(show_reliability(reliability(*_arrays(found))))
    for source in dict.fromkeys(one.source for one in found):
        print(_row(source, [one for one in found if one.source == source]))
    for label in dict.fromkeys(one.verdict.label for one in found):
        print(_row(label.value, [one for one in found if one.verdict.label is label]))
    for checker in dict.fromkeys(one.verdict.checker for one in found):
        print(_row(checker, [one for one in found if one.verdict.checker == checker]))
    print(_row("all, hand-set", before))
    print(_row("all, measured", found))
    error = expected_calibration_error(*_arrays(found))
    print(f"ECE {error:.3f} (bar {BAR})")
    return 0 if error <= BAR else 1


def fit() -> int:
    """Writes the counts of the symbolic rules."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for one in _judged("fit"):
        if one.verdict.checker == SymbolicChecker.name and (name := basis(one.verdict)):
            total[name] += 1
            right[name] += one.right
    counts = {name: [right[name], total[name]] for name in sorted(total)}
    _DATA.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    print(f"{sum(total.values())} verdicts of {len(counts)} rules → {_DATA}")
    return 0


def _measured(verdict: Verdict) -> Verdict:
    return calibrated(verdict, measured()) if verdict.checker == SymbolicChecker.name else verdict


def _judged(half: Half) -> list[Judged]:
    """With the hand-set confidences."""
    model = open_statement_reader()
    records = RecordsChecker(model)

    def opening(path: Path) -> Verifier:
        return replace(Verifier.open(path), checker=Cascade([SymbolicChecker(counts={}), records]))

    found = list(judged(half, opening, count=COUNT))
    model.close()
    return found


def _arrays(found: Sequence[Judged]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([one.verdict.confidence for one in found]), np.array([one.right for one in found])


def _row(name: str, found: Sequence[Judged]) -> str:
    confidence, right = _arrays(found)
    error = expected_calibration_error(confidence, right)
    return f"  {name:<16} n={len(found):5}  right {right.mean():.3f}  confidence {confidence.mean():.3f}  ECE {error:.3f}"


if __name__ == "__main__":
    raise SystemExit(fit() if sys.argv[1:] == ["fit"] else run())
