"""Attacks that were written blind, against the running proxy with the real checkers."""

from __future__ import annotations

import pytest
import yaml

from eval.leaks.cases import HERE
from eval.suites.leaks import play


async def test_nothing_false_is_shown_where_the_policy_blocks(caplog: pytest.LogCaptureFixture) -> None:
    """What gets through is known by name and reason; harmless answers come through as they are. No text takes a thread for good."""
    known = yaml.safe_load((HERE / "known.yaml").read_text(encoding="utf-8"))
    found = {case.id: told for case, told in await play("open", "block") if not case.debatable}
    assert {name: told for name, told in found.items() if told != "held" and name not in known} == {}
    assert {name for name in known if found[name] == "held"} == set(), "mended: take them out of the list"
    assert "is given up" not in caplog.text
