"""Claims beside long evidence: the cross-encoder alone, or (GROUNDING_WHOLE=yes) the whole verifier with references.

The model reads windows of neighbouring sentences. A text counts as supported where its weakest sentence reaches the threshold
in some window, as contradicted where one of its sentences reaches the other one and support is less. No model that ships was trained
on these texts (of `defacto`: on its other part; of the written units: on the others).
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from eval.calibration import balanced_accuracy
from eval.datasets.files import DataMissing
from eval.datasets.grounding import SETS, Rows, Text, auc, drawn, scores, windows
from eval.suites.statements import whole
from eval.train.example import ATTRIBUTABLE, BITS, CONTRADICTORY, EXTRAPOLATORY
from guardrail.models.nli import Embedded
from guardrail.models.settings import Thresholds
from guardrail.verifier import Verifier

MOST = int(os.environ.get("GROUNDING_MOST", "120"))  # texts of a set
SENTENCES = 100  # tokens of evidence that is no more than a few sentences
WHOLE = os.environ.get("GROUNDING_WHOLE", "") == "yes"
_CLASSES = (ATTRIBUTABLE, EXTRAPOLATORY, CONTRADICTORY)


@dataclass(frozen=True, slots=True)
class Score:
    """`auc`: of support, None for the whole verifier. `contradicted`: precision and recall, None without three classes;
    `trusted`: the share of contradicted texts that were given as supported.
    """

    count: int
    balanced: float
    auc: float | None
    contradicted: tuple[float, float] | None
    trusted: float | None


def run() -> int:
    """Prints a row for each set, the mean of all, and what a claim beside three windows costs."""
    model = Embedded(threads=1)
    verifier = Verifier.open() if WHOLE else None
    print(f"{'whole verifier' if verifier else model.name + ' alone'}, at most {MOST} texts of a set")
    print(f"{'set':28}{'n':>5}{'BAcc':>8}{'AUC':>8}{'C: right':>10}{'found':>8}{'trusted':>9}")
    found: list[Score] = []
    for name, read in SETS.items():
        try:
            texts = drawn(read(), MOST)
        except DataMissing as missing:
            print(f"{name:28}skipped: {missing}")
            continue
        score = _verified(verifier, texts) if verifier else _read(model, texts)
        found.append(score)
        print(_row(name, score), flush=True)
    if not found:
        raise DataMissing("none of the sets")
    print(f"{'mean':28}{'':5}{100 * mean(one.balanced for one in found):8.1f}{_percent(_mean_auc(found)):>8}")
    print(f"one claim, three windows of 220 tokens: {_latency(model):.0f} ms of one core at best")
    return 0


def _read(model: Embedded, texts: Sequence[Text]) -> Score:
    rows = scores(model, texts)
    given = [
        _label(float(support), float(refutal), _limits(model, text))
        for text, (support, refutal) in zip(texts, rows, strict=True)
    ]
    return _score(texts, given, rows)


def _limits(model: Embedded, text: Text) -> Thresholds:
    long = sum(model.lengths(text.evidence)) > SENTENCES
    return model.thresholds("windows" if long else "passages")


def _label(support: float, refutal: float, limits: Thresholds) -> int:
    if refutal >= limits.contradictory and refutal > support:
        return CONTRADICTORY
    return ATTRIBUTABLE if support >= limits.attributable else EXTRAPOLATORY


def _verified(verifier: Verifier, texts: Sequence[Text]) -> Score:
    given = []
    for text in texts:
        references = [{"text": part} for part in text.evidence]
        report = verifier.check(" ".join(text.sentences), references=references)
        given.append(BITS[whole(report.verdicts)] if report.verdicts else EXTRAPOLATORY)
    return _score(texts, given, None)


def _score(texts: Sequence[Text], given: Sequence[int], rows: Rows | None) -> Score:
    good = [text.labels == ATTRIBUTABLE for text in texts]
    bad = [text.labels == CONTRADICTORY for text in texts]
    order = None
    if rows is not None:
        order = auc(rows[np.array(good), 0].tolist(), rows[~np.array(good), 0].tolist())
    contradicted = None
    if {text.labels for text in texts}.issuperset(_CLASSES):
        called = [label == CONTRADICTORY for label in given]
        sure = [text.labels in _CLASSES for text in texts]
        hits = sum(c and b for c, b in zip(called, bad, strict=True))
        contradicted = (
            hits / max(1, sum(c and s for c, s in zip(called, sure, strict=True))),
            hits / sum(bad),
        )
    trusted = None
    if any(bad):
        trusted = sum(b and label == ATTRIBUTABLE for b, label in zip(bad, given, strict=True)) / sum(bad)
    supported = [label == ATTRIBUTABLE for label in given]
    return Score(len(texts), balanced_accuracy(good, supported), order, contradicted, trusted)


def _mean_auc(found: Sequence[Score]) -> float | None:
    known = [one.auc for one in found if one.auc is not None]
    return mean(known) if known else None


def _row(name: str, one: Score) -> str:
    right, recall = one.contradicted or (None, None)
    cells = f"{one.count:5}{100 * one.balanced:8.1f}{_percent(one.auc):>8}"
    return f"{name:28}{cells}{_percent(right):>10}{_percent(recall):>8}{_percent(one.trusted):>9}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _latency(model: Embedded) -> float:
    """Milliseconds of processor time, the least of ten: what else the machine does makes it only longer."""
    text = (
        "The committee met on Tuesday and put off the vote on the new bridge until the figures are in. " * 40
    )
    claim = "The vote on the new bridge was put off."
    pairs = [(window, claim) for window in windows(text, model.lengths)[:3]]
    spent = []
    for _ in range(10):
        began = time.process_time()
        model.probabilities(pairs)
        spent.append(1000 * (time.process_time() - began))
    return min(spent)
