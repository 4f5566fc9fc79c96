"""Texts judged by their references: by exact comparison alone, by the model alone, and by both.

One pass asks both checkers about each claim, so that the three columns speak of the same claims and the same evidence.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from eval.datasets.claims import claims_of
from eval.datasets.files import find
from eval.datasets.referenced import SETS, Row
from eval.train.example import BITS
from guardrail.check.text.checker import TextChecker
from guardrail.evidence.request.references import RequestRetriever
from guardrail.models.nli import Embedded, Pair, Rows
from guardrail.models.settings import Thresholds
from guardrail.types import Label, Setting, Verdict
from guardrail.verifier import Verifier

__all__ = ["judge_sets"]

_MOST = 200  # texts of each half, drawn with a fixed seed
_WAYS = ("exact", "model", "both")


class _Silent:
    """A model that finds every window beside the point, so that exact comparison stands alone."""

    name, window, specials, folder = "silent", 10_000, 3, None

    def thresholds(self, kind: str) -> Thresholds:
        return Thresholds()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 for text in texts]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        return np.tile(np.array([0.0, 1.0, 0.0], np.float32), (len(pairs), 1))


@dataclass(slots=True)
class _Tally:
    """How often each label was given, and how often it was right."""

    given: Counter[Label] = field(default_factory=Counter)
    right: Counter[Label] = field(default_factory=Counter)

    def count(self, label: Label, labels: int) -> None:
        self.given[label] += 1
        self.right[label] += bool(BITS[label] & labels)

    def of(self, label: Label) -> str:
        return f"{self.right[label]}/{self.given[label]}"

    @property
    def accuracy(self) -> float:
        return sum(self.right.values()) / max(sum(self.given.values()), 1)

    def add(self, other: _Tally) -> None:
        self.given += other.given
        self.right += other.right


@dataclass(frozen=True, slots=True)
class _Bench:
    verifier: Verifier
    exact: TextChecker
    model: TextChecker | None
    both: TextChecker | None
    seconds: list[float] = field(default_factory=list)

    def labels(self, row: Row) -> Mapping[str, Label]:
        """The label of the row's text by each way."""
        setting = Setting.of(len(row.references))
        retriever = RequestRetriever(row.references, setting=setting, embedder=self.verifier.embedder)
        found: dict[str, list[Label]] = {way: [] for way in _WAYS}
        for claim in claims_of(self.verifier, row.claim, row.question):
            evidence = retriever.retrieve(claim)
            began = time.process_time()
            exact = self.exact.check(claim, evidence)
            self.seconds.append(time.process_time() - began)
            model = self.model.check(claim, evidence) if self.model else None
            both = self.both.check(claim, evidence) if self.both else None
            found["exact"].append(_label(exact))
            found["model"].append(_label(model))
            found["both"].append(_label(both))
        return {way: _rolled_up(labels) for way, labels in found.items()}


def judge_sets(names: Sequence[str] = (), *, most: int = _MOST, model: bool = True) -> None:
    """Prints the table. Without `model` only exact comparison is asked, which is quick."""
    verifier = Verifier.open()
    read = Embedded() if model else None
    bench = _Bench(
        verifier,
        TextChecker(_Silent()),
        TextChecker(read, exact=False) if read else None,
        TextChecker(read) if read else None,
    )
    print(
        "\nA: Attributable, C: Contradictory, right of given. Accuracy: what is not decided is Extrapolatory."
    )
    head = "".join(f"{f'{way} A':>15}{'C':>9}{'acc.':>7}" for way in _WAYS)
    print(f"{'set':17}{'half':>7}{'n':>5}{head}")
    totals = {half: {way: _Tally() for way in _WAYS} for half in ("seen", "unseen")}
    for name in names or SETS:
        rows = list(SETS[name](find(".")))
        for half, total in totals.items():
            chosen = [row for row in rows if row.unseen is (half == "unseen")]
            tallies = _tallied(bench, random.Random(11).sample(chosen, min(most, len(chosen))))
            _show(name, half, tallies)
            for way, tally in tallies.items():
                total[way].add(tally)
    for half, total in totals.items():
        _show("all", half, total)
    spent = sorted(bench.seconds)
    p50, p99 = (1000 * spent[int(len(spent) * share)] for share in (0.5, 0.99))
    print(
        f"exact comparison, CPU time per claim with its share of the reading: p50 {p50:.1f} p99 {p99:.1f} ms"
    )


def _tallied(bench: _Bench, rows: Sequence[Row]) -> dict[str, _Tally]:
    tallies = {way: _Tally() for way in _WAYS}
    for row in rows:
        for way, label in bench.labels(row).items():
            tallies[way].count(label, row.labels)
    return tallies


def _show(name: str, half: str, tallies: Mapping[str, _Tally]) -> None:
    cells = "".join(
        f"{tally.of(Label.ATTRIBUTABLE):>15}{tally.of(Label.CONTRADICTORY):>9}{tally.accuracy:7.3f}"
        for tally in tallies.values()
    )
    print(f"{name:17}{half:>7}{sum(tallies['exact'].given.values()):5}{cells}", flush=True)


def _label(verdict: Verdict | None) -> Label:
    return verdict.label if verdict else Label.EXTRAPOLATORY


def _rolled_up(labels: Sequence[Label]) -> Label:
    if Label.CONTRADICTORY in labels:
        return Label.CONTRADICTORY
    supported = bool(labels) and all(label is Label.ATTRIBUTABLE for label in labels)
    return Label.ATTRIBUTABLE if supported else Label.EXTRAPOLATORY
