"""Words that exclude each other."""

import pytest

from guardrail.check.opposites import exclusive


@pytest.mark.parametrize(
    ("left", "right"), [("monday", "friday"), ("north", "south"), ("won", "lost"), ("largest", "smallest")]
)
def test_a_thing_is_only_one_of_them(left: str, right: str) -> None:
    """Two words of one set exclude each other, whichever is named first."""
    assert exclusive(left, right)
    assert exclusive(right, left)


@pytest.mark.parametrize(
    ("left", "right"), [("monday", "monday"), ("american", "british"), ("north", "friday"), ("big", "huge")]
)
def test_what_may_be_true_together_is_not_exclusive(left: str, right: str) -> None:
    """The same word, words of two sets, and words that hold of one thing together exclude nothing."""
    assert not exclusive(left, right)
