"""Sentences known to be true or false, in two halves: confidences are fitted on one and reported on the other.

FactBench (its train and its test split), CoDEx-S (valid and test, with the statements themselves held out of the graph) and
the perturbed sentences of BenchText (every other one).
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.datasets.benchmark import benchmark_graph
from eval.datasets.benchtext import Item, knowledgenet, movies, perturbed, redocred, write_graph
from eval.datasets.files import find, json_lines, open_text
from eval.datasets.triples import sentence_of
from eval.suites import factbench as suite_factbench
from guardrail.evidence.store.graph import Graph
from guardrail.types import Label, Verdict
from guardrail.verifier import Verifier

__all__ = ["Half", "Judged", "judged"]

Half = Literal["fit", "report"]
Opening = Callable[[Path], Verifier]
_SEED = 11


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that decides, and whether the claim is true."""

    source: str
    verdict: Verdict
    true: bool

    @property
    def right(self) -> bool:
        return self.true == (self.verdict.label is Label.ATTRIBUTABLE)


def judged(half: Half, opening: Opening, *, count: int) -> Iterator[Judged]:
    """At most about `count` sentences of each set; `opening` makes the verifier over its graph. Raises DataMissing."""
    yield from _factbench(half, opening, count)
    yield from _codex(half, opening, count)
    for made in (redocred(), knowledgenet(), movies()):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.db"
            write_graph(made, path)
            verifier = opening(path)
            items = perturbed(made, count=count)[0 if half == "fit" else 1 :: 2]
            for item in items:
                yield from _perturbed(item, verifier)


def _factbench(half: Half, opening: Opening, count: int) -> Iterator[Judged]:
    rows = list(json_lines(find("factbench/factbench.jsonl.gz")))
    wanted = [row for row in rows if row["split"] == ("train" if half == "fit" else "test")]
    random.Random(_SEED).shuffle(wanted)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.db"
        suite_factbench.write_graph(path, rows)
        verifier = opening(path)
        for row in wanted[:count]:
            for verdict in verifier.check(suite_factbench.sentence(row)).verdicts:
                # A corrupted triple has one claim of two that is wrong: only a support of it is known to be.
                if row["label"] == "correct" or verdict.label is Label.CONTRADICTORY:
                    yield from _decided("factbench", verdict, true=row["label"] == "correct")


def _codex(half: Half, opening: Opening, count: int) -> Iterator[Judged]:
    folder = find("codex/triples/codex-s")
    name = "valid" if half == "fit" else "test"
    true, false = (
        [line.split() for line in open_text(folder / file).splitlines()]
        for file in (f"{name}.txt", f"{name}_negatives.txt")
    )
    for rows in (true, false):
        random.Random(_SEED).shuffle(rows)
    chosen = [(row, True) for row in true[: count // 2]] + [(row, False) for row in false[: count // 2]]
    around = {end for (s, _, o), _ in chosen for end in (s, o)}
    path = benchmark_graph(around=around, without=[(s, p, o) for (s, p, o), known in chosen if known])
    verifier = opening(path)
    with Graph.open(path) as graph:
        for (s, p, o), known in chosen:
            ends = graph.entity(s), graph.entity(o)
            text = sentence_of(ends[0].label, p, ends[1].label) if ends[0] and ends[1] else None
            for verdict in verifier.check(text).verdicts if text else ():
                yield from _decided("codex", verdict, true=known)


def _perturbed(item: Item, verifier: Verifier) -> Iterator[Judged]:
    swapped = [fact.span for fact in item.facts if fact.swapped]
    for verdict in verifier.check(item.text).verdicts:
        touched = any(verdict.claim.span.overlaps(span) for span in swapped)
        yield from _decided("benchtext", verdict, true=not touched)


def _decided(source: str, verdict: Verdict, *, true: bool) -> Iterator[Judged]:
    if verdict.label is not Label.EXTRAPOLATORY:
        yield Judged(source, verdict, true)
