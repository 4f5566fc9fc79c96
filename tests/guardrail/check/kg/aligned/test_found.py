"""What must not be left over for a sentence to be supported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.check.kg.aligned.found import Found


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Ann Lee is the director of Elm Clinic.", True),
        ("Ann Lee is the only director of Elm Clinic.", False),
        ("Elm Clinic has only 312 beds.", True),
        ("Ann Lee and Cy Moe are directors of Elm Clinic.", False),
    ],
)
def test_only_and_others_need_more_than_one_statement(
    text: str, whole: bool, found: Callable[[str], Found]
) -> None:
    """ "Only" of a value says no more than the value; of a person it denies others."""
    assert found(text).whole is whole
