"""A second look by a language model at what the embedded checkers left open in one answer.

Sentence by sentence while the answer is still coming (one call per sentence, earlier sentences as context), or once over the
whole answer (one call per answer). A review that is late is collected when the report is made: an amendment.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from guardrail.cache import open_cache
from guardrail.check.llm.checker import Late, LlmChecker
from guardrail.check.llm.claimver import ClaimVerJudge
from guardrail.check.llm.gate import Case
from guardrail.check.llm.probabilities import DecisionJudge
from guardrail.check.llm.verdicts import VerdictsJudge
from guardrail.errors import ConfigError
from guardrail.llm import LlmSettings, open_llm
from guardrail.llm.endpoint import Decider, EndpointKind
from guardrail.types import Evidence, Finding, Sentence, Span, Verdict

__all__ = ["Method", "ReviewerSettings", "Reviews", "open_reviewer"]

Method = Literal["verdicts", "claimver", "decisions", "systemone", "classify", "predict", "score"]

_MARGIN = 0.05  # seconds before a deadline at which a sentence stops waiting, so that its findings are there in time
_EARLIER = 6000  # characters of the answer that a sentence is shown after


@dataclass(frozen=True, slots=True)
class ReviewerSettings:
    """Which model looks again, and how it is asked. Raises ConfigError when they do not go together.

    `model`: litellm's name, or with `url` the name that the server there knows. `method`: "verdicts" for any chat model,
    "claimver" for ClaimVer's published weights, the others for endpoints that give probabilities. `cache`: a directory or
    a Redis URL; None keeps answers in memory.
    """

    model: str
    url: str | None = None
    key: str | None = field(default=None, repr=False)
    method: Method = "verdicts"
    cache: str | Path | None = None
    timeout_s: float = 60.0

    def __post_init__(self) -> None:
        if self.method in get_args(EndpointKind) and self.method != "decisions" and self.url is None:
            raise ConfigError(f"the checking method {self.method} needs the URL of a server")


def open_reviewer(settings: ReviewerSettings) -> LlmChecker:
    """A checker for `Verifier.reviewed_by`. Nothing is sent before the first claim that is left open."""
    if settings.method == "verdicts" or settings.method == "claimver":
        options = LlmSettings(settings.model, settings.url, settings.key, timeout_s=settings.timeout_s)
        llm = open_llm(options, cache=open_cache(settings.cache))
        return LlmChecker(VerdictsJudge(llm) if settings.method == "verdicts" else ClaimVerJudge(llm))
    decider = Decider(
        settings.url, settings.model, settings.method, settings.key, timeout_s=settings.timeout_s
    )
    return LlmChecker(DecisionJudge(decider))


@dataclass(slots=True)
class Reviews:
    """The reviews of one answer. Not thread-safe. `whole`: leave everything to one call in `finish`, which waits for it
    `patience_s` at most.
    """

    checker: LlmChecker
    asked: str = ""
    whole: bool = False
    patience_s: float = 30.0
    _earlier: list[str] = field(default_factory=list)
    _waiting: list[Case] = field(default_factory=list)
    _late: list[Late] = field(default_factory=list)

    def sentence(
        self,
        sentence: Sentence,
        findings: Sequence[Finding],
        evidence: Mapping[int, Evidence],
        *,
        deadline: float | None = None,
    ) -> tuple[Finding, ...]:
        """The findings with the model's verdicts in the place of those left open. `evidence` by claim id: all that was found."""
        cases = [
            Case(item.claim, evidence[item.claim.id], item)
            for item in findings
            if isinstance(item, Verdict) and item.claim.id in evidence
        ]
        if self.whole:
            self._waiting += cases
            return tuple(findings)
        earlier = " ".join(self._earlier)[-_EARLIER:]
        self._earlier.append(sentence.text)
        if not cases:
            return tuple(findings)
        limit = None if deadline is None else deadline - _MARGIN
        review = self.checker.review(sentence, cases, asked=self.asked, earlier=earlier, deadline=limit)
        if review.late:
            self._late.append(review.late)
        return _replaced(findings, [item for item in review.findings if isinstance(item, Verdict)])

    def finish(self, text: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """The findings of the whole answer, amended. To be called once, when the answer is complete."""
        if self._waiting:
            answer = Sentence(Span(0, len(text)), text)
            deadline = time.monotonic() + self.patience_s
            review = self.checker.review(answer, self._waiting, asked=self.asked, deadline=deadline)
            self._waiting = []
            return _replaced(findings, [item for item in review.findings if isinstance(item, Verdict)])
        amended = [verdict for late in self._late for verdict in late.amendment() or ()]
        self._late = []
        return _replaced(findings, amended)


def _replaced(findings: Sequence[Finding], verdicts: Sequence[Verdict]) -> tuple[Finding, ...]:
    """The findings with new verdicts in their places; a label that stays keeps its revisions."""
    by_claim = {verdict.claim.id: verdict for verdict in verdicts}
    return tuple(
        _merged(item, by_claim.get(item.claim.id, item)) if isinstance(item, Verdict) else item
        for item in findings
    )


def _merged(old: Verdict, new: Verdict) -> Verdict:
    if new.label is not old.label or new.revisions == old.revisions:
        return new
    if new.rationale == old.rationale and new.checker == old.checker:
        return old
    return replace(new, revisions=old.revisions)
