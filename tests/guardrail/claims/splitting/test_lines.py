from __future__ import annotations

import pytest

from guardrail.claims.splitting.lines import pair_at
from guardrail.language import parser


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Battery life: 40 hours", ":"),
        ("Monday – closed", "–"),
        ("France | Paris", "|"),
        ("Weight = 3 kg", "="),
    ],
)
def test_marks_between_keys_and_values(text: str, mark: str) -> None:
    """A colon, and a dash, bar or equals sign between blanks, sets a value beside its key."""
    doc = parser().read(text)
    assert doc.tokens[pair_at(doc)].text == mark


@pytest.mark.parametrize(
    "text",
    [
        "Note: it is hot",
        "They saw it: it was red",
        "a well-known face",
        "Battery life:",
        "| Country | Capital |",
    ],
)
def test_other_lines_are_no_pairs(text: str) -> None:
    """Words that only announce, clauses, hyphens and keys without a value are no pairs."""
    assert pair_at(parser().read(text)) == 0
