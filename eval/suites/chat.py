"""Answers as chat models write them, over the starter knowledge: true claims supported, false ones contradicted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from eval.datasets.files import json_lines
from eval.suites.answers import said
from guardrail.types import Label, Report, Span
from guardrail.verifier import Verifier

HERE = Path(__file__).parents[1] / "chat"
PARTS = (
    "written",
    "open",
    "plurals",
    "sealed",
    "sealed_plain",
    "sealed_free",
    "sealed_contrasts",
    "sealed_roles",
    "sealed_daily",
)
"""Without `CHAT_PARTS`, which names some of them, or other files of the same form by their path."""
TOLD = os.environ.get("CHAT_TOLD", "") == "yes"  # print what went wrong; not of the sealed parts
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


def counted(verifier: Verifier, part: str) -> Found:
    """How often a label of the data met one of ours."""
    found: Found = Counter()
    for exchange in json_lines(Path(part) if part.endswith(".jsonl") else HERE / f"{part}.jsonl"):
        report = verifier.check(exchange["answer"], question=exchange["question"])
        marked = places(exchange["answer"], exchange["claims"])
        false = [place for label, place in marked if label == Label.CONTRADICTORY.value]
        for label, place in marked:
            got = _said(report, place, false)
            found[label, got] += 1
            if TOLD and not Path(part).stem.startswith("sealed") and got != label:
                print(f"  {exchange['id']} {label:14}{got:14}{place.of(exchange['answer'])}")
    return found


def _said(report: Report, place: Span, false: Sequence[Span]) -> str:
    """The label of a place; "coarse" where a claim that is rightly red holds it beside a false one."""
    got = said(report, place)
    if got != Label.CONTRADICTORY.value or place in false:
        return got
    red = [
        one.claim.span
        for one in report.verdicts
        if one.label is Label.CONTRADICTORY and one.claim.span.overlaps(place)
    ]
    return "coarse" if all(any(span.overlaps(one) for one in false) for span in red) else got


def run() -> int:
    """Bars, of each part: 75 % of the true supported, 80 % of the false contradicted, nothing wrong."""
    verifier, missed = Verifier.open(), False
    head = ("claims", "true supported", "false contradicted", "wrong red", "wrong green")
    print(f"{'part':18}" + "".join(f"{one:>20}" for one in head))
    for part in os.environ.get("CHAT_PARTS", "").split() or PARTS:
        found = counted(verifier, part)
        supported, refuted, red, green = _rates(found)
        missed |= supported < _BARS[0] or refuted < _BARS[1] or red + green > 0
        print(
            f"{Path(part).stem:18}{sum(found.values()):20}{supported:20.1%}{refuted:20.1%}{red:20}{green:20}",
            flush=True,
        )
    return int(missed)


def _rates(found: Found) -> tuple[float, float, int, int]:
    """What is supported of the true, contradicted of the false ones, and how many are wrongly red, wrongly green."""
    good, bad, open_ = (
        label.value for label in (Label.ATTRIBUTABLE, Label.CONTRADICTORY, Label.EXTRAPOLATORY)
    )
    of = Counter[str]()
    for (label, _), number in found.items():
        of[label] += number
    red, green = found[good, bad] + found[open_, bad], found[bad, good] + found[open_, good]
    return found[good, good] / of[good], found[bad, bad] / of[bad], red, green
