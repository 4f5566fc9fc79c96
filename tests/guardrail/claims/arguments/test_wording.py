from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Marie Curie lived in Paris and won a prize.",
            ["Marie Curie lived in Paris", "Marie Curie won a prize."],
        ),
        (
            "Titanic, which was released in 1997, stars Kate Winslet.",
            ["Titanic, which was released in 1997, stars Kate Winslet."],
        ),
        (
            "She read Titanic, written by Anna Schmidt.",
            ["She read Titanic", "Titanic was written by Anna Schmidt."],
        ),
        (
            "Marie Curie lived in Paris. Its mayor met her.",
            ["Marie Curie lived in Paris.", "Paris' mayor met Marie Curie."],
        ),
        ("**Marie Curie** lived in `Paris`.[1]", ["Marie Curie lived in Paris."]),
    ],
)
def test_wordings_stand_alone(claims_of: Callable[..., list[Claim]], text: str, expected: list[str]) -> None:
    """Missing subjects are supplied, pronouns and relative words replaced, marks of Markdown and citations left out."""
    assert [claim.resolved for claim in claims_of(text)] == expected


def test_what_stands_alone_stays(claims_of: Callable[..., list[Claim]]) -> None:
    """A claim that needs nothing is worded as it is written."""
    text = "Paris is the capital of France."
    assert claims_of(text)[0].resolved == text
