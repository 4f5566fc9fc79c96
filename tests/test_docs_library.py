"""The Python of docs/library.md runs as it stands and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parent.parent / "docs" / "library.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^## (.*?)\n```python\n(.*?)```", TEXT, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_prints_what_stands_behind_it(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Copied out of the page."""
    code = EXAMPLES[title]
    exec(compile(code, "docs/library.md", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# → (.*)$", code, re.MULTILINE) != []


def test_every_block_is_an_example() -> None:
    """None is left out of the test above."""
    assert len(EXAMPLES) == TEXT.count("```python") == 7
