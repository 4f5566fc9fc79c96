"""From an exchange to its audit record: what the policy's `audit` lets be kept, masked where it says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from guardrail.audit.events import PolicyText
from guardrail.audit.record import (
    Cause,
    ClaimWords,
    Edit,
    Record,
    Shadow,
    UncheckedRecord,
    Words,
    new_salt,
    now,
    salted,
)
from guardrail.audit.redact import mask
from guardrail.audit.replay import claims, words_of
from guardrail.types import Report, Verdict
from policies import decide
from policies.policy import canonical
from policies.terms import Action, Policy, Request

__all__ = ["Part", "policy_text", "record"]

_NO_REQUEST = Request()


@dataclass(frozen=True, slots=True)
class Part:
    """A held sentence: its `number` among those of its choice that are recorded, the offset where it `begins`, and the

    `length` of the answer so far.
    """

    number: int
    begins: int
    length: int


def record(
    policy: Policy,
    report: Report,
    decision: decide.Decision,
    *,
    response: str,
    request: Request = _NO_REQUEST,
    choice: int = 0,
    part: Part | None = None,
    user: str = "",
    attempt: int = 1,
    draft: bool = False,
    tool: str = "",
    beside: Sequence[tuple[Policy, decide.Decision]] = (),
    timing_ms: Mapping[str, float] | None = None,
    versions: Mapping[str, str] | None = None,
) -> Record:
    """The record of one choice of a response, or of a held sentence of it (`part`).

    `draft`: the model was asked once more after it. `tool`: the report is on the arguments of a call of it. For a part, `report` holds the sentence's own words with its findings, whose offsets are the answer's. `response` is the id that the client sees; `user` the pseudonym of the request's user field (`AuditLog.pseudonym`); `beside`
    what shadow policies decided; `timing_ms` is added to the report's (upstream, hold, verify, audit, queue).
    """
    salt = new_salt()
    suffix = (f".{choice}" if choice else "") + ("" if part is None else f"#{part.number}")
    answer = _answer(policy, report, decision, response, request, salt)
    return replace(
        answer,
        id=response + suffix + (f"~{attempt}" if draft else ""),
        length=answer.length if part is None else part.length,
        kind="answer" if part is None else "part",
        choice=choice,
        user=user,
        attempt=attempt,
        tool=tool,
        shadows=tuple(_shadow(other, decided) for other, decided in beside),
        timing_ms={**report.timing_ms, **(timing_ms or {})},
        versions={**report.versions, **(versions or {}), "policy": policy.hash},
        words=_words(policy, report, decision, salt, begins=part.begins if part else 0),
    )


def _answer(
    policy: Policy, report: Report, decision: decide.Decision, response: str, request: Request, salt: str
) -> Record:
    """What a policy makes of a whole answer, without its words."""
    return Record(
        id=response,
        time=now(),
        response=response,
        model=request.model,
        policy=policy.name,
        policy_hash=policy.hash,
        action=decision.action.value,
        outcome=decision.outcome.value,
        kas=report.kas,
        length=len(report.text),
        mode=policy.mode.value,
        shadow=policy.shadow,
        store=policy.audit.store,
        retention_days=policy.audit.retention_days,
        route=request.route,
        key=request.key,
        tenant=request.tenant,
        language=request.language,
        flagged=decision.flagged,
        claims=claims(report.verdicts, salt),
        unchecked=tuple(UncheckedRecord(u.span.start, u.span.end, u.reason.value) for u in report.unchecked),
        reasons=_causes(decision.reasons),
        edits=tuple(Edit(e.span.start, e.span.end, len(e.replacement), e.claim) for e in decision.edits),
        text_hash=salted(salt, report.text),
    )


def policy_text(policy: Policy) -> PolicyText:
    """The entry that keeps a policy as it was used, so that its hash in records can be followed."""
    return PolicyText(
        "pol_" + policy.hash.removeprefix("sha256:"), now(), policy.name, policy.hash, canonical(policy)
    )


def _causes(causes: Sequence[decide.Cause]) -> tuple[Cause, ...]:
    return tuple(
        Cause(
            c.rule, c.action.value, c.claim, c.span.start if c.span else None, c.span.end if c.span else None
        )
        for c in causes
    )


def _shadow(policy: Policy, decision: decide.Decision) -> Shadow:
    return Shadow(
        policy=policy.name,
        policy_hash=policy.hash,
        action=decision.action.value,
        outcome=decision.outcome.value,
        flagged=decision.flagged,
        reasons=_causes(decision.reasons),
    )


def _words(policy: Policy, report: Report, decision: decide.Decision, salt: str, *, begins: int = 0) -> Words:
    """What `store` lets be kept; `begins`: the offset of the report's first character. `hash`: nothing but the salt, by which somebody who has the text can prove it."""
    store = policy.audit.store
    if store == "hash":
        return Words(salt)
    keep = _Keeping(redact=policy.audit.redact)
    kept = [v for v in report.verdicts if store == "full" or v.claim.id in decision.flagged]
    edits = decision.edits
    return Words(
        salt=salt,
        text=keep(report.text) if store == "full" else None,
        claims={str(verdict.claim.id): keep.claim(verdict) for verdict in kept},
        unchecked=tuple(keep(gap.text) for gap in report.unchecked) if store == "full" else (),
        before=tuple(keep(edit.span.shift(-begins).of(report.text)) for edit in edits),
        after=tuple(keep(edit.replacement) for edit in edits),
        message=keep(decision.message) if decision.action is Action.BLOCK else "",
        redacted=dict(keep.counts),
    )


class _Keeping:
    """Makes text fit to be stored: masked if wanted, and without lone surrogates, which no database takes."""

    def __init__(self, *, redact: bool) -> None:
        self._redact = redact
        self.counts: Counter[str] = Counter()

    def __call__(self, text: str) -> str:
        clean = (
            text if text.isascii() else "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
        )
        if not self._redact:
            return clean
        masked, counts = mask(clean)
        self.counts.update(counts)
        return masked

    def claim(self, verdict: Verdict) -> ClaimWords:
        words = words_of(verdict)
        return ClaimWords(
            text=self(words.text),
            resolved=self(words.resolved),
            rationale=self(words.rationale),
            claimed=self(words.claimed),
            known=self(words.known),
            revisions=tuple(self(replacement) for replacement in words.revisions),
        )
