"""What is measured of each answer: one span with its children, one event per judgement, counters and histograms.

An answer is told after the fact, when all of it is known, so that nothing here stands in the way of a token. Model names
come from clients, so metrics keep the first hundred apart and call the rest `other`: no client can fill the memory.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from opentelemetry import trace
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.context import Context
from opentelemetry.metrics import CallbackOptions, Histogram, Meter, Observation
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

from guardrail.telemetry import names, prometheus
from guardrail.telemetry.providers import Providers
from guardrail.types import Report, Verdict

__all__ = ["Observed", "Telemetry"]

SECONDS = (
    0.01,
    0.02,
    0.04,
    0.08,
    0.16,
    0.32,
    0.64,
    1.28,
    2.56,
    5.12,
    10.24,
    20.48,
    40.96,
    81.92,
)  # as GenAI asks
STAGE_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
TOKENS = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576)
TENTHS = tuple(index / 10 for index in range(1, 10))
MOST_MODELS = 100

Measures = Callable[[], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Observed:
    """One choice of an answer, or the whole of it where nothing was checked. Times in `time.time_ns()`.

    `stages_ms`: where the time went (upstream, hold, verify, audit, queue). `tokens`: input and output as the upstream
    reports them. `traceparent`: the client's W3C header; the answer's span becomes its child.
    """

    id: str
    model: str
    policy: str
    action: str
    outcome: str
    started: int
    ended: int
    report: Report
    flagged: Sequence[int] = ()
    mode: str = ""
    policy_hash: str = ""
    operation: str = "chat"
    provider: str = "openai"
    response_model: str = ""
    stream: bool = False
    server: tuple[str, int | None] = ("", None)
    finish_reasons: Sequence[str] = ()
    tokens: tuple[int, int] | None = None
    first_chunk_ms: float | None = None
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    error: str = ""
    not_audited: bool = False
    traceparent: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """An answer that is being made: its span is open.

    `traceparent`: for the model's server, so that its spans are children of ours; empty where ours are sent nowhere.
    """

    span: trace.Span
    parent: Context
    traceparent: str = ""


REVIEWER = (
    (names.REVIEWER_SAVED, "1", "Share of claims that needed no checking model"),
    (names.REVIEWER_CALLS, "{call}", "Calls of the checking model"),
    (names.REVIEWER_TOKENS, "{token}", "Tokens of the checking model"),
    (names.REVIEWER_COST, "{USD}", "Cost of the checking model, where the price is known"),
    (names.REVIEWER_CACHE_AWAY, "1", "1 while the cache of the checking model's answers is away, else 0"),
)
MODEL = (
    (names.MODEL_AWAY, "1", "1 while the checking model's server is away, else 0"),
    (names.MODEL_REPLACED, "{claim}", "Claims that the shipped model judged in its place"),
)
SHARED = (
    (names.LIMITS_AWAY, "1", "1 while the shared count of the keys' limits is away, else 0"),
    (names.LIMITS_ALONE, "{request}", "Requests of keys that this process counted by itself meanwhile"),
    (names.REPORTS_AWAY, "1", "1 while the store of reports for several machines is away, else 0"),
)
VERIFIERS = (
    (names.VERIFIERS_RUNNING, "{process}", "Verifier processes of this server that are running"),
    (names.VERIFIERS_DIED, "{process}", "Verifier processes of this server that died and were replaced"),
)
GAUGES = (*REVIEWER, *MODEL, *SHARED, *VERIFIERS)


class Telemetry:
    """Thread-safe; one per process. `content`: put claims and rationales into events (off: labels and scores only)."""

    def __init__(self, providers: Providers, *, content: bool = False) -> None:
        self._providers = providers
        self._content = content
        self._tracer = providers.tracer.get_tracer("guardrail")
        self._logger = providers.logger.get_logger("guardrail")
        self._models = _Bounded(MOST_MODELS)
        self._pending: Callable[[], int] = lambda: 0
        self._watched: list[Measures] = []
        meter = providers.meter.get_meter("guardrail")
        histogram, counter = partial(_histogram, meter), meter.create_counter
        self._duration = histogram(names.OPERATION_DURATION, "s", "Time of an answer", SECONDS)
        self._first = histogram(names.TIME_TO_FIRST_CHUNK, "s", "Time to the first chunk", SECONDS)
        self._tokens = histogram(names.TOKEN_USAGE, "{token}", "Tokens used", TOKENS)
        self._stage = histogram(names.STAGE_DURATION, "s", "Where the time of an answer went", STAGE_SECONDS)
        self._kas = histogram(names.ANSWER_KAS, "1", "KG attribution score of answers", TENTHS)
        self._answers = counter(names.ANSWERS, "{answer}", "Answers by outcome and action")
        self._claims = counter(names.ANSWER_CLAIMS, "{claim}", "Claims by label")
        self._unchecked = counter(
            names.ANSWER_UNCHECKED, "{claim}", "Passages that were not checked, by reason"
        )
        self._lost = counter(names.LOST_RECORDS, "{record}", "Answers that went out without a durable record")
        self._reloads = counter(names.POLICY_RELOADS, "{reload}", "Policy files read again, by outcome")
        self._active = meter.create_up_down_counter(names.ACTIVE, "{answer}", "Answers being relayed")
        meter.create_observable_gauge(
            names.AUDIT_PENDING, [self._observe_pending], "{record}", "Records waiting to be written"
        )
        for name, unit, description in GAUGES:
            meter.create_observable_gauge(name, [partial(self._observe, name)], unit, description)

    @classmethod
    def open(cls, *, version: str = "", environment: Mapping[str, str] = os.environ) -> Telemetry:
        """By the standard environment variables. Raises ConfigError."""
        captured = environment.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "").lower()
        return cls(
            Providers.from_environment(environment, version=version),
            content=captured not in ("", "false", "no_content"),
        )

    def begin(self, model: str, *, operation: str = "chat", traceparent: str = "") -> Begun:
        """Opens the span of an answer; `answer` closes it. `traceparent`: the client's."""
        parent = _context(traceparent)
        span = self._tracer.start_span(f"{operation} {model}", parent, SpanKind.CLIENT)
        carrier: dict[str, str] = {}
        if self._providers.traced:
            TraceContextTextMapPropagator().inject(carrier, trace.set_span_in_context(span, parent))
        return Begun(span, parent, carrier.get("traceparent", ""))

    def answer(self, seen: Observed, begun: Begun | None = None) -> None:
        """Tell of one answer: span, events, metrics. Without `begun` the span is told afterwards, too."""
        parent = begun.parent if begun else _context(seen.traceparent)
        if begun:
            span = begun.span
            span.set_attributes(_attributes(seen))
        else:
            span = self._tracer.start_span(
                f"{seen.operation} {seen.model}",
                parent,
                SpanKind.CLIENT,
                _attributes(seen),
                start_time=seen.started,
            )
        if seen.error:
            span.set_status(Status(StatusCode.ERROR, seen.error))
            span.set_attribute(names.ERROR_TYPE, seen.error)
        context = trace.set_span_in_context(span, parent)
        self._check(seen, context)
        self._judgements(seen, context)
        span.end(None if begun else seen.ended)
        self._measure(seen)

    def active(self, change: int) -> None:
        """An answer began (1) or ended (-1)."""
        self._active.add(change)

    def reloaded(self, *, good: bool) -> None:
        """A policy file changed and was taken up, or refused."""
        self._reloads.add(1, {names.OUTCOME: "taken" if good else "refused"})

    def watch_audit(self, pending: Callable[[], int]) -> None:
        """Where to ask how many records wait."""
        self._pending = pending

    def watch(self, *measures: Measures) -> None:
        """Where to ask for some of `GAUGES`, by metric name: what a checking model has cost, what is away, how many run."""
        self._watched += measures

    def metrics(self) -> str:
        """The text for `/metrics`."""
        return prometheus.text(self._providers.reader.get_metrics_data())

    def shutdown(self) -> None:
        """Send what is left."""
        self._providers.shutdown()

    def _check(self, seen: Observed, context: Context) -> None:
        """The INTERNAL span of the check and the retrieval in it; both are sums over the answer's sentences."""
        timing = seen.report.timing_ms
        spent = timing.get("total", 0.0)
        if not spent and not seen.report.verdicts:
            return
        began = max(seen.started, seen.ended - int(spent * 1e6))
        counts = {names.CLAIMS: len(seen.report.verdicts), names.FLAGGED: len(seen.flagged)}
        check = self._tracer.start_span(
            names.CHECK_SPAN, context, SpanKind.INTERNAL, counts, start_time=began
        )
        if "evidence" in timing:
            inside = trace.set_span_in_context(check, context)
            looked_up = {names.OPERATION_NAME: "retrieval"}
            kind = SpanKind.INTERNAL
            retrieval = self._tracer.start_span(
                names.RETRIEVAL_SPAN, inside, kind, looked_up, start_time=began
            )
            retrieval.end(began + int(timing["evidence"] * 1e6))
        check.end(max(began + int(spent * 1e6), began))

    def _judgements(self, seen: Observed, context: Context) -> None:
        """`gen_ai.evaluation.result`: one for the KAS, one per flagged claim."""
        told: dict[str, AttributeValue] = {
            names.EVALUATION_NAME: "kas",
            names.EVALUATION_SCORE_VALUE: seen.report.kas,
        }
        self._event(seen, context, told | {names.EVALUATION_SCORE_LABEL: seen.outcome})
        flagged = set(seen.flagged)
        for verdict in seen.report.verdicts:
            if verdict.claim.id in flagged:
                self._event(seen, context, self._judgement(verdict))

    def _judgement(self, verdict: Verdict) -> dict[str, AttributeValue]:
        told: dict[str, AttributeValue] = {
            names.EVALUATION_NAME: "claim",
            names.EVALUATION_SCORE_VALUE: verdict.confidence,
            names.EVALUATION_SCORE_LABEL: verdict.label.value,
            names.CLAIM_ID: verdict.claim.id,
            names.CLAIM_START: verdict.claim.span.start,
            names.CLAIM_END: verdict.claim.span.end,
        }
        if verdict.reason:
            told[names.REASON] = verdict.reason.value
        if self._content:
            told[names.EVALUATION_EXPLANATION] = verdict.rationale
        return told

    def _event(self, seen: Observed, context: Context, attributes: dict[str, AttributeValue]) -> None:
        self._logger.emit(
            LogRecord(
                timestamp=seen.ended,
                observed_timestamp=time.time_ns(),
                context=context,
                severity_number=SeverityNumber.INFO,
                event_name=names.EVALUATION_RESULT,
                attributes=attributes | {names.RESPONSE_ID: seen.id},
            )
        )

    def _measure(self, seen: Observed) -> None:
        model = self._models(seen.model)
        common = {
            names.OPERATION_NAME: seen.operation,
            names.PROVIDER_NAME: seen.provider,
            names.REQUEST_MODEL: model,
        }
        failed = {names.ERROR_TYPE: seen.error} if seen.error else {}
        self._duration.record((seen.ended - seen.started) / 1e9, common | failed)
        if seen.first_chunk_ms is not None:
            self._first.record(seen.first_chunk_ms / 1e3, common)
        for kind, count in zip(("input", "output"), seen.tokens or (), strict=False):
            self._tokens.record(count, common | {names.TOKEN_TYPE: kind})
        for stage, spent in seen.stages_ms.items():
            self._stage.record(spent / 1e3, {names.STAGE: stage})
        policy = {names.POLICY: seen.policy}
        self._answers.add(
            1, policy | {names.OUTCOME: seen.outcome, names.ACTION: seen.action, names.REQUEST_MODEL: model}
        )
        for verdict in seen.report.verdicts:
            self._claims.add(1, policy | {names.LABEL: verdict.label.value})
        for gap in seen.report.unchecked:
            self._unchecked.add(1, policy | {names.REASON: gap.reason.value})
        if seen.report.verdicts:
            self._kas.record(seen.report.kas, policy)
        if seen.not_audited:
            self._lost.add(1, policy)

    def _observe_pending(self, _: CallbackOptions) -> Iterable[Observation]:
        return [Observation(self._pending())]

    def _observe(self, name: str, _: CallbackOptions) -> Iterable[Observation]:
        told = (measures() for measures in self._watched)
        return [Observation(found[name]) for found in told if name in found]


def _histogram(meter: Meter, name: str, unit: str, description: str, bounds: Sequence[float]) -> Histogram:
    return meter.create_histogram(name, unit, description, explicit_bucket_boundaries_advisory=bounds)


class _Bounded:
    """Keeps the first `most` values apart; the rest are `other`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def __call__(self, value: str) -> str:
        value = value[:100]
        with self._lock:
            if value not in self._known:
                if len(self._known) >= self._most:
                    return "other"
                self._known.add(value)
        return value


def _context(traceparent: str) -> Context:
    """Where a client's trace goes on; without one a trace of our own begins."""
    return TraceContextTextMapPropagator().extract({"traceparent": traceparent}) if traceparent else Context()


def _attributes(seen: Observed) -> dict[str, AttributeValue]:
    host, port = seen.server
    given: dict[str, AttributeValue | None] = {
        names.OPERATION_NAME: seen.operation,
        names.PROVIDER_NAME: seen.provider,
        names.REQUEST_MODEL: seen.model,
        names.REQUEST_STREAM: seen.stream,
        names.RESPONSE_MODEL: seen.response_model or None,
        names.RESPONSE_ID: seen.id,
        names.RESPONSE_FINISH_REASONS: tuple(seen.finish_reasons) or None,
        names.USAGE_INPUT_TOKENS: seen.tokens[0] if seen.tokens else None,
        names.USAGE_OUTPUT_TOKENS: seen.tokens[1] if seen.tokens else None,
        names.SERVER_ADDRESS: host or None,
        names.SERVER_PORT: port,
        names.ID: seen.id,
        names.POLICY: seen.policy,
        names.POLICY_HASH: seen.policy_hash or None,
        names.MODE: seen.mode or None,
        names.ACTION: seen.action,
        names.OUTCOME: seen.outcome,
        names.KAS: seen.report.kas,
        names.CLAIMS: len(seen.report.verdicts),
        names.FLAGGED: len(seen.flagged),
        names.UNCHECKED: len(seen.report.unchecked),
        names.NOT_AUDITED: seen.not_audited,
    }
    return {name: value for name, value in given.items() if value is not None}
