"""The command group."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from guardrail.cli import main
from guardrail.errors import ConfigError


def test_help_lists_the_commands() -> None:
    """Each room's command is found through its entry point."""
    result = CliRunner().invoke(main.group, ["--help"])
    assert result.exit_code == 0
    for command in ("audit", "check", "kg", "policy", "serve"):
        assert f"  {command} " in result.output


def test_an_error_of_ours_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user sees `error: …` and exit code 2, never a traceback."""

    def broken() -> None:
        raise ConfigError("no such thing")

    monkeypatch.setattr(main, "group", broken)
    with pytest.raises(SystemExit) as stopped:
        main.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "error: no such thing\n"


def test_asking_for_help_does_not_import_the_server() -> None:
    """`guardrail --version` stays fast: neither the proxy nor the pipeline is loaded."""
    code = "import sys, guardrail.cli.main; print([m for m in ('fastapi', 'guardrail.verifier', 'proxy') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_python_runs_the_command_line() -> None:
    """Where the script is not on the path: `python -m guardrail`."""
    command = [sys.executable, "-m", "guardrail", "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.startswith("guardrail, version ")
