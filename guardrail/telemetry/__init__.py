"""Traces, metrics and events by OpenTelemetry's GenAI conventions, and the same metrics for Prometheus.

`Telemetry` is the door; `names` holds every name that leaves the house; `providers` reads the standard environment
variables; `prometheus` writes the text that `/metrics` serves. Content (what was asked and answered) never leaves unless
it is opted in.
"""

from guardrail.telemetry.instruments import Begun, Observed, Telemetry

__all__ = ["Begun", "Observed", "Telemetry"]
