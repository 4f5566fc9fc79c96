"""Words that exclude each other."""

import pytest

from guardrail.check.text.compare.opposites import exclusive


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("monday", "friday", "time"),
        ("won", "lost", "other"),
        ("brother", "sister", "other"),
        ("north", "south", "other"),
        ("monthly", "annual", "period"),
        ("allowed", "prohibited", "other"),
    ],
)
def test_a_thing_is_only_one_of_them(left: str, right: str, kind: str) -> None:
    """Two words of one set exclude each other, whichever is named first, and it is said how."""
    assert exclusive(left, right) == kind
    assert exclusive(right, left) == kind


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("monday", "monday"),
        ("american", "british"),
        ("north", "friday"),
        ("big", "huge"),
        ("yearly", "annual"),
        ("allowed", "permitted"),
    ],
)
def test_what_may_be_true_together_is_not_exclusive(left: str, right: str) -> None:
    """The same word, words of two sets, and words that hold of one thing together exclude nothing."""
    assert exclusive(left, right) is None
