"""Where state lives."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.config import audit_file, home, knowledge_file
from guardrail.errors import ConfigError


def test_guardrail_home_is_made_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All state goes under $GUARDRAIL_HOME, which is made when it is not there."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path / "a" / "b"))
    assert home() == tmp_path / "a" / "b"
    assert home().is_dir()
    assert (knowledge_file().name, audit_file().name) == ("knowledge.db", "audit.db")
    assert knowledge_file().parent == audit_file().parent == home()


def test_a_home_that_is_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the variable and the path."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path / "file"))
    with pytest.raises(ConfigError, match=r"GUARDRAIL_HOME.*file"):
        home()
