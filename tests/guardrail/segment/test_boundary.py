from __future__ import annotations

import pytest

from guardrail.segment.boundary import CANDIDATE, newline, punctuation


@pytest.mark.parametrize("text", ["It ended.", "It ended. ", "It ended.[1", "The U.S. Th", 'It ended."'])
def test_an_undecided_place_waits(text: str) -> None:
    """While the look-ahead touches the end of the text there is no answer; at the end of all text there is one."""
    match = list(CANDIDATE.finditer(text))[-1]
    assert punctuation(text, match, final=False) is None
    assert punctuation(text, match, final=True) is not None


def test_a_line_break_waits_for_the_next_line() -> None:
    """A line break is judged by how the next line begins: a list marker ends the sentence, a small letter goes on."""
    assert newline("A line\n", 6, final=False) is None
    assert newline("A line\n- item one", 6, final=False) == 6
    assert newline("A line\ngoes on", 6, final=False) == 0
    assert newline("A line\n", 6, final=True) == 6
