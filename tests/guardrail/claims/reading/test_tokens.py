from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.claims.reading.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("O'Malley's friend isn't here.", ["O'Malley", "'s", "friend", "is", "n't", "here", "."]),
        ("It is 3.5 m, i.e. $5.2bn!", ["It", "is", "3.5", "m", ",", "i.e.", "$5.2bn", "!"]),
        ("The U.S. in the 1990s.", ["The", "U.S.", "in", "the", "1990s", "."]),
        ("**999** million [1]", ["999", "million"]),
        ("AT&T is state-of-the-art.", ["AT&T", "is", "state-of-the-art", "."]),
        ("Dr. A. Smith (c. 1945)", ["Dr.", "A.", "Smith", "(", "c.", "1945", ")"]),
        ("see https://a.org/b.c?d=e.", ["see", "https://a.org/b.c?d=e", "."]),
        ("1867–1934", ["1867", "–", "1934"]),
        ("Paris 🇫🇷 is 👩‍👩‍👧 big 1️⃣.", ["Paris", "is", "big", "1", "."]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    """Numbers, names, clitics, abbreviations and links are one token each; marks of Markdown and citations are none."""
    assert [token.text for token in tokenize(text)] == expected


@given(st.text(max_size=60))
def test_places_are_exact(text: str) -> None:
    """Every token is the text at its place, and tokens do not overlap."""
    at = 0
    for token in tokenize(text):
        assert token.text == text[token.start : token.end]
        assert token.start >= at
        at = token.end
