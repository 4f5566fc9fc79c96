"""CoDEx-S: human-checked false triples, and how many true ones are called Contradictory (bar: at most 2 %)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from eval.datasets.benchmark import benchmark_graph
from eval.datasets.files import find, open_text
from eval.datasets.triples import claim_of, sentence_of
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.store.graph import Graph
from guardrail.types import Label
from guardrail.verifier import Verifier

BAR = 0.02
Triple = tuple[str, str, str]
LABELS = (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY)


def run() -> int:
    """Prints the labels of true and false triples, with the true ones in the graph and held out of it."""
    positives = _read("valid.txt", "test.txt")
    negatives = _read("valid_negatives.txt", "test_negatives.txt")
    around = {end for s, _, o in (*positives, *negatives) for end in (s, o)}
    worst = 0.0
    for title, without in (("in the graph", ()), ("held out", positives)):
        path = benchmark_graph(around=around, without=without)
        for door, judge in (("fact", _by_fact), ("text", _by_text)):
            for kind, triples in (("true", positives), ("false", negatives)):
                counted, wrong = judge(path, triples)
                share = _show(f"{kind} triples, {title}, as {door}", counted)
                if kind == "true":
                    worst = max(worst, share)
                    print("    wrongly Contradictory:", dict(wrong.most_common(8)))
    print(f"true triples Contradictory, worst of all settings: {worst:.2%} (bar {BAR:.0%})")
    return 0 if worst <= BAR else 1


def _read(*names: str) -> list[Triple]:
    folder = find("codex/triples/codex-s")
    rows = [line.split() for name in names for line in open_text(folder / name).splitlines()]
    return [(s, p, o) for s, p, o in rows]


def _by_fact(path: Path, triples: Iterable[Triple]) -> tuple[Counter[str], Counter[str]]:
    counted: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    checker = SymbolicChecker()
    with Graph.open(path) as graph:
        retriever = GraphRetriever(graph)
        for s, p, o in triples:
            claim = claim_of(graph, s, p, o)
            if claim is None:
                counted["not in the graph"] += 1
                continue
            label = checker.check(claim, retriever.retrieve(claim)).label
            counted[label] += 1
            relations[p] += label is Label.CONTRADICTORY
    return counted, relations


def _by_text(path: Path, triples: Iterable[Triple]) -> tuple[Counter[str], Counter[str]]:
    counted: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    verifier = Verifier.open(path)
    with Graph.open(path) as graph:
        for s, p, o in triples:
            ends = graph.entity(s), graph.entity(o)
            text = sentence_of(ends[0].label, p, ends[1].label) if ends[0] and ends[1] else None
            if text is None:
                counted["not in the graph"] += 1
                continue
            label = _worst([verdict.label for verdict in verifier.check(text).verdicts])
            counted[label] += 1
            relations[p] += label == Label.CONTRADICTORY
    return counted, relations


def _worst(labels: Sequence[Label]) -> str:
    for label in (Label.CONTRADICTORY, Label.EXTRAPOLATORY, Label.ATTRIBUTABLE):
        if label in labels:
            return label
    return "no claim"


def _show(title: str, counted: Counter[str]) -> float:
    judged = sum(count for key, count in counted.items() if key != "not in the graph")
    shares = {label: counted[label] / judged if judged else 0.0 for label in LABELS}
    row = "  ".join(f"{label} {share:6.1%}" for label, share in shares.items())
    print(f"{title:38} n={judged:5}  {row}  no claim {counted['no claim']}")
    return shares[Label.CONTRADICTORY]
