"""Comparisons by properties of the graph at hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.check.kg.aligned.fillers import Sentence
from guardrail.check.kg.aligned.orders import compared
from guardrail.embed import Embedder


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Elm Clinic has more beds than Oak Clinic.", "agree"),
        ("Elm Clinic has fewer beds than Oak Clinic.", "conflict"),
        ("Elm Clinic has twice as many beds as Oak Clinic.", "conflict"),
        ("Elm Clinic is nicer than Oak Clinic.", None),
        ("Elm Clinic has more than 300 beds.", None),
    ],
)
def test_two_values_are_put_in_order(
    text: str, state: str | None, read_sentence: Callable[[str], Sentence]
) -> None:
    """What has no measure, or is compared with a number, is no comparison of two things."""
    found = compared(read_sentence(text), Embedder())
    assert (found.state if found else None) == state
