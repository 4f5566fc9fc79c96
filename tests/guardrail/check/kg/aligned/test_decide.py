"""What the values of a sentence are beside what a graph knows, whatever its properties are called."""

from __future__ import annotations

from collections.abc import Callable

from guardrail.check.kg.aligned.alignment import Alignment


def test_a_name_that_is_left_over_keeps_a_sentence_from_support(found: Callable[[str], Alignment]) -> None:
    """Who else is named may not be what the sentence says."""
    assert not found("Elm Clinic has 312 beds, and Bo Kay praised it.").whole
