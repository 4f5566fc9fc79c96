"""Matches found piece by piece."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.request import windows
from guardrail.evidence.request.windows import Windows

PATTERN = re.compile(r"^b?a{1,3}+", re.MULTILINE)


@given(st.text("ab\n", max_size=60))
def test_pieces_give_what_the_whole_gives(text):
    """Wherever a piece ends, the matches are those of one search through all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "WINDOW", 5)
        found = [match.span() for match in Windows(text).matches(PATTERN)]
    assert found == [match.span() for match in PATTERN.finditer(text)]


def test_a_search_keeps_to_its_part_of_the_text():
    """`start` and `end` are the bounds of a search, and `first` gives nothing where nothing is."""
    text = Windows("a\na\na\na")
    assert [match.start() for match in text.matches(PATTERN, 2, 5)] == [2, 4]
    assert text.first(PATTERN, 1, 2) is None


def test_time_that_is_over_ends_the_search():
    """No further piece is looked at."""
    with pytest.raises(TimeoutError):
        list(Windows("a", time.monotonic() - 1).matches(PATTERN))
