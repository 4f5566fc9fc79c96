"""The words for people."""

from __future__ import annotations

import pytest

from guardrail.report import headline
from guardrail.types import Counts


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (Counts(attributable=3), "3 confirmed"),
        (Counts(3, 2), "3 of 5 confirmed · 2 not known"),
        (Counts(extrapolatory=2), "0 of 2 confirmed · 2 not known"),
        (Counts(3, 1, 1), "1 wrong · 3 confirmed · 1 not known"),
        (Counts(contradictory=1, unchecked=2), "1 wrong · 2 not checked"),
        (Counts(), "no claims"),
    ],
)
def test_a_headline_begins_with_what_is_wrong(counts: Counts, said: str) -> None:
    """Where nothing is wrong and something open, it says how many of all are confirmed."""
    assert headline(counts) == said
