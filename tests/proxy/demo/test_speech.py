"""What the demo model reads of a request, and how it cuts what it says."""

from __future__ import annotations

import pytest

from proxy.demo.speech import last_said, said, words_of


@pytest.mark.parametrize("text", ["", "One two.", "  A  wonderful\n\nsentence, indeed. "])
def test_pieces_make_the_text(text: str) -> None:
    """Nothing but a blank end is lost."""
    assert "".join(words_of(text)) == text.rstrip()


@pytest.mark.parametrize("content", [None, 3, [3], [{}], {"text": "x"}])
def test_what_holds_no_words_says_nothing(content: object) -> None:
    """Content of a shape that nobody knows is read as empty."""
    assert said(content) == ""
    assert last_said(content) == ""
