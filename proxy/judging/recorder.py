"""Writes the records that a state machine asks for to the audit log."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import Sequence
from dataclasses import replace

from guardrail.audit.record import Record
from guardrail.audit.store import AuditLog
from guardrail.audit.writer import RefusedEntry
from guardrail.telemetry import Observed, Telemetry
from guardrail.types import Outcome, Report, Unchecked, Verdict
from policies.decide import Action, Decision, decide
from policies.recording import Part, policy_text, record
from policies.terms import Policy
from proxy.judging.excerpt import excerpt
from proxy.judging.pool import Pool
from proxy.judging.reports import Reports
from proxy.stream.events import Audit, Judged, Reported
from proxy.stream.exchange import Exchange


class Recorder:
    """Writes one record for each choice of a response, and one for each held sentence before it is let go.

    `pool` is its own: a record that text waits for does not stand in line behind checks.
    """

    def __init__(self, log: AuditLog, pool: Pool, telemetry: Telemetry | None = None) -> None:
        self._log = log
        self._pool = pool
        self._telemetry = telemetry
        self.reports = Reports()
        self._kept: set[tuple[str, str]] = set()  # (log, policy hash) whose text is in the log

    async def record(self, exchange: Exchange, command: Audit) -> None:
        """Returns when all is durable. Raises AuditError."""
        began, lost = time.monotonic(), True
        try:
            for policy in (exchange.policy, *exchange.beside):
                await self._keep(policy)
            user = self._log.pseudonym(exchange.user) if exchange.user else ""
            for one in await self._pool.run(functools.partial(records, exchange, command, user=user)):
                await self._log.append(one)
            lost = False
            if command.part is None:
                await self.reports.keep(exchange.id, [one.whole for one in command.reports])
        finally:
            if self._telemetry is not None and command.part is None:
                spent = time.monotonic() - began
                await self._pool.run(functools.partial(self._tell, exchange, command, spent, lost))

    def close(self) -> None:
        self._pool.close()

    def _tell(self, exchange: Exchange, command: Audit, audit_s: float, lost: bool) -> None:
        """In a worker: spans and metrics cost as much as hundreds of words on their way."""
        assert self._telemetry is not None
        for number, seen in enumerate(observed(exchange, command, audit_s=audit_s, lost=lost)):
            self._telemetry.answer(seen, exchange.begun if number == 0 else None)

    async def _keep(self, policy: Policy) -> None:
        """The text of a policy goes into the log before the first record that names its hash."""
        key = (self._log.log, policy.hash)
        if key in self._kept:
            return
        text = policy_text(policy)
        if await asyncio.to_thread(self._log.entry, text.id) is None:
            with contextlib.suppress(RefusedEntry):  # another answer or process was first
                await self._log.append(text)
        self._kept.add(key)


def observed(exchange: Exchange, command: Audit, *, audit_s: float, lost: bool) -> list[Observed]:
    """What telemetry is told of the choices of a response, or of a response that has none."""
    failed = Outcome.NOT_CHECKED if command.error else Outcome.NOT_CHECKABLE
    whole = [(one.report, one.decision) for one in command.reports] or [
        (Report(""), Decision(outcome=failed))
    ]
    spent = time.monotonic() - exchange.started
    ended = time.time_ns()
    return [
        Observed(
            id=exchange.id,
            model=exchange.request.model,
            policy=exchange.policy.name,
            policy_hash=exchange.policy.hash,
            mode=exchange.mode.value,
            action=decision.visible.value,
            outcome=decision.outcome.value,
            started=ended - int(spent * 1e9),
            ended=ended,
            report=report,
            flagged=decision.flagged,
            stream=exchange.stream,
            first_chunk_ms=exchange.stages_ms.get("first byte"),
            stages_ms=_stages(exchange, report, audit_s=audit_s, spent=spent),
            error="upstream" if command.error else "",
            not_audited=lost,
            traceparent=exchange.traceparent,
            server=exchange.server,
            tokens=command.tokens if number == 0 else None,  # they are those of all choices
        )
        for number, (report, decision) in enumerate(whole)
    ]


def _stages(exchange: Exchange, report: Report, *, audit_s: float, spent: float) -> dict[str, float]:
    """Where the time went. `hold`: from the upstream's last byte to the record, which is what checking added at the end."""
    stages = {"verify": report.timing_ms.get("total", 0.0), "audit": audit_s * 1e3}
    upstream = exchange.stages_ms.get("upstream")
    if upstream is not None:
        stages |= {"upstream": upstream, "hold": max(0.0, (spent - audit_s) * 1e3 - upstream)}
    return stages | {"queue": exchange.stages_ms.get("queue", 0.0)}


def records(exchange: Exchange, command: Audit, *, user: str = "") -> Sequence[Record]:
    """The records that a command asks for; an answer without text has one too. `user`: the pseudonym of the request's."""
    if command.part is not None:
        return [_part(exchange, command, command.part, user)]
    draft = any(one.decision.visible is Action.REGENERATE for one in command.reports)
    took_ms = (time.monotonic() - exchange.started) * 1e3
    found = [_choice(exchange, reported, user, took_ms, draft=draft) for reported in command.reports]
    if not found:
        outcome = Outcome.NOT_CHECKED if command.error else Outcome.NOT_CHECKABLE
        found = [
            record(
                exchange.policy,
                Report(""),
                Decision(outcome=outcome),
                response=exchange.id,
                request=exchange.request,
                user=user,
                attempt=exchange.attempt,
            )
        ]
    host, port = exchange.server
    server = f"{host}:{port}" if port else host
    told = [command.tokens or (None, None), *[(None, None)] * len(found)]
    return [
        replace(one, error=command.error, server=server, input_tokens=tokens[0], output_tokens=tokens[1])
        for one, tokens in zip(found, told, strict=False)
    ]


def _choice(exchange: Exchange, reported: Reported, user: str, took_ms: float, *, draft: bool) -> Record:
    again = exchange.attempt > 1
    return record(
        exchange.policy,
        _shortened(reported.report),
        reported.decision,
        response=exchange.id,
        request=exchange.request,
        choice=reported.choice,
        user=user,
        attempt=exchange.attempt,
        draft=draft,
        tool=(reported.call.name or "unnamed") if reported.call else "",
        beside=tuple((other, decide(other, reported.report, again=again)) for other in exchange.beside),
        timing_ms={"response": took_ms, **exchange.stages_ms},
    )


def _shortened(report: Report) -> Report:
    """Without the bulk of what was never read: its place is on record, its words need not be, page by page."""
    cut = tuple(replace(one, text=excerpt(one.text)) for one in report.unchecked)
    return report if cut == report.unchecked else replace(report, unchecked=cut)


def _part(exchange: Exchange, command: Audit, judged: Judged, user: str) -> Record:
    """Its words alone, not all that came before them: an answer has as many parts as sentences that are flagged."""
    sentence = judged.sentence
    report = Report(
        text=sentence.text,
        verdicts=tuple(item for item in judged.findings if isinstance(item, Verdict)),
        unchecked=tuple(item for item in judged.findings if isinstance(item, Unchecked)),
    )
    return record(
        exchange.policy,
        report,
        judged.decision,
        response=exchange.id,
        request=exchange.request,
        choice=judged.choice,
        part=Part(command.number, sentence.span.start, command.length),
        user=user,
    )
