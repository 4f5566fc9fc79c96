"""What the files under `deploy` start, started here: the same command and variables, other addresses."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from proxy.cli import serve

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
ASK = {"model": "m", "messages": [{"role": "user", "content": "Is it?"}]}


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def unknown_options(command: Sequence[str]) -> set[str]:
    """What a command names that `guardrail serve` does not have."""
    assert command[0] == serve.name
    known = {name for parameter in serve.params for name in parameter.opts}
    return {part.partition("=")[0] for part in command[1:] if part.startswith("--")} - known


def unknown_variables(environment: Mapping[str, Any]) -> set[str]:
    """Ours among the variables that the manual does not list."""
    told = set(re.findall(r"`(GUARDRAIL_\w+)`", (ROOT / "docs/reference/environment.md").read_text()))
    return {name for name in environment if name.startswith("GUARDRAIL_")} - told


def option(command: Sequence[str], name: str) -> str:
    """The value of an option that is there once."""
    (found,) = [part.partition("=")[2] for part in command if part.startswith(f"{name}=")]
    return found


@contextmanager
def started(command: Sequence[str], environment: Mapping[str, str], home: Path) -> Iterator[str]:
    """The root URL of a `guardrail` of one's own on a free port."""
    home.mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = {**os.environ, **environment, "GUARDRAIL_HOME": str(home), "PYTHONPATH": str(ROOT)}
    code = "from guardrail.cli.main import main; main()"
    whole = [sys.executable, "-c", code, *command, f"--port={port}"]
    with subprocess.Popen(whole, env=given, cwd=home, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert b"guardrail checks" in server.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
