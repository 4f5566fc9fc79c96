"""What all tests share: a home of their own, and the verifier over the starter knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from guardrail.evidence import starter
from guardrail.verifier import Verifier

# The same examples on every run, however slow the machine is: a property fails because it does not hold, never by chance.
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.function_scoped_fixture),
)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own state."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path_factory.getbasetemp() / "home"))


@pytest.fixture(scope="session")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter knowledge as a file, built once."""
    return starter.ensure(tmp_path_factory.mktemp("knowledge") / "knowledge.db")


@pytest.fixture(scope="session")
def verifier(knowledge: Path) -> Verifier:
    """The embedded verifier over the starter knowledge, ready for its first sentence."""
    opened = Verifier.open(knowledge)
    opened.warm()
    return opened
