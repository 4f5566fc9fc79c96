"""Claims of answers against claims that people marked: exact spans, spans that overlap by 80 %, claims without a predicate."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.datasets.files import find, json_lines
from guardrail.language import parser
from guardrail.types import Claim, Span
from guardrail.verifier import Verifier

BAR = 0.82  # F1 of exact spans, on the part that nobody tuned on
BAR_OVERLAP = 0.92  # share of the marked claims that a claim overlaps by four fifths
TOLD = os.environ.get("SPLITS_TOLD", "") == "yes"  # print what differs; not of the part that is kept aside
_SIDES = " \t\n,;:.-–—•*"
_END = " \t\n,;:.!?"
_LEADING = ("and ", "but ", "or ", "while ", "although ", "whereas ", "so ", "who ", "which ")
_PREDICATES = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})


@dataclass(slots=True)
class Figures:
    """Counts over a part of the answers."""

    marked: int = 0
    ours: int = 0
    exact: int = 0
    overlapped: int = 0
    bare: list[str] = field(default_factory=list)

    @property
    def f1(self) -> float:
        return 2 * self.exact / max(1, self.ours + self.marked)

    def line(self, name: str) -> str:
        return (
            f"{name:10} claims {self.marked:4} ours {self.ours:4}   precision {self.exact / max(1, self.ours):.1%}   "
            f"recall {self.exact / max(1, self.marked):.1%}   F1 {self.f1:.1%}   "
            f"overlapped {self.overlapped / max(1, self.marked):.1%}   without a predicate {len(self.bare)}"
        )


def trimmed(text: str, span: Span) -> Span:
    """Without marks at its borders and a leading conjunction, which are not compared."""
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip(_SIDES))
    end = span.start + len(words.rstrip(_END))
    for lead in _LEADING:
        if text[start:end].lower().startswith(lead):
            start += len(lead)
    return Span(start, max(start, end))


def marked(unit: dict[str, Any]) -> Iterator[Span]:
    """The places of the claims that were marked by hand."""
    at = 0
    for claim in unit["claims"]:
        start = unit["text"].find(claim["text"], at)
        start = start if start >= 0 else unit["text"].index(claim["text"])
        at = start
        yield Span(start, start + len(claim["text"]))


def tuned_on(unit: dict[str, Any]) -> bool:
    return zlib.crc32(unit["id"].encode()) % 2 == 0


def measured(verifier: Verifier, units: Sequence[dict[str, Any]]) -> Figures:
    out = Figures()
    for unit in units:
        text = unit["text"]
        report = verifier.check(text, question=unit["question"])
        claims = [one.claim for one in report.verdicts]
        gold = [trimmed(text, span) for span in marked(unit)]
        found = [trimmed(text, one.span) for one in claims]
        out.marked, out.ours = out.marked + len(gold), out.ours + len(found)
        out.exact += len(set(gold) & set(found))
        out.overlapped += sum(any(_overlap(one, other) >= 0.8 for other in found) for one in gold)
        out.bare += [one.text for one in claims if not _predicated(one)]
        if TOLD and tuned_on(unit) and set(gold) != set(found):
            print(
                f"{text}\n   marked {[one.of(text) for one in gold]}\n   ours   {[one.of(text) for one in found]}"
            )
            print(f"   kinds  {[(one.kind.value, one.text) for one in report.skipped]}")
    return out


def _overlap(one: Span, other: Span) -> float:
    shared = min(one.end, other.end) - max(one.start, other.start)
    return max(0, shared) / max(1, max(one.end, other.end) - min(one.start, other.start))


def _predicated(claim: Claim) -> bool:
    """Whether a claim has a verb, or a mark that sets a value beside its key."""
    words = parser().read_long(claim.text).tokens
    return any(one.tag in _PREDICATES for one in words) or any(mark in claim.text for mark in ":|–=")


def run() -> int:
    units = list(json_lines(find("splits/splits.jsonl")))
    verifier = Verifier.open()
    figures = {}
    for name, wanted in (("tuned on", True), ("aside", False)):
        figures[name] = measured(verifier, [unit for unit in units if tuned_on(unit) is wanted])
        print(figures[name].line(name), flush=True)
    aside = figures["aside"]
    return int(aside.f1 < BAR or aside.overlapped < BAR_OVERLAP * aside.marked or bool(aside.bare))
