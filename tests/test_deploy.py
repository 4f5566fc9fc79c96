"""The container file, read where no engine can build it: what it copies is there, what it starts exists, and not as root."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from proxy.cli import serve

ROOT = Path(__file__).parent.parent
LINES = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text()).splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def told(word: str, *, stage: int = -1) -> list[str]:
    """The arguments of an instruction in the first or the last stage."""
    starts = [number for number, line in enumerate(LINES) if line.startswith("FROM ")]
    begin = starts[stage]
    end = next((start for start in starts if start > begin), len(LINES))
    return [line.partition(" ")[2] for line in LINES[begin:end] if line.startswith(f"{word} ")]


def test_what_is_copied_is_there() -> None:
    """Every source of a COPY exists, is not kept out of the context, and is all that the build needs."""
    ignored = set((ROOT / ".dockerignore").read_text().split())
    sources = {source for line in told("COPY", stage=0) for source in line.split()[:-1]}
    assert {source for source in sources if not (ROOT / source).exists() or source in ignored} == set()
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    project = PROJECT["project"]
    assert sources >= {"pyproject.toml", project["readme"], *project["license-files"], *wheel["packages"]}


def test_what_is_installed_exists() -> None:
    """The extras that are asked for are the project's, and Python is one that it runs on."""
    installs = " ".join(told("RUN", stage=0))
    asked = {extra for found in re.findall(r"\.\[([\w,-]+)\]", installs) for extra in found.split(",")}
    assert asked <= PROJECT["project"]["optional-dependencies"].keys()
    images = {line.split()[1] for line in LINES if line.startswith("FROM ")}
    assert images == {"python:3.11-slim"}
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_it_does_not_run_as_root_and_tells_its_health() -> None:
    """The last stage makes a user and becomes it; the health check asks a path that is served."""
    (user,) = told("USER")
    assert f"useradd --create-home --uid 10001 {user}" in told("RUN")[0]
    (check,) = told("HEALTHCHECK")
    assert "/healthz" in check
    (port,) = told("EXPOSE")
    assert f":{port}/" in check


def test_what_is_started_is_a_command() -> None:
    """Entry point and arguments are those of this program, on the port that is exposed."""
    assert told("ENTRYPOINT") == ['["guardrail"]']
    assert "guardrail" in PROJECT["project"]["scripts"]
    command, *options = re.findall(r'"([^"]+)"', told("CMD")[0])
    assert command in PROJECT["project"]["entry-points"]["guardrail.commands"]
    known = {name: parameter for parameter in serve.params for name in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= known.keys()
    assert str(known["--port"].default) in told("EXPOSE")
