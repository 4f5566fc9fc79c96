"""Prompt files: every one loads, and what is filled in cannot reach the prompt around it."""

from __future__ import annotations

from importlib.resources import files

import pytest

from guardrail.llm.prompts import fill, template

NAMES = sorted(
    item.name.removesuffix(".txt") for item in files("guardrail").joinpath("data", "prompts").iterdir()
)


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_is_plain_text(name: str) -> None:
    """No prompt is empty, and none carries a tab or a carriage return."""
    text = template(name)
    assert text
    assert "\t" not in text
    assert "\r" not in text


def test_a_value_with_a_slot_in_it_is_left_alone() -> None:
    """`{{triplets}}` in a text under check stays as it is."""
    filled = fill("claimver", text='"{{triplets}}"', triplets="[]")
    assert '"{{triplets}}"' in filled


def test_a_missing_or_surplus_value_is_an_error() -> None:
    """A slot without a value, or a value without a slot, is a programming error."""
    with pytest.raises(KeyError, match="triplets"):
        fill("claimver", text="x")
    with pytest.raises(KeyError, match="more"):
        fill("claimver", text="x", triplets="[]", more="y")


def test_an_unknown_prompt_is_an_error() -> None:
    """There is no silent empty prompt."""
    with pytest.raises(FileNotFoundError):
        template("none")
