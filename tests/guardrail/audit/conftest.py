"""Every test of the log runs on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from guardrail.audit.store import AuditLog
from tests.postgres_server import Server, started

Opener = Callable[[], AuditLog]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running server; the test is skipped where none is installed."""
    yield from started()


@pytest.fixture(params=["sqlite", "postgres"])
def open_log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same log as often as it is called; all are closed at the end."""
    source: str | Path = tmp_path / "audit.db"
    if request.param == "postgres":
        source = request.getfixturevalue("postgres").new_database()
    opened: list[AuditLog] = []

    def open_once() -> AuditLog:
        opened.append(AuditLog.open(source, key=tmp_path / "audit.key"))
        return opened[-1]

    yield open_once
    for log in opened:
        log.close()
