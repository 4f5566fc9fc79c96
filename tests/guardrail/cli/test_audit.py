"""`guardrail audit` as a user calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from guardrail.audit.store import AuditLog
from guardrail.cli.audit import audit
from tests.records import record


def test_every_command_explains_itself() -> None:
    """`guardrail audit --help` lists all of them, and each has a help text."""
    runner = CliRunner()
    listed = runner.invoke(audit, ["--help"]).output
    for name in (
        "list",
        "show",
        "policy",
        "search",
        "stats",
        "export",
        "verify",
        "checkpoint",
        "review",
        "erase",
        "rotate",
    ):
        assert f"\n  {name} " in listed
        assert runner.invoke(audit, [name, "--help"]).exit_code == 0


def test_without_an_option_the_log_is_the_one_of_the_state_directory(tmp_path: Path) -> None:
    """`$GUARDRAIL_HOME/audit.db`, through the real command line."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1))
    command = [sys.executable, "-c", "from guardrail.cli.main import main; main()", "audit"]
    env = os.environ | {"GUARDRAIL_HOME": str(tmp_path)}
    listed = subprocess.run([*command, "list"], env=env, capture_output=True, text=True, check=True)
    assert "grd_1" in listed.stdout
    missing = subprocess.run([*command, "show", "nope"], env=env, capture_output=True, text=True, check=False)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr.startswith("error: no record `nope`")


def test_reading_makes_no_log_where_there_is_none(tmp_path: Path) -> None:
    """A typing mistake in --log does not leave an empty log behind."""
    for command in (["list"], ["verify"], ["stats"], ["erase", "x", "--reason", "r", "--by", "b"]):
        result = CliRunner().invoke(audit, ["--log", str(tmp_path / "none.db"), *command])
        assert result.exit_code != 0
    assert not list(tmp_path.iterdir())
