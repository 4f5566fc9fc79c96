"""The manual is a site without broken links, its report is a real one, and its examples run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from eval.conformance.environments import installed
from guardrail.types import Kind, Reason
from guardrail.verifier import Verifier
from tests.proxy.servers import serving

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
SCRIPTS = {
    "openai": None,
    "langchain": "langchain",
    "llamaindex": "llamaindex",
    "litellm": "litellm",
    "vercel": "node",
}


@pytest.fixture
def root(tmp_path: Path, verifier: Verifier) -> Iterator[str]:
    """The address of a running proxy before the demo model."""
    verifier.warm()
    with serving(tmp_path, verifier=verifier) as (address, _):  # type: ignore[arg-type]
        yield address


def test_the_site_is_built_without_a_broken_link(tmp_path: Path) -> None:
    """Every page is in the navigation, and every link and anchor leads somewhere."""
    if find_spec("mkdocs") is None:
        pytest.skip("not installed: the dependency group `docs`")
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "--site-dir",
            str(tmp_path / "site"),
        ],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "site" / "policies.html").read_text("utf-8")
    assert "<table>" in page
    assert (tmp_path / "site" / "CHANGELOG.html").exists()


def _shape(value: object) -> object:
    """A report without what differs from one to the next."""
    if isinstance(value, dict):
        told = {key: _shape(inner) for key, inner in value.items()}
        return told | {
            key: "…" for key in ("id", "timing_ms", "versions") if isinstance(value.get(key), str | dict)
        }
    if isinstance(value, list):
        return [_shape(one) for one in value]
    return round(value, 1) if isinstance(value, float) else value


def test_the_report_of_the_manual_is_a_real_one(root: str) -> None:
    """What `/guardrail/verify` answers today, but for ids, times, versions and the last digits."""
    (written,) = re.findall(
        r"```json\n(.*?)```", (DOCS / "reference" / "report.md").read_text("utf-8"), re.DOTALL
    )
    body = json.dumps({"text": "The capital of Australia is Sydney."}).encode()
    request = urllib.request.Request(f"{root}/guardrail/verify", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    assert _shape(found) == _shape(json.loads(written))


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_example_prints_what_it_says(name: str, root: str) -> None:
    """In the environment of its framework."""
    (script,) = EXAMPLES.joinpath(name).glob("ask.*")
    environment = SCRIPTS[name]
    home = installed(environment) if environment else None
    if environment and home is None:
        pytest.skip(f"not installed: python -m eval.conformance.environments {environment}")
    program = ["node", "--input-type=module"] if script.suffix == ".mjs" else [sys.executable, str(script)]
    if home and script.suffix == ".py":
        program = [str(home / "bin" / "python"), str(script)]
    text = script.read_text("utf-8")
    ran = subprocess.run(
        program,
        input=text if script.suffix == ".mjs" else None,
        cwd=home if script.suffix == ".mjs" else script.parent,
        env={**os.environ, "GUARDRAIL_URL": root, "OPENAI_API_KEY": "any"},  # pragma: allowlist secret
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert ran.stdout.splitlines() == re.findall(r"^(?:#|//) → (.*)$", text, re.MULTILINE) != [], ran.stderr


def test_the_web_app_streams_the_corrected_answer(root: str) -> None:
    """As its first lines say to ask it."""
    app = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "fastapi" / "app.py")],
        env={**os.environ, "GUARDRAIL_URL": root, "PORT": "0"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        lines = iter(app.stderr.readline, "") if app.stderr else iter(())
        address = next(match[0] for line in lines if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
        question = urllib.parse.quote("When was Taylor Swift born?")
        with urllib.request.urlopen(f"{address}/ask?question={question}", timeout=60) as answer:
            assert (
                answer.read()
                .decode()
                .startswith("Taylor Swift was born on 13 December 1989 in West Reading.")
            )
    finally:
        app.terminate()
        app.wait(30)
        if app.stderr:
            app.stderr.close()


def test_the_cells_of_the_notebook_print_what_they_show() -> None:
    """One after the other, as a kernel runs them."""
    cells = json.loads((EXAMPLES / "notebook" / "guardrail.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            output = StringIO()
            with redirect_stdout(output):
                exec("".join(cell["source"]), names)
            assert output.getvalue() == "".join(line for one in cell["outputs"] for line in one["text"])


def test_every_example_is_on_its_page() -> None:
    """Each folder has a row."""
    page = (EXAMPLES / "README.md").read_text("utf-8")
    folders = [path.name for path in EXAMPLES.iterdir() if path.is_dir() and path.name != "policies"]
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == sorted(folders)


def test_troubleshooting_has_every_reason_for_not_known() -> None:
    """And the glossary every label, action and outcome by its words."""
    page = (DOCS / "troubleshooting.md").read_text("utf-8")
    assert [reason.value for reason in Reason if f"`{reason.value}`" not in page] == []
    assert Kind.HEDGED.value in page
