"""Ways to write the same words."""

from __future__ import annotations

from guardrail.segment.spelling import rejoined
from guardrail.segment.view import View


def test_cut_words_are_joined() -> None:
    """A hyphen at the end of a line goes when small letters follow on the next; each character keeps its place."""
    view = rejoined(View.of("Austra-\nlia, New-\nYork"))
    assert view.text == "Australia, New-\nYork"
    assert view.starts[6] == 8
