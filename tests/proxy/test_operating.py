"""The options for several machines, and for the end of a server, reach the settings."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from proxy import cli
from proxy.settings import Settings


@pytest.mark.parametrize(
    ("given", "environment", "found"),
    [
        ((), {}, (None, 32 << 20)),
        (("--reports", "redis://r:1/0", "--max-reports", "256"), {}, ("redis://r:1/0", 256 << 20)),
        ((), {"GUARDRAIL_REPORTS": "redis://e:1/0"}, ("redis://e:1/0", 32 << 20)),
    ],
)
def test_where_reports_are_kept(
    given: tuple[str, ...],
    environment: dict[str, str],
    found: tuple[Any, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By default in memory; an option or a variable names a Redis, and MiB become bytes."""
    seen: list[Settings] = []
    monkeypatch.setattr(cli, "run", seen.append)
    CliRunner().invoke(cli.serve, given, env=environment, catch_exceptions=False)
    assert (seen[0].reports, seen[0].max_reports) == found


def test_how_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notice and grace are seconds; by default there is no notice, and ten seconds of grace."""
    seen: list[Settings] = []
    monkeypatch.setattr(cli, "run", seen.append)
    for given in ((), ("--stop-after", "2.5", "--stop-grace", "300")):
        CliRunner().invoke(cli.serve, given, catch_exceptions=False)
    assert [(one.stop_after, one.stop_grace) for one in seen] == [(0, 10), (2.5, 300)]


@pytest.mark.parametrize(("given", "found"), [((), 0), (("--verifiers", "3"), 3)])
def test_how_many_processes_check(
    given: tuple[str, ...], found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default none: threads of the server do."""
    seen: list[Settings] = []
    monkeypatch.setattr(cli, "run", seen.append)
    CliRunner().invoke(cli.serve, given, catch_exceptions=False)
    assert seen[0].verifiers == found
