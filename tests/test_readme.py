"""The first page tells the truth: its examples run, its files exist, its commands are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.cli import main
from guardrail.verifier import Verifier
from policies.policy import PRESETS
from tests.proxy.servers import serving

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_examples_run(
    tmp_path: Path, verifier: Verifier, capsys: pytest.CaptureFixture[str]
) -> None:
    """The client's snippet against a running proxy, the library's on its own."""
    client, library = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    with serving(tmp_path, verifier=verifier) as (root, _):  # type: ignore[arg-type]
        exec(client.replace("http://127.0.0.1:8080", root), {})
    answer, outcome = capsys.readouterr().out.splitlines()
    assert (answer.startswith("The capital of Australia is Sydney."), outcome) == (True, "flagged")
    exec(library, {})
    assert capsys.readouterr().out == "contradictory The capital of Australia is Canberra.\n"


def test_the_check_example_prints_what_is_shown() -> None:
    """The console example of `guardrail check` is its real output; figures may move in the last digits."""
    shown = re.search(r'\$ guardrail check "(.*?)"\n(.*?)```', README, re.DOTALL)
    assert shown is not None
    result = CliRunner().invoke(main.group, ["check", shown[1]])

    def plain(text: str) -> list[str]:
        return [re.sub(r"\d\.\d+", "0.0", line).rstrip() for line in text.strip().splitlines()]

    assert plain(result.output) == plain(shown[2])


def test_every_link_leads_somewhere() -> None:
    """The files that the README and the docs link to exist."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_preset_is_explained() -> None:
    """The table of policies names each preset."""
    assert all(f"| `{name}` |" in README for name in PRESETS if "-" not in name)
