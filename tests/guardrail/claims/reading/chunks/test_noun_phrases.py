from __future__ import annotations

from guardrail.claims.reading.chunks import NP, chunk
from guardrail.claims.reading.tokens import Token
from tests.reading import tagged


def phrases(text: str) -> tuple[list[Token], list[NP]]:
    tokens = tagged(text)
    return tokens, [item for item in chunk(tokens) if isinstance(item, NP)]


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
    tokens = tagged("It began on May 5, 1990 here.")
    date = next(i for i in chunk(tokens, [(3, 6)]) if isinstance(i, NP) and i.kind == "value")
    assert (date.first, date.last) == (3, 6)
