"""A language model as the last checker: one call for all claims of a text that the embedded checkers left open.

The model's word is not taken for it: a label other than Extrapolatory needs a citation that was really retrieved and that
bears on the claim. When the model fails, refuses or is late, the embedded verdict stands and says so; where there is none
the claim is Unchecked. A late answer can be collected as an amendment.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from guardrail.check.llm.gate import Case, Gate
from guardrail.check.llm.judge import Exhibits, Judge, Judgement, Judgements, bears, exhibits
from guardrail.errors import ModelError, ModelTimeout
from guardrail.llm import Answer
from guardrail.llm.model import wait
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    NotChecked,
    Passage,
    Reason,
    Sentence,
    Triplet,
    Unchecked,
    Verdict,
)

__all__ = ["Case", "Late", "LlmChecker", "Review"]

Reviewed = Verdict | Unchecked

_EVIDENCE_LIMIT = (
    24_000  # characters, about 6,000 tokens: a third of the window of the smallest models in use
)
_CONFIDENCE = 0.8  # a generated label carries no probability; ClaimVer's Table 4 has 72 to 89 % right on matching claims


@dataclass(frozen=True, slots=True)
class Review:
    """One finding per case, in order. `late`: the model had not answered by the deadline and may still do."""

    findings: tuple[Reviewed, ...]
    late: Late | None = None


class LlmChecker:
    """Implements `Checker`; `review` does the same for all claims of a text in one call. Thread-safe.

    `judge`: `VerdictsJudge` for general models, `ClaimVerJudge` for ClaimVer's published weights, `DecisionJudge` for
    endpoints that give probabilities.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        gate: Gate | None = None,
        evidence_limit: int = _EVIDENCE_LIMIT,
        confidence: float = _CONFIDENCE,
    ) -> None:
        self.name = judge.name
        self.gate = gate or Gate()
        self._judge = judge
        self._limit = evidence_limit
        self._confidence = confidence

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        """One claim on its own; None when the model has nothing to go by or gave no usable answer."""
        sentence = Sentence(claim.span, claim.text)
        finding = self.review(sentence, [Case(claim, evidence)]).findings[0]
        return finding if isinstance(finding, Verdict) else None

    def review(
        self,
        text: Sentence,
        cases: Sequence[Case],
        *,
        asked: str = "",
        earlier: str = "",
        deadline: float | None = None,
    ) -> Review:
        """Judge the claims of `text` (a sentence, or a whole answer as one) together; never raises a ModelError.

        Cases that the gate settles keep their embedded verdict. `earlier` is the answer before `text`; `deadline` a
        `time.monotonic()` value.
        """
        open_cases = [case for case in cases if self.gate.needs_model(case) and self._can_read(case)]
        if not open_cases:
            return Review(tuple(_standing(case) for case in cases))
        shown = self._exhibits(open_cases)
        late = None
        try:
            if deadline is not None and time.monotonic() >= deadline:
                raise ModelTimeout("the deadline had passed before the model was asked")
            claims = [case.claim for case in open_cases]
            pending = self._judge.submit(text, claims, shown, asked=asked, earlier=earlier)
            try:
                judged = self._judged(open_cases, wait(pending, deadline).value, shown)
            except ModelTimeout:
                late = Late(self, tuple(open_cases), pending, shown)
                raise
        except ModelError as error:
            judged = [_fallen_back(case, error) for case in open_cases]
        by_claim = {id(case): finding for case, finding in zip(open_cases, judged, strict=True)}
        return Review(tuple(by_claim.get(id(case)) or _standing(case) for case in cases), late)

    def measures(self) -> dict[str, float]:
        """What the model has cost and what the gate has saved, by metric name."""
        usage = self._judge.usage
        return {
            "guardrail.reviewer.saved": self.gate.saved,
            "guardrail.reviewer.calls": usage.calls,
            "guardrail.reviewer.tokens": usage.tokens,
            "guardrail.reviewer.cost": usage.cost,
            "guardrail.reviewer.cache.away": float(bool(self.trouble)),
        }

    @property
    def trouble(self) -> str:
        """Why the model's answers are not kept; empty when they are."""
        return self._judge.trouble

    def close(self) -> None:
        """End the model's threads and connections."""
        self._judge.close()

    def _can_read(self, case: Case) -> bool:
        return self._judge.reads_passages or bool(case.evidence.triplets)

    def _exhibits(self, cases: Sequence[Case]) -> Exhibits:
        shown = exhibits([case.evidence for case in cases], self._limit)
        if self._judge.reads_passages:
            return shown
        return Exhibits(shown.triplets, (), (*shown.unread, *(item.id for item in shown.passages)))

    def _judged(self, cases: Sequence[Case], judgements: Judgements, shown: Exhibits) -> list[Reviewed]:
        return [
            self._verdict(case, judgement, shown) if judgement else _left_out(case)
            for case, judgement in zip(cases, judgements, strict=True)
        ]

    def _verdict(self, case: Case, judgement: Judgement, shown: Exhibits) -> Verdict:
        doubt = "" if judgement.label is Label.EXTRAPOLATORY else _doubt(case, judgement)
        reason = _why_open(case, judgement, shown, doubt)
        triplets = judgement.triplets
        answers = tuple(item for item in case.evidence.answers if set(item.statements) & set(triplets))
        return Verdict(
            claim=case.claim,
            label=judgement.label if reason is None else Label.EXTRAPOLATORY,
            confidence=self._confidence if judgement.confidence is None else judgement.confidence,
            evidence=Evidence(
                triplets, judgement.passages, answers, unread=(*case.evidence.unread, *shown.unread)
            ),
            rationale=doubt or judgement.rationale,
            checker=self.name,
            reason=reason,
        )


@dataclass(frozen=True, slots=True)
class Late:
    """An answer that came, or will come, after its deadline."""

    checker: LlmChecker
    cases: tuple[Case, ...]
    pending: Future[Answer[Judgements]]
    shown: Exhibits

    def amendment(self, *, wait_s: float = 0.0) -> tuple[Verdict, ...] | None:
        """The verdicts that differ from those that stand; None while there is no answer; () when it came to nothing."""
        try:
            judgements = wait(self.pending, time.monotonic() + wait_s).value
        except ModelTimeout:
            return () if self.pending.done() else None
        except ModelError:
            return ()
        findings = self.checker._judged(self.cases, judgements, self.shown)
        return tuple(
            finding
            for case, finding in zip(self.cases, findings, strict=True)
            if isinstance(finding, Verdict)
            and (case.verdict is None or finding.label is not case.verdict.label)
        )


# ── what to make of a model's word ────────────────────────────────────────────────────────────────────


def _why_open(case: Case, judgement: Judgement, shown: Exhibits, doubt: str) -> Reason | None:
    """Why a claim is Extrapolatory, as the model says or whatever it says; None where its label is taken over."""
    if judgement.label is Label.EXTRAPOLATORY:
        return Reason.NOT_READ if shown.unread else Reason.INSUFFICIENT
    if doubt:
        return Reason.INSUFFICIENT
    return Reason.HEDGED if case.claim.kind is Kind.HEDGED else None


def _doubt(case: Case, judgement: Judgement) -> str:
    """Why a label is not taken over; "" when its citations carry it."""
    claim, first = case.claim, case.verdict
    said = f"The model called this {judgement.label.value}"
    if not judgement.triplets and not judgement.passages:
        return f"{said}, but cited {'what was not retrieved' if judgement.invented else 'no evidence'}."
    cited: list[Triplet | Passage] = [*judgement.triplets, *judgement.passages]
    if not any(bears(claim, item) for item in cited):
        return f"{said}, but what it cited does not speak of it."
    open_list = first is not None and first.reason in (Reason.OPEN_LIST, Reason.AMBIGUOUS_ENTITY)
    if open_list and judgement.label is Label.CONTRADICTORY and not judgement.passages:
        return f"{said}, but another member of a list that may go on refutes nothing."
    return ""


def _standing(case: Case) -> Reviewed:
    if case.verdict is not None:
        return case.verdict
    if not case.evidence:
        rationale = "No evidence is about this."
        return Verdict(
            case.claim, Label.EXTRAPOLATORY, 1.0, case.evidence, rationale, "gate", reason=Reason.NO_EVIDENCE
        )
    return Unchecked(
        case.claim.span, case.claim.text, NotChecked.DISABLED, "no checker has judged this claim"
    )


def _left_out(case: Case) -> Reviewed:
    return _without_model(case, "it left these words out", NotChecked.ERROR)


def _fallen_back(case: Case, error: ModelError) -> Reviewed:
    reason = NotChecked.DEADLINE if isinstance(error, ModelTimeout) else NotChecked.ERROR
    return _without_model(case, f"{type(error).__name__}: {error}", reason)


def _without_model(case: Case, why: str, reason: NotChecked) -> Reviewed:
    if case.verdict is None:
        return Unchecked(case.claim.span, case.claim.text, reason, f"language model: {why}")
    said = f"{case.verdict.rationale} (The language model gave no verdict: {why}. The embedded one stands.)"
    return replace(case.verdict, rationale=said.strip())
