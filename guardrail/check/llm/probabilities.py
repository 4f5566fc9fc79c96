"""Judging by probabilities: an endpoint reads the evidence once and answers one typed question per claim, without text.

Nothing has to be parsed and nothing can be talked into the answer, but there are no citations either: the evidence that
speaks of the claim is given as what the verdict rests on. Below the threshold the claim is Extrapolatory.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from guardrail.check.llm.judge import Exhibits, Judgement, Judgements, bears
from guardrail.llm import Answer, Budget, Usage
from guardrail.llm.endpoint import Decider, Probabilities
from guardrail.llm.match import show
from guardrail.llm.usage import Meter
from guardrail.types import Claim, Label, Sentence

__all__ = ["DecisionJudge"]


class DecisionJudge:
    """Implements `Judge`. `threshold`: the probability that Attributable or Contradictory needs (an abstain band below it)."""

    reads_passages = True

    def __init__(self, decider: Decider, *, threshold: float = 0.7, concurrency: int = 8) -> None:
        self.name = f"{decider.kind}:{decider.model}"
        self._decider = decider
        self._threshold = threshold
        self._meter = Meter(Budget())
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="guardrail-decide")

    def submit(
        self, text: Sentence, claims: Sequence[Claim], shown: Exhibits, *, asked: str = "", earlier: str = ""
    ) -> Future[Answer[Judgements]]:
        return self._threads.submit(self._judgements, tuple(claims), shown)

    @property
    def usage(self) -> Usage:
        """Calls alone; these endpoints' tokens are not counted."""
        return self._meter.usage

    @property
    def trouble(self) -> str:
        return ""  # nothing is kept

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._decider.close()

    def _judgements(self, claims: Sequence[Claim], shown: Exhibits) -> Answer[Judgements]:
        evidence = "\n".join(
            [
                *(show(item) for item in shown.triplets),
                *(f"{item.title} {item.text}".strip() for item in shown.passages),
            ]
        )
        self._meter.admit()
        given = self._decider.decide(evidence, [claim.resolved for claim in claims])
        return Answer(
            tuple(self._judgement(claim, item, shown) for claim, item in zip(claims, given, strict=True)),
            calls=1,
        )

    def _judgement(self, claim: Claim, given: Probabilities, shown: Exhibits) -> Judgement:
        likeliest = max(Label, key=lambda label: given[label])
        sure = likeliest is Label.EXTRAPOLATORY or given[likeliest] >= self._threshold
        label = likeliest if sure else Label.EXTRAPOLATORY
        share = f"{given[likeliest]:.0%}"
        rationale = f"Given this evidence the model holds the claim to be {likeliest.value} with {share}"
        return Judgement(
            label,
            tuple(item for item in shown.triplets if bears(claim, item)),
            tuple(item for item in shown.passages if bears(claim, item)),
            f"{rationale}." if sure else f"{rationale}, which is too little to decide.",
            confidence=given[label],
        )
