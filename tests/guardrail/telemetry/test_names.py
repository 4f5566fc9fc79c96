"""Names by the conventions."""

from __future__ import annotations

import opentelemetry.semconv._incubating.attributes.gen_ai_attributes as published

from guardrail.telemetry import names


def test_genai_names_are_those_of_the_conventions() -> None:
    """Each of our constants for an attribute that the installed conventions know has their spelling."""
    ours = {
        name: value
        for name, value in vars(names).items()
        if isinstance(value, str) and value.startswith("gen_ai.")
    }
    theirs = {value for name, value in vars(published).items() if name.startswith("GEN_AI_")}
    events_and_metrics = {
        "gen_ai.evaluation.result",
        "gen_ai.client.operation.duration",
        "gen_ai.client.operation.time_to_first_chunk",
        "gen_ai.client.token.usage",
    }
    assert set(ours.values()) - theirs == events_and_metrics
    assert "gen_ai.system" not in ours.values()


def test_every_other_name_is_in_our_own_space() -> None:
    """Or is one of the general conventions."""
    general = {"server.address", "server.port", "error.type", "retrieval"}
    values = [value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)]
    assert len(values) == len(set(values))
    assert all(value.startswith(("gen_ai.", "guardrail.")) or value in general for value in values)
