"""The names and values of a sentence."""

from __future__ import annotations

from collections.abc import Callable

from guardrail.check.kg.aligned.fillers import ClaimSentence


def test_names_are_in_the_order_of_the_sentence(read_sentence: Callable[[str], ClaimSentence]) -> None:
    """What is named stands with its place and what the graph has of it."""
    found = read_sentence("Ann Lee runs Elm Clinic.")
    assert [one.text for one in found.named] == ["Ann Lee", "Elm Clinic"]
    assert found.replaced([one.span for one in found.named], {}) == "runs ."
