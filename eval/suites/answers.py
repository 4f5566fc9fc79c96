"""Retrieval-augmented answers with their references, sentence by sentence, in words that the code was not written for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval.datasets.files import json_lines
from guardrail.types import Label, Report, Span
from guardrail.verifier import Verifier

HERE = Path(__file__).parents[1] / "answers"
PARTS = ("open", "sealed")
KINDS = ("plain", "short", "swapped", "altered", "paraphrased", "listed")
TOLD = os.environ.get("ANSWERS_TOLD", "") == "yes"  # print what went wrong; not of the sealed part
_WORST = (Label.CONTRADICTORY, Label.EXTRAPOLATORY, Label.ATTRIBUTABLE)
# Bars: supported found, contradicted found, wrong red of supported, wrong green of contradicted.
_BARS = {
    "plain": (0.92, 0.7, 0.02, 0.03),
    "short": (0.92, 0.7, 0.02, 0.03),
    "swapped": (0.92, 0.7, 0.02, 0.03),  # as near the words as plain ones
    "altered": (0.76, 0.52, 0.02, 0.03),  # half of the supported ones are reworded: between the other two
    "paraphrased": (0.6, 0.35, 0.05, 0.08),
    "listed": (0.76, 0.52, 0.02, 0.03),
}
Found = Counter[tuple[str, str]]


def texts(exchange: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The exchange; where its sentences are no answer, for they contradict each other, each as an answer of its own."""
    if "answer" in exchange:
        yield exchange
    else:
        for one in exchange["sentences"]:
            yield {**exchange, "answer": one["text"], "sentences": [one]}


def places(exchange: dict[str, Any]) -> Iterator[tuple[str, Span]]:
    """The label and the place of each sentence."""
    at = 0
    for sentence in exchange["sentences"]:
        start = exchange["answer"].index(sentence["text"], at)
        at = start + len(sentence["text"])
        yield sentence["label"], Span(start, at)


def said(report: Report, place: Span) -> str:
    """The worst label of the claims within a sentence; `unchecked` or `none` where there is none."""
    labels = {one.label for one in report.verdicts if _meet(one.claim.span, place)}
    if labels:
        return next(label.value for label in _WORST if label in labels)
    return "unchecked" if any(_meet(one.span, place) for one in report.unchecked) else "none"


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def counted(verifier: Verifier, part: str, kind: str) -> Found:
    """How often a label of the data met one of ours."""
    found: Found = Counter()
    for exchange in (
        text for one in json_lines(HERE / f"{part}.jsonl") if one["kind"] == kind for text in texts(one)
    ):
        report = verifier.check(
            exchange["answer"], question=exchange["question"], references=exchange["references"]
        )
        for label, place in places(exchange):
            got = said(report, place)
            found[label, got] += 1
            if TOLD and part == "open" and got != label:
                print(f"  {exchange['id']} {label:14}{got:14}{place.of(exchange['answer'])}")
    return found


def run() -> int:
    verifier, missed = Verifier.open(), False
    head = ("sentences", "supported", "contradicted", "wrong red", "wrong green")
    print(f"{'part and kind':22}" + "".join(f"{one:>14}" for one in head))
    for part in PARTS:
        for kind in KINDS:
            found = counted(verifier, part, kind)
            rates = _rates(found)
            good, caught, red, green = _BARS[kind]
            missed |= rates[0] < good or rates[1] < caught or rates[2] > red or rates[3] > green
            cells = "".join(f"{rate:14.1%}" for rate in rates)
            print(f"{f'{part} {kind}':22}{sum(found.values()):14}{cells}", flush=True)
    return int(missed)


def _rates(found: Found) -> tuple[float, float, float, float]:
    def share(label: Label, got: Label) -> float:
        return found[label.value, got.value] / sum(
            n for (given, _), n in found.items() if given == label.value
        )

    good, bad = Label.ATTRIBUTABLE, Label.CONTRADICTORY
    return share(good, good), share(bad, bad), share(good, bad), share(bad, good)
