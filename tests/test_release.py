"""The version stands in one place, the changelog goes by it, and the command tells it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from click.testing import CliRunner

from guardrail import __version__
from guardrail.cli import main

ROOT = Path(__file__).parent.parent


def test_the_command_tells_the_version() -> None:
    """The one of the package."""
    assert CliRunner().invoke(main.group, ["--version"]).output == f"guardrail, version {__version__}\n"


def test_the_changelog_goes_by_version() -> None:
    """The newest is the one that the package has; what is not released stands above it."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    titles = re.findall(r"^## \[(.+?)\](?: - \d{4}-\d\d-\d\d)?$", text, re.MULTILINE)
    assert len(titles) == text.count("\n## ")
    assert titles[:2] == ["Unreleased", __version__]


def test_the_package_takes_its_version_from_the_code() -> None:
    """There is no second number to forget."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" in told["project"]["dynamic"]
    assert told["tool"]["hatch"]["version"]["path"] == "guardrail/__init__.py"
