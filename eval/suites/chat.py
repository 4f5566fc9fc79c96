"""Answers as chat models write them, over the starter knowledge: true claims supported, false ones contradicted."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from eval.datasets.files import json_lines
from eval.suites.answers import said
from guardrail.types import Label, Span
from guardrail.verifier import Verifier

HERE = Path(__file__).parents[1] / "chat"
TOLD = os.environ.get("CHAT_TOLD", "") == "yes"  # print what went wrong
_BARS = (0.75, 0.8)
Found = Counter[tuple[str, str]]


def places(answer: str, claims: list[dict[str, str]]) -> list[tuple[str, Span]]:
    """Label and place of each claim, in the order of the answer."""
    found: list[tuple[str, Span]] = []
    at = 0
    for claim in claims:
        start = answer.index(claim["text"], at)
        at = start + len(claim["text"])
        found.append((claim["label"], Span(start, at)))
    return found


def counted(verifier: Verifier) -> Found:
    """How often a label of the data met one of ours."""
    found: Found = Counter()
    for exchange in json_lines(HERE / "open.jsonl"):
        report = verifier.check(exchange["answer"], question=exchange["question"])
        for label, place in places(exchange["answer"], exchange["claims"]):
            got = said(report, place)
            found[label, got] += 1
            if TOLD and got != label:
                print(f"  {exchange['id']} {label:14}{got:14}{place.of(exchange['answer'])}")
    return found


def run() -> int:
    """Bars: 75 % of the true supported, 80 % of the false contradicted, nothing wrong."""
    found = counted(Verifier.open())
    good, bad, open_ = (
        label.value for label in (Label.ATTRIBUTABLE, Label.CONTRADICTORY, Label.EXTRAPOLATORY)
    )
    of = {label: sum(n for (given, _), n in found.items() if given == label) for label in (good, bad, open_)}
    supported, refuted = found[good, good] / of[good], found[bad, bad] / of[bad]
    red, green = found[good, bad] + found[open_, bad], found[bad, good] + found[open_, good]
    print(
        f"{'claims':>8}{'true supported':>16}{'false contradicted':>20}{'wrong red':>11}{'wrong green':>13}"
    )
    print(f"{sum(of.values()):8}{supported:16.1%}{refuted:20.1%}{red:11}{green:13}")
    return int(supported < _BARS[0] or refuted < _BARS[1] or red + green > 0)
