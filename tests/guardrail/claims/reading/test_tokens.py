from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guardrail.claims.reading.tokens import tokenize


@given(st.text(max_size=60))
def test_places_are_exact(text: str) -> None:
    """Every token is the text at its place, and tokens do not overlap."""
    at = 0
    for token in tokenize(text):
        assert token.text == text[token.start : token.end]
        assert token.start >= at
        at = token.end
