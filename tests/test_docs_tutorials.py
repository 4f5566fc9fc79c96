"""The tutorials do what they say: files, commands, requests and Python, in the order of the page."""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.cli import main
from guardrail.verifier import Verifier
from proxy.cli import serve
from tests.proxy.servers import serving

PAGES = sorted((Path(__file__).parent.parent / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```([\w-]+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROOT = "http://127.0.0.1:8080"


class Reader:
    """Somebody who follows a page in a folder of their own, with one server at a time."""

    def __init__(self, home: Path, stack: ExitStack) -> None:
        self.home, self.stack, self.root = home, stack, ""
        self.names: dict[str, object] = {}

    def follow(self, kind: str, name: str, content: str) -> bool:
        """Whether there was anything to do."""
        if name:
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(content, "utf-8")
        elif kind == "console":
            for command in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                first, *told = command.strip().splitlines()
                output = self.typed(first)
                assert [line for line in told if line not in output] == [], output
        elif kind == "python":
            self.run(content)
        else:
            return False
        return True

    def typed(self, command: str) -> str:
        line, _, target = command.partition(" > ")
        program, *arguments = shlex.split(line)
        if program == "curl":
            return subprocess.run(
                [program, *(one.replace(ROOT, self.root) for one in arguments)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        assert program == "guardrail"
        if arguments[0] == "serve":
            return self.serve(arguments[1:])
        result = CliRunner().invoke(
            main.group, [self.record() if one == "grd_…" else one for one in arguments]
        )
        if target:
            Path(target).write_text(result.output, "utf-8")
        failed = result.exception is not None and not isinstance(result.exception, SystemExit)
        return f"error: {result.exception}" if failed else result.output

    def serve(self, arguments: list[str]) -> str:
        """The server with the options of the page, on a free port."""
        given = serve.make_context("serve", arguments, resilient_parsing=False).params
        wanted = {"policy": given["policy"]}
        verifier = Verifier.open(given["knowledge"] or None)
        verifier.warm()
        self.root, _ = self.stack.enter_context(serving(self.home, verifier=verifier, **wanted))  # type: ignore[arg-type]
        return f"base_url  {ROOT}/v1"

    def record(self) -> str:
        """The oldest record of the log."""
        listed = CliRunner().invoke(main.group, ["audit", "list"]).output
        return listed.splitlines()[-1].split()[1]

    def run(self, code: str) -> None:
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(code.replace(ROOT, self.root), "tutorial", "exec"), self.names)
        assert output.getvalue().splitlines() == re.findall(r"^# → (.*)$", code, re.MULTILINE) != []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_can_be_followed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its first line to its last; each line shown is part of what comes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    with ExitStack() as stack:
        reader = Reader(tmp_path, stack)
        done = [reader.follow(*block) for block in BLOCK.findall(page.read_text("utf-8"))]
    assert sum(done) >= 3
