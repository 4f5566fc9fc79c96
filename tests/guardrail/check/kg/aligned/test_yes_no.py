"""Yes and no, and counts of none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Told = Callable[[str], list[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elm Clinic has no helipad.", [("agree", "has a helipad")]),
        ("Elm Clinic has a helipad.", [("conflict", "has a helipad")]),
        ("Oak Clinic does not take cars.", [("agree", "car spaces")]),
        ("Elm Clinic has beds.", []),
        ("Elm Clinic was praised.", []),
    ],
)
def test_a_sentence_without_a_value_is_affirmed_or_denied(
    text: str, expected: list[tuple[str, str]], told: Told
) -> None:
    """By a property that is yes or no, or a number that is none; how many of a thing there are affirms nothing."""
    assert [(state, label) for state, label, _ in told(text)] == expected
