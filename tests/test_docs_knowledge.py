"""The files and commands of docs/knowledge.md do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.cli.kg import kg

PAGE = (Path(__file__).parent.parent / "docs" / "knowledge.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_every_command_of_the_page_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of the page, with its files; each line shown is part of the output."""
    monkeypatch.chdir(tmp_path)
    ran = 0
    for kind, name, content in BLOCK.findall(PAGE):
        if name:
            Path(name).write_text(content, "utf-8")
        elif kind == "console":
            for command in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                first, *shown = command.strip().splitlines()
                program, group, *arguments = shlex.split(first)
                assert (program, group) == ("guardrail", "kg")
                result = CliRunner().invoke(kg, arguments)
                assert result.exception is None, f"{first}: {result.exception}"
                for line in shown:
                    assert line in result.output, f"{first}\n{result.output}"
                ran += 1
        elif kind == "python":
            exec(compile(content, "docs/knowledge.md", "exec"), {})
    assert ran >= 12
