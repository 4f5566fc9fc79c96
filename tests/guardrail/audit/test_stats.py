"""The log in numbers."""

from __future__ import annotations

import pytest

from guardrail.audit.stats import stats
from tests.records import record


def test_everything_is_counted_once() -> None:
    """Answers by outcome, action, policy and model; claims by label; what was not checked; shadow policies."""
    found = stats(
        [record(1, kas=0.2), record(2, kas=0.6, action="pass", outcome="clean", shadow=True, model="other")]
    )
    assert (found.answers, found.kas) == (2, pytest.approx(0.4))
    assert found.first < found.last
    tables = {name: dict(counts) for name, counts in found.tables().items()}
    assert tables["outcome"] == {"flagged": 1, "clean": 1}
    assert tables["action"] == {"revise": 1, "pass (shadow)": 1}
    assert tables["model"] == {"demo": 1, "other": 1}
    assert tables["label"] == {"contradictory": 2}
    assert tables["not checked"] == {"deadline": 2}
    assert tables["shadow policy"] == {"strict: block": 2}
    assert tables["rule"] == {"contradicted": 2, "low score": 2}


def test_no_records_are_no_error() -> None:
    """All counts are nought."""
    assert (stats([]).answers, stats([]).kas) == (0, 0.0)
