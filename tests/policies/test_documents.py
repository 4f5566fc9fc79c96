"""What the documents say about policies is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from policies.chosen import load_set
from policies.policy import parse, preset_text
from policies.reader import schema
from policies.template import PLACEHOLDERS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "docs" / "examples" / "policies").glob("*.yaml"))


def _keys() -> Iterator[str]:
    yield from schema()["properties"]
    for part in ("claim_condition", "answer_condition", "match"):
        yield from schema()["$defs"][part]["properties"]
    for part in ("hold", "block", "audit"):
        yield from schema()["properties"][part]["properties"]


def test_every_key_is_explained() -> None:
    """With the words of the schema."""
    missing = [key for key in _keys() if f"| `{key}` |" not in TEXT]
    assert missing == []


def test_every_description_is_the_schemas() -> None:
    """So that the page and the editor's help do not drift apart."""
    described = [rule["description"] for rule in schema()["properties"].values() if "description" in rule]
    assert [text for text in described if text not in TEXT] == []


def test_every_placeholder_is_listed() -> None:
    """And no other."""
    for message, allowed in PLACEHOLDERS.items():
        (row,) = [
            line
            for line in TEXT.splitlines()
            if line.startswith("|") and f"`{message}`" in line and "`{" in line
        ]
        assert set(re.findall(r"`\{(\w+)\}`", row)) == allowed


def test_yaml_blocks_can_be_used_as_they_stand() -> None:
    """Each is a policy without a mistake."""
    blocks = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert blocks
    for block in blocks:
        assert parse(block, "docs.yaml")[1] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_policies_for_sectors_are_fine(path: Path) -> None:
    """They load, are linked from the page, and each has a description."""
    found = load_set([path])
    assert found.policies[0].name == path.stem
    assert found.policies[0].description
    assert f"examples/policies/{path.name}" in TEXT


def test_presets_are_all_in_the_table() -> None:
    """With what the client gets."""
    for name in ("shadow", "annotate", "attach", "revise", "block"):
        assert re.search(rf"^\| `{name}`", TEXT, re.MULTILINE)
        assert preset_text(name).startswith("#")
