"""The reference pages of the manual are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eval.manual import PAGES, ROOT

SOURCES = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_the_code_says(name: str) -> None:
    """`python -m eval.manual` writes it anew."""
    assert (ROOT / f"{name}.md").read_text("utf-8") == PAGES[name]()


def test_every_variable_of_the_environment_is_on_its_page() -> None:
    """Those that the code reads, and no other."""
    read = set()
    for room in ("guardrail", "policies", "proxy"):
        for path in (SOURCES / room).rglob("*.py"):
            read |= set(
                re.findall(
                    r"(?:environ\S*|envvar=|_option\()[\s(]*\"(GUARDRAIL_\w+)\"", path.read_text("utf-8")
                )
            )
    told = set(re.findall(r"`(GUARDRAIL_\w+)`", (ROOT / "environment.md").read_text("utf-8")))
    assert "GUARDRAIL_HOME" in read
    assert read <= told
    everything = "".join(p.read_text("utf-8") for p in (SOURCES / "guardrail").rglob("*.py")) + "".join(
        p.read_text("utf-8") for p in (SOURCES / "proxy").glob("*.py")
    )
    assert [name for name in told if name not in everything] == []
