"""Where telemetry goes, by OpenTelemetry's standard environment variables and nothing else.

With `OTEL_EXPORTER_OTLP_ENDPOINT` (or one of its three signals' own) set, traces, metrics and events are exported by OTLP
over HTTP (extra `otlp`); without it nothing leaves the process. Metrics can always be read for Prometheus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    InMemoryMetricReader,
    MetricExporter,
    MetricReader,
    PeriodicExportingMetricReader,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from guardrail.errors import ConfigError

__all__ = ["Providers"]

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACES, METRICS, LOGS = (f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT" for signal in ("TRACES", "METRICS", "LOGS"))


@dataclass(frozen=True, slots=True)
class Providers:
    """The SDK's three providers, and the reader that `/metrics` asks. `traced`: spans are sent somewhere."""

    tracer: TracerProvider
    meter: MeterProvider
    logger: LoggerProvider
    reader: InMemoryMetricReader
    traced: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], *, version: str = "") -> Providers:
        """Raises ConfigError when an endpoint is set and the extra `otlp` is missing."""
        resource = Resource.create(
            {"service.name": environment.get("OTEL_SERVICE_NAME", "guardrail"), "service.version": version}
        )
        reader = InMemoryMetricReader()
        readers: list[MetricReader] = [reader]
        disabled = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
        wanted = {
            name for name in (TRACES, METRICS, LOGS) if environment.get(name) or environment.get(ENDPOINT)
        }
        tracer, logger = TracerProvider(resource=resource), LoggerProvider(resource=resource)
        if wanted and not disabled:
            exporters = _exporters()
            if TRACES in wanted:
                tracer.add_span_processor(BatchSpanProcessor(exporters.span()))
            if LOGS in wanted:
                logger.add_log_record_processor(BatchLogRecordProcessor(exporters.log()))
            if METRICS in wanted:
                readers.append(PeriodicExportingMetricReader(exporters.metric()))
        traced = TRACES in wanted and not disabled
        return cls(tracer, MeterProvider(readers, resource=resource), logger, reader, traced)

    def shutdown(self) -> None:
        """Send what is left."""
        self.tracer.shutdown()
        self.meter.shutdown()
        self.logger.shutdown()


@dataclass(frozen=True, slots=True)
class _Exporters:
    """The OTLP exporters; each reads endpoint, headers, timeout and compression from the environment itself."""

    span: Callable[[], SpanExporter]
    metric: Callable[[], MetricExporter]
    log: Callable[[], LogRecordExporter]


def _exporters() -> _Exporters:
    try:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError as error:
        raise ConfigError(
            f"{ENDPOINT} is set, but not the extra: pip install 'claim-guardrail[otlp]'"
        ) from error
    return _Exporters(OTLPSpanExporter, OTLPMetricExporter, OTLPLogExporter)
