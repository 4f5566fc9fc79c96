"""OpenTelemetry's metrics as Prometheus reads them: text format 0.0.4, names and units by the OTLP translation rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from opentelemetry.sdk.metrics.export import Gauge, Histogram, HistogramDataPoint, Metric, MetricsData, Sum

__all__ = ["CONTENT_TYPE", "prometheus_name", "text"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_UNITS = {"s": "_seconds", "ms": "_milliseconds", "By": "_bytes"}


def text(data: MetricsData | None) -> str:
    """All metrics, a HELP and TYPE line each; empty when nothing was measured yet."""
    lines: list[str] = []
    for resource in data.resource_metrics if data else ():
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                lines.extend(_metric(metric))
    return "\n".join(lines) + "\n" if lines else ""


def _metric(metric: Metric) -> Iterator[str]:
    found, name = metric.data, _name(metric)
    if isinstance(found, Histogram):
        yield from _heads(name, metric.description, "histogram")
        for point in found.data_points:
            yield from _buckets(name, point)
    elif isinstance(found, Sum | Gauge):
        counts = isinstance(found, Sum) and found.is_monotonic
        name += "_total" if counts else ""
        yield from _heads(name, metric.description, "counter" if counts else "gauge")
        for number in found.data_points:
            yield f"{name}{_labels(number.attributes or {})} {_number(number.value)}"


def _buckets(name: str, point: HistogramDataPoint) -> Iterator[str]:
    labels = point.attributes or {}
    total = 0
    for bound, count in zip([*point.explicit_bounds, math.inf], point.bucket_counts, strict=True):
        total += count
        yield f"{name}_bucket{_labels({**labels, 'le': _number(bound)})} {total}"
    yield f"{name}_sum{_labels(labels)} {_number(point.sum)}"
    yield f"{name}_count{_labels(labels)} {point.count}"


def _heads(name: str, description: str | None, kind: str) -> Iterator[str]:
    told = (description or "").replace("\\", "\\\\").replace("\n", "\\n")
    yield f"# HELP {name} {told}".rstrip()
    yield f"# TYPE {name} {kind}"


def _name(metric: Metric) -> str:
    return prometheus_name(metric.name, metric.unit or "")


def prometheus_name(name: str, unit: str) -> str:
    """A metric's name without the `_total` of counters."""
    return re.sub(r"[^a-zA-Z0-9_:]", "_", name) + _UNITS.get(unit, "")


def _labels(attributes: Mapping[str, object]) -> str:
    if not attributes:
        return ""
    pairs = (
        f'{re.sub(r"[^a-zA-Z0-9_]", "_", key)}="{_escaped(str(value))}"' for key, value in attributes.items()
    )
    return "{" + ",".join(pairs) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value) if isinstance(value, float) and not value.is_integer() else str(int(value))
