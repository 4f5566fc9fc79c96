"""The text for `/metrics`."""

from __future__ import annotations

import re

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from guardrail.telemetry.prometheus import text

LINE = re.compile(
    r'(# (HELP|TYPE) \S+( .*)?|[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="([^"\\\n]|\\[\\"n])*"(,[a-zA-Z_]\w*="([^"\\\n]|\\[\\"n])*")*\})? \S+)'
)


def rendered(measure: object) -> str:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader])
    measure(provider.get_meter("m"))  # type: ignore[operator]
    found = text(reader.get_metrics_data())
    provider.shutdown()
    return found


def test_a_histogram_is_cumulative_and_ends_at_infinity() -> None:
    """Buckets, sum and count, with the unit in the name."""

    def measure(meter) -> None:  # type: ignore[no-untyped-def]
        histogram = meter.create_histogram(
            "a.time", "s", "How\nlong", explicit_bucket_boundaries_advisory=(0.1, 1)
        )
        for value in (0.05, 0.5, 0.5, 5):
            histogram.record(value, {"stage": "x"})

    assert rendered(measure).splitlines() == [
        r"# HELP a_time_seconds How\nlong",
        "# TYPE a_time_seconds histogram",
        'a_time_seconds_bucket{stage="x",le="0.1"} 1',
        'a_time_seconds_bucket{stage="x",le="1"} 3',
        'a_time_seconds_bucket{stage="x",le="+Inf"} 4',
        'a_time_seconds_sum{stage="x"} 6.05',
        'a_time_seconds_count{stage="x"} 4',
    ]


def test_counters_end_in_total_and_gauges_do_not() -> None:
    """A sum that can fall is a gauge."""

    def measure(meter) -> None:  # type: ignore[no-untyped-def]
        meter.create_counter("a.b").add(3)
        meter.create_up_down_counter("c").add(-2)

    found = rendered(measure)
    assert "# TYPE a_b_total counter\na_b_total 3\n" in found
    assert "# TYPE c gauge\nc -2\n" in found


def test_labels_are_escaped() -> None:
    """Quotes, backslashes and line breaks cannot break out of a line."""

    def measure(meter) -> None:  # type: ignore[no-untyped-def]
        meter.create_counter("a").add(1, {"model.name": 'x"} 9\n# TYPE \\'})

    found = rendered(measure)
    assert r'a_total{model_name="x\"} 9\n# TYPE \\"} 1' in found
    assert all(LINE.fullmatch(line) for line in found.splitlines())


def test_nothing_measured_is_an_empty_text() -> None:
    """And no error."""
    assert text(None) == ""
