"""The rules of claims and check, each switched off in turn: which verdicts change, and for better or worse."""

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.datasets.pool import Case, Group, groups
from eval.suites.answers import said
from guardrail.models.nli import Classifier, Pair, Rows
from guardrail.models.opened import open_model
from guardrail.rules import fired, registered, without
from guardrail.types import Label, Report, Span
from guardrail.verifier import Verifier

ONLY = frozenset(filter(None, os.environ.get("RULES_ONLY", "").split(",")))  # measure these alone
POOL = frozenset(filter(None, os.environ.get("RULES_POOL", "").split(",")))  # and on these groups
MOST = int(os.environ.get("RULES_MOST", "25"))  # cases of a part of the pool on which a rule is measured
PART = 60  # cases that a process takes at a time
WORKERS = 2
COLUMNS = ("cases", "right lost", "right gained", "red added", "red gone", "green added", "green gone")
Yield = dict[str, Counter[str]]


def run() -> int:
    """Prints what each rule yields; there is no bar. Red and green are wrong ones, as they are without the rule."""
    found: Yield = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as home, ProcessPoolExecutor(WORKERS) as processes:
        parts = [part for one in groups(Path(home), POOL) for part in _parts(one)]
        print(f"{sum(len(one.cases) for one in parts)} cases", flush=True)
        for counted in processes.map(measured, parts):
            for name, counts in counted.items():
                found[name] += counts
    _show(found)
    return 0


def measured(group: Group) -> Yield:
    """For each rule that finds something in a group, in how many cases, and what changes in these without it."""
    verifier = Verifier.open(group.graph, model=_Remembering(open_model(threads=1)), threads=1)
    judged: list[tuple[Case, Sequence[str]]] = []
    where: dict[str, list[int]] = defaultdict(list)
    for number, case in enumerate(group.cases):
        with fired() as names:
            judged.append((case, labels(verifier, case)))
        for name in names:
            where[name].append(number)
    found: Yield = {}
    for name, numbers in where.items():
        found[name] = Counter(cases=len(numbers))
        with without(name):
            for number in numbers[:MOST] if not ONLY or name in ONLY else ():
                case, before = judged[number]
                found[name].update(changes(case, before, labels(verifier, case)))
    return found


def labels(verifier: Verifier, case: Case) -> list[str]:
    """What is said of each place of a case."""
    report = verifier.check(case.text, question=case.question, references=case.references)
    read = _of_fact if case.by_fact else said
    return [read(report, place) for _, place in case.wanted]


def _of_fact(report: Report, place: Span) -> str:
    """What was found of the facts whose objects stand at a place."""
    slots = [slot for one in report.verdicts for slot in one.slots if slot.span and slot.span.overlaps(place)]
    states = {slot.state for slot in slots}
    if "conflict" in states:
        return Label.CONTRADICTORY
    return Label.ATTRIBUTABLE if "agree" in states else Label.EXTRAPOLATORY


def changes(case: Case, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """The columns in which each verdict counts that is another one without the rule."""
    for (wanted, _), was, now in zip(case.wanted, before, after, strict=True):
        if was == now:
            continue
        if wanted in (was, now):
            yield "right lost" if was == wanted else "right gained"
        for colour, label in (("red", Label.CONTRADICTORY), ("green", Label.ATTRIBUTABLE)):
            if label in (was, now) and label is not wanted:
                yield f"{colour} added" if now == label else f"{colour} gone"


def worth(counts: Mapping[str, int]) -> int:
    """What a rule yields: right verdicts and wrong ones prevented, less those that it costs."""
    good = counts["right lost"] + counts["red added"] + counts["green added"]
    return good - counts["right gained"] - counts["red gone"] - counts["green gone"]


def _show(found: Yield) -> None:
    print(f"{'rule':28}" + "".join(f"{one:>13}" for one in ("yield", *COLUMNS)))
    for name, counts in sorted(found.items(), key=lambda item: (-worth(item[1]), item[0])):
        if not ONLY or name in ONLY:
            print(f"{name:28}{worth(counts):13}" + "".join(f"{counts[one]:13}" for one in COLUMNS))
    silent = [one.name for one in registered() if one.name not in found]
    print(f"found nothing anywhere: {', '.join(silent) or 'none'}")


def _parts(group: Group) -> Iterator[Group]:
    cases = iter(group.cases)
    while some := tuple(islice(cases, PART)):
        yield replace(group, cases=some)


class _Remembering:
    """A model that is asked for each pair once: a rule hardly ever changes what is read."""

    def __init__(self, model: Classifier) -> None:
        self._model = model
        self._known: dict[Pair, NDArray[np.float32]] = {}
        self.name, self.folder = model.name, model.folder
        self.window, self.specials = model.window, model.specials
        self.thresholds = model.thresholds
        self._lengths: dict[str, int] = {}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        new = [text for text in dict.fromkeys(texts) if text not in self._lengths]
        if new:
            self._lengths.update(zip(new, self._model.lengths(new), strict=True))
        return [self._lengths[text] for text in texts]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if new:
            self._known.update(zip(new, self._model.probabilities(new), strict=True))
        return np.array([self._known[pair] for pair in pairs], dtype=np.float32).reshape(-1, 3)
