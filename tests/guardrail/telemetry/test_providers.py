"""OTLP by the standard variables, received by a real collector."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from guardrail.telemetry import Telemetry
from tests.observed import observed


class Collector(ThreadingHTTPServer):
    """Takes OTLP over HTTP, as a collector does, and keeps what it got."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.traces = ExportTraceServiceRequest()
        self.metrics = ExportMetricsServiceRequest()
        self.logs = ExportLogsServiceRequest()
        self.headers: list[str | None] = []


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.headers.append(self.headers.get("x-team"))
        kept = {
            "/v1/traces": self.server.traces,
            "/v1/metrics": self.server.metrics,
            "/v1/logs": self.server.logs,
        }
        kept[self.path].MergeFromString(body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = Collector()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_real_collector_receives_spans_metrics_and_events(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the standard variables alone: endpoint, headers, compression, service name."""
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_EXPORTER_OTLP_HEADERS": "x-team=blue",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
        "OTEL_SERVICE_NAME": "our-proxy",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    telemetry = Telemetry.open(version="1.2", environment=environment)
    telemetry.answer(observed())
    telemetry.shutdown()
    resource = collector.traces.resource_spans[0].resource
    told = {pair.key: pair.value.string_value for pair in resource.attributes}
    assert (told["service.name"], told["service.version"]) == ("our-proxy", "1.2")
    spans = [s for r in collector.traces.resource_spans for scope in r.scope_spans for s in scope.spans]
    assert {span.name for span in spans} == {"chat gpt-9", "guardrail.check", "retrieval"}
    assert len({span.trace_id for span in spans}) == 1
    metrics = [
        m for r in collector.metrics.resource_metrics for scope in r.scope_metrics for m in scope.metrics
    ]
    assert {"guardrail.answers", "gen_ai.client.operation.duration", "guardrail.stage.duration"} <= {
        m.name for m in metrics
    }
    events = [e for r in collector.logs.resource_logs for scope in r.scope_logs for e in scope.log_records]
    assert [event.event_name for event in events] == ["gen_ai.evaluation.result"] * 2
    assert set(collector.headers) == {"blue"}


@pytest.mark.parametrize(
    ("environment", "signals"),
    [
        ({}, set()),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "{}/v1/traces"}, {"traces"}),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "{}/v1/metrics"}, {"metrics"}),
        ({"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "{}/v1/logs"}, {"logs"}),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "{}", "OTEL_SDK_DISABLED": "true"}, set()),
    ],
)
def test_only_what_is_asked_for_is_exported(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], signals: set[str]
) -> None:
    """Without an endpoint nothing leaves the process; one signal's own endpoint is for that signal alone."""
    environment = {
        name: value.format(f"http://127.0.0.1:{collector.server_port}") for name, value in environment.items()
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    telemetry = Telemetry.open(environment=environment)
    telemetry.answer(observed())
    telemetry.shutdown()
    received = {
        "traces": collector.traces.resource_spans,
        "metrics": collector.metrics.resource_metrics,
        "logs": collector.logs.resource_logs,
    }
    assert {name for name, found in received.items() if found} == signals
