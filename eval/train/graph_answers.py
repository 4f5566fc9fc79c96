"""Chat answers over the starter knowledge, with their claims marked: what the model that reads statements learns from, and its trees.

The claims are the verifier's own, each with the statements that the product finds for it; its label is that of the words it holds: one
part that is false makes it false. `ANSWERS`/README.md tells how the answers were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from eval.datasets.claims import claims_of
from eval.datasets.files import json_lines
from eval.suites.chat import places
from guardrail.check.nli.records import RecordsChecker
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.models.embed import Embedder
from guardrail.types import Claim, Evidence, Label, Span
from guardrail.verifier import Verifier

__all__ = ["Found", "Given", "answers", "every_claim", "left_open"]

ANSWERS = Path(__file__).with_name("graph_answers")
Part = Literal["model", "trees"]


@dataclass(frozen=True, slots=True)
class Given:
    """`marked`: the label and the place of each claim as the writer marked it, in order."""

    id: str
    question: str
    text: str
    marked: tuple[tuple[str, Span], ...]

    def label(self, place: Span) -> Label | None:
        """Of what stands there; None where nothing is marked."""
        found = {label for label, one in self.marked if one.overlaps(place)}
        return next((label for label in _WORST if label.value in found), None)


_WORST = (Label.CONTRADICTORY, Label.EXTRAPOLATORY, Label.ATTRIBUTABLE)


@dataclass(frozen=True, slots=True)
class Found:
    """A claim with what the graph has for it."""

    answer: str
    claim: Claim
    evidence: Evidence
    label: Label


def answers(part: Part) -> list[Given]:
    """Those that the model learns from, or those that its trees are grown on."""
    return [
        Given(row["id"], row["question"], row["answer"], tuple(places(row["answer"], row["claims"])))
        for path in sorted(ANSWERS.glob(f"{part}_*.jsonl"))
        for row in json_lines(path)
    ]


def every_claim(given: Sequence[Given], verifier: Verifier) -> Iterator[Found]:
    """All claims that the graph has statements for."""
    retriever = _retriever(verifier.knowledge)
    for one in given:
        for claim in claims_of(verifier, one.text, one.question):
            label = one.label(claim.span)
            evidence = retriever.retrieve(claim)
            if label is not None and evidence.nearest:
                yield Found(one.id, claim, evidence, label)


def left_open(given: Sequence[Given], verifier: Verifier) -> Iterator[Found]:
    """The claims that nothing decides but, it may be, how statements read."""
    retriever = _retriever(verifier.knowledge)
    for one in given:
        for verdict in verifier.check(one.text, question=one.question).verdicts:
            undecided = verdict.label is Label.EXTRAPOLATORY and not verdict.conflict
            label = one.label(verdict.claim.span)
            if label is None or not (undecided or verdict.checker.startswith(RecordsChecker.prefix)):
                continue
            yield Found(one.id, verdict.claim, retriever.retrieve(verdict.claim), label)


@cache
def _retriever(graph: Knowledge | None) -> GraphRetriever:
    """Also where no trees were grown yet for the model that ships, and the verifier looks for nothing by meaning."""
    assert graph is not None
    return GraphRetriever(graph, embedder=Embedder(threads=1))
