"""What is told of an answer, as an in-memory exporter receives it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence

import pytest
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics.export import Histogram, Metric, Sum
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from guardrail.telemetry import Telemetry
from guardrail.telemetry.instruments import MOST_MODELS
from guardrail.telemetry.providers import Providers
from guardrail.types import Report
from tests.observed import STARTED, observed

TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class Collected:
    """A `Telemetry` and all that it has told."""

    def __init__(self, *, content: bool = False) -> None:
        self.providers = Providers.from_environment({})
        self._spans, self._events = InMemorySpanExporter(), InMemoryLogRecordExporter()
        self.providers.tracer.add_span_processor(SimpleSpanProcessor(self._spans))
        self.providers.logger.add_log_record_processor(SimpleLogRecordProcessor(self._events))
        self.telemetry = Telemetry(self.providers, content=content)

    @property
    def spans(self) -> dict[str, ReadableSpan]:
        return {span.name: span for span in self._spans.get_finished_spans()}

    @property
    def events(self) -> Sequence[ReadableLogRecord]:
        return self._events.get_finished_logs()

    @property
    def metrics(self) -> dict[str, Metric]:
        data = self.providers.reader.get_metrics_data()
        assert data is not None
        return {m.name: m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics}


def test_an_answer_is_a_client_span_by_the_genai_conventions() -> None:
    """Name, kind, times and attributes; our own beside them."""
    collected = Collected()
    collected.telemetry.answer(observed())
    span = collected.spans["chat gpt-9"]
    assert (span.kind, span.start_time, span.end_time) == (SpanKind.CLIENT, STARTED, STARTED + 2_000_000_000)
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-9",
        "gen_ai.request.stream": True,
        "gen_ai.response.model": "gpt-9-2026",
        "gen_ai.response.id": "grd_1",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.output_tokens": 345,
        "server.address": "model.example.org",
        "server.port": 443,
        "guardrail.id": "grd_1",
        "guardrail.policy.name": "annotate",
        "guardrail.policy.hash": "sha256:00",
        "guardrail.mode": "observe",
        "guardrail.action": "annotate",
        "guardrail.outcome": "flagged",
        "guardrail.kas": 0.25,
        "guardrail.claims": 2,
        "guardrail.claims.flagged": 1,
        "guardrail.claims.unchecked": 1,
        "guardrail.not_audited": False,
    }


def test_the_check_is_an_internal_span_with_the_retrieval_in_it() -> None:
    """Children of the answer's span, as long as they took."""
    collected = Collected()
    collected.telemetry.answer(observed())
    answer, check, retrieval = (
        collected.spans[name] for name in ("chat gpt-9", "guardrail.check", "retrieval")
    )
    assert check.kind is SpanKind.INTERNAL
    assert check.parent is not None
    assert retrieval.parent is not None
    assert check.parent.span_id == answer.get_span_context().span_id
    assert retrieval.parent.span_id == check.get_span_context().span_id
    assert check.end_time - check.start_time == 6_000_000  # type: ignore[operator]
    assert retrieval.end_time - retrieval.start_time == 2_000_000  # type: ignore[operator]


def test_an_answer_joins_the_trace_of_its_client() -> None:
    """W3C trace context; what is no such header starts a trace of its own."""
    collected = Collected()
    collected.telemetry.answer(observed(traceparent=TRACEPARENT))
    collected.telemetry.answer(observed(model="other", traceparent="nonsense"))
    assert f"{collected.spans['chat gpt-9'].context.trace_id:032x}" == TRACEPARENT.split("-")[1]
    assert collected.spans["chat other"].parent is None


def test_judgements_are_events_of_the_answers_span() -> None:
    """One for the KAS and one per flagged claim, without a word of content."""
    collected = Collected()
    collected.telemetry.answer(observed())
    span = collected.spans["chat gpt-9"].get_span_context()
    records = [event.log_record for event in collected.events]
    assert {(record.event_name, record.span_id) for record in records} == {
        ("gen_ai.evaluation.result", span.span_id)
    }
    kas, claim = (dict(record.attributes or {}) for record in records)
    assert kas["gen_ai.evaluation.name"] == "kas"
    assert (kas["gen_ai.evaluation.score.value"], kas["gen_ai.evaluation.score.label"]) == (0.25, "flagged")
    assert (claim["gen_ai.evaluation.score.value"], claim["gen_ai.evaluation.score.label"]) == (
        0.9,
        "contradictory",
    )
    assert (claim["guardrail.claim.start"], claim["guardrail.claim.end"]) == (0, 30)
    assert "gen_ai.evaluation.explanation" not in claim


def test_content_leaves_only_when_it_is_opted_in() -> None:
    """Nothing that was said is in spans or events, unless asked for."""
    for content in (False, True):
        collected = Collected(content=content)
        collected.telemetry.answer(observed())
        told = repr([dict(s.attributes or {}) for s in collected.spans.values()])
        told += repr([dict(e.log_record.attributes or {}) for e in collected.events])
        assert ("Lovelace" in told) is content


def test_a_failure_is_a_status_and_an_error_type() -> None:
    """On the span and on the duration."""
    collected = Collected()
    collected.telemetry.answer(observed(error="UpstreamBroken", outcome="not_checked", report=Report("")))
    span = collected.spans["chat gpt-9"]
    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {})["error.type"] == "UpstreamBroken"
    data = collected.metrics["gen_ai.client.operation.duration"].data
    assert isinstance(data, Histogram)
    assert (data.data_points[0].attributes or {})["error.type"] == "UpstreamBroken"
    assert "guardrail.check" not in collected.spans


def sums(metric: Metric) -> dict[tuple[object, ...], float]:
    """The values of a counter by its attributes' values, in their order."""
    assert isinstance(metric.data, Sum)
    return {tuple((p.attributes or {}).values()): p.value for p in metric.data.data_points}


def test_answers_claims_and_what_was_not_checked_are_counted() -> None:
    """By policy, outcome and action; by label; by reason; without record."""
    collected = Collected()
    collected.telemetry.answer(observed())
    collected.telemetry.answer(observed(not_audited=True))
    metrics = collected.metrics
    assert sums(metrics["guardrail.answers"]) == {("annotate", "flagged", "annotate", "gpt-9"): 2}
    assert sums(metrics["guardrail.claims.checked"]) == {
        ("annotate", "contradictory"): 2,
        ("annotate", "attributable"): 2,
    }
    assert sums(metrics["guardrail.claims.not_checked"]) == {("annotate", "deadline"): 2}
    assert sums(metrics["guardrail.audit.not_audited"]) == {("annotate",): 1}


def test_times_and_tokens_are_histograms_in_seconds() -> None:
    """Overhead can be laid at the door of each stage."""
    collected = Collected()
    collected.telemetry.answer(observed())
    metrics = collected.metrics
    stages = metrics["guardrail.stage.duration"].data
    assert isinstance(stages, Histogram)
    assert {(p.attributes or {})["guardrail.stage"]: round(p.sum, 6) for p in stages.data_points} == {
        "upstream": 1.9,
        "verify": 0.006,
        "audit": 0.0015,
        "hold": 0.0,
        "queue": 0.0002,
    }
    for name, total in (
        ("gen_ai.client.operation.duration", 2.0),
        ("gen_ai.client.operation.time_to_first_chunk", 0.15),
    ):
        data = metrics[name].data
        assert isinstance(data, Histogram)
        assert (metrics[name].unit, data.data_points[0].sum) == ("s", pytest.approx(total))


def test_clients_cannot_fill_the_memory_with_model_names() -> None:
    """After the first hundred names all others are one."""
    collected = Collected()
    for number in range(MOST_MODELS + 50):
        collected.telemetry.answer(observed(model=f"m{number}" * 100))
    counts = sums(collected.metrics["guardrail.answers"])
    assert len(counts) == MOST_MODELS + 1
    assert counts["annotate", "flagged", "annotate", "other"] == 50


def test_gauges_tell_what_is_going_on() -> None:
    """Answers under way, records that wait, reloads of policies."""
    collected = Collected()
    for change in (1, 1, -1):
        collected.telemetry.active(change)
    collected.telemetry.watch_audit(lambda: 7)
    collected.telemetry.reloaded(good=False)
    text = collected.telemetry.metrics()
    assert "guardrail_answers_active 1\n" in text
    assert "guardrail_audit_pending 7\n" in text
    assert 'guardrail_policy_reloads_total{guardrail_outcome="refused"} 1\n' in text


def test_a_checking_model_is_measured_where_there_is_one() -> None:
    """Its calls and what the gate saves; without a model the metrics are not there."""
    collected = Collected()
    assert "guardrail_reviewer" not in collected.telemetry.metrics()
    collected.telemetry.watch(lambda: {"guardrail.reviewer.calls": 3, "guardrail.reviewer.saved": 0.25})
    text = collected.telemetry.metrics()
    assert "guardrail_reviewer_calls 3\n" in text
    assert "guardrail_reviewer_saved" in text
    assert "guardrail_reviewer_cost" not in text


def test_a_whole_telemetry_opens_from_an_empty_environment() -> None:
    """Nothing is exported, metrics can be read."""
    telemetry = Telemetry.open(environment={}, version="1")
    telemetry.answer(observed())
    assert "guardrail_answers_total" in telemetry.metrics()
    telemetry.shutdown()


def test_a_span_is_open_while_the_answer_is_made() -> None:
    """It begins with the work and ends with the telling, in the client's trace, with all that is known by then."""
    collected = Collected()
    begun = collected.telemetry.begin("gpt-9", traceparent=TRACEPARENT)
    assert collected.spans == {}
    before = time.time_ns()
    collected.telemetry.answer(observed(traceparent=TRACEPARENT), begun)
    span = collected.spans["chat gpt-9"]
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.start_time <= before <= span.end_time
    assert span.parent is not None
    assert f"{span.parent.span_id:016x}" == TRACEPARENT.split("-")[2]
    assert (span.attributes or {})["gen_ai.usage.input_tokens"] == 12
    check = collected.spans["guardrail.check"]
    assert check.parent is not None
    assert check.parent.span_id == begun.span.get_span_context().span_id


def test_the_models_server_is_told_of_the_span_only_where_spans_are_sent() -> None:
    """Its spans become children of ours; without an exporter nobody would ever see that parent."""
    collected = Collected()
    assert collected.telemetry.begin("m", traceparent=TRACEPARENT).traceparent == ""
    sending = Telemetry(dataclasses.replace(collected.providers, traced=True))
    begun = sending.begin("m", traceparent=TRACEPARENT)
    _, trace_id, span_id, _ = begun.traceparent.split("-")
    assert trace_id == TRACEPARENT.split("-")[1]
    assert span_id == f"{begun.span.get_span_context().span_id:016x}"


def test_limits_are_gauges_where_they_are_counted_together() -> None:
    """Nothing is told of a shared count that does not exist."""
    collected = Collected()
    assert "guardrail_limits" not in collected.telemetry.metrics()
    collected.telemetry.watch(lambda: {"guardrail.limits.away": 1.0, "guardrail.limits.alone": 3.0})
    told = collected.telemetry.metrics()
    assert "guardrail_limits_away 1" in told
    assert "guardrail_limits_alone 3" in told


def test_a_models_server_is_measured_where_there_is_one() -> None:
    """Whether it is away, and how many claims another model judged meanwhile; nothing is told of a model that has no server."""
    collected = Collected()
    assert "guardrail_model" not in collected.telemetry.metrics()
    collected.telemetry.watch(lambda: {"guardrail.model.away": 1.0, "guardrail.model.replaced": 3.0})
    told = collected.telemetry.metrics()
    assert "guardrail_model_away 1" in told
    assert "guardrail_model_replaced 3" in told
