"""The dashboard and the alert rules ask for metrics that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from guardrail.telemetry import Telemetry
from guardrail.telemetry.instruments import GAUGES
from tests.observed import observed

DEPLOY = Path(__file__).parents[3] / "deploy"
WORDS = {
    "guardrail_policy_name",
    "guardrail_outcome",
    "guardrail_action",
    "guardrail_claim_label",
    "guardrail_reason",
}
LABELS = WORDS | {"guardrail_stage", "gen_ai_request_model"}


def _expressions() -> Iterator[str]:
    for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    board = json.loads((DEPLOY / "grafana.json").read_text())
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])
    yield from (one["query"] for one in board["templating"]["list"])


@pytest.fixture(scope="module")
def metrics() -> str:
    telemetry = Telemetry.open(environment={})
    telemetry.answer(observed(not_audited=True))
    telemetry.reloaded(good=False)
    telemetry.watch(lambda: {name: 0.0 for name, _, _ in GAUGES})
    return telemetry.metrics()


@pytest.mark.parametrize("expression", sorted(set(_expressions())))
def test_every_name_in_an_expression_is_served(expression: str, metrics: str) -> None:
    """Metric names and labels are those of `/metrics`, letter by letter."""
    names = set(re.findall(r"\b(?:guardrail|gen_ai)_\w+", expression))
    assert {name for name in names & LABELS if f'{name}="' not in metrics} == set()
    assert {name for name in names - LABELS if f"\n{name}" not in "\n" + metrics} == set()


def test_every_alert_says_what_to_do() -> None:
    """A name, a severity, a summary and an action."""
    for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("critical", "warning")
            assert set(rule["annotations"]) == {"summary", "action"}
