from __future__ import annotations

import pytest

from guardrail.claims.reading import tagger
from guardrail.claims.reading.chunks import NP, chunk
from guardrail.claims.reading.tokens import Token, tokenize


def phrases(text: str) -> tuple[list[Token], list[NP]]:
    tokens = tokenize(text)
    tagger.load().tag(tokens)
    return tokens, [item for item in chunk(tokens) if isinstance(item, NP)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The capital of France is Paris.", ["The capital of France", "Paris"]),
        ("She is a very famous French physicist.", ["She", "a very famous French physicist"]),
        ("He saw the old black and white film.", ["He", "the old black and white film"]),
        ("They met 30 years ago.", ["They", "30 years"]),
        ("He was the king of France and Spain.", ["He", "the king of France and Spain"]),
    ],
)
def test_borders(text: str, expected: list[str]) -> None:
    """A phrase reaches from its article to its last noun, and on through its of-phrase."""
    tokens, found = phrases(text)
    assert [" ".join(t.text for t in tokens[np.first : np.end + 1]) for np in found] == expected


def test_owner() -> None:
    """In "France's capital" the owner is a phrase of its own."""
    tokens, (np, *_) = phrases("France's capital is big.")
    assert np.owner is not None
    assert tokens[np.owner.head].text == "France"
    assert tokens[np.head].text == "capital"


def test_title() -> None:
    """Common nouns before a name are its title."""
    tokens, (np, *_) = phrases("The actor Tom Hanks lives here.")
    assert np.kind == "name"
    assert np.title is not None
    assert tokens[np.title[1]].text == "actor"


def test_a_date_is_an_atom() -> None:
    """The tokens of a date are one phrase, comma included."""
    tokens = tokenize("It began on May 5, 1990 here.")
    tagger.load().tag(tokens)
    date = next(i for i in chunk(tokens, [(3, 6)]) if isinstance(i, NP) and i.kind == "value")
    assert (date.first, date.last) == (3, 6)
