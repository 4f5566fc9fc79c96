from __future__ import annotations

import pytest

from guardrail.claims.splitting.boundaries import boundaries
from guardrail.language import parser


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("It is open; it was shut.", ";"),
        ("It was cheap, while the rest was dear.", "while"),
        ("It was cheap, which was nice.", "which"),
        ("It was cheap, and the rest was dear.", "and"),
        ("It was cheap but has become dear.", "but"),
        ("Oslo is cold. the rest is warm.", "the"),
    ],
)
def test_words_and_marks_begin_clauses(text: str, first: str) -> None:
    """Semicolons, contrasting and relative words behind a comma, and "and" before a predicate begin a part,
    and so does a sentence in small letters behind the end of another."""
    doc = parser().read(text)
    assert [doc.tokens[at].text for at in boundaries(doc)] == [first]


@pytest.mark.parametrize(
    "text",
    [
        "It was red, white and blue.",
        "The lid, which is round, was lost.",
        "It was shut so that nobody was hurt.",
        "He said that it was cheap and was good.",
        "Red and blue; white and green.",
    ],
)
def test_other_words_do_not(text: str) -> None:
    """Lists, relative clauses in the middle and what stands within a clause begin none."""
    assert boundaries(parser().read(text)) == set()
