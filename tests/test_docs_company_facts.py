"""The files and commands of docs/company-facts.md do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from guardrail.cli.check import check
from guardrail.cli.kg import kg

PAGE = (Path(__file__).parent.parent / "docs" / "company-facts.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS: dict[str, click.Command] = {"kg": kg, "check": check}


def test_every_command_of_the_page_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of the page, with its files; each line shown is part of the output, texts are checked as texts."""
    monkeypatch.chdir(tmp_path)
    ran = set()
    for kind, name, content in BLOCK.findall(PAGE):
        if name:
            Path(name).write_text(content, "utf-8")
        elif kind == "console":
            for command in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                first, *told = command.strip().splitlines()
                program, group, *arguments = shlex.split(first)
                assert program == "guardrail"
                result = CliRunner().invoke(COMMANDS[group], arguments)
                assert result.exception is None or isinstance(result.exception, SystemExit), first
                for line in told:
                    assert line in result.output, f"{first}\n{result.output}"
                ran.add((group, first))
    assert sum(group == "check" for group, _ in ran) >= 6
