"""A denial until a time says that something happened then."""

from __future__ import annotations

import pytest

from guardrail.check.until import happened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was not until 1964 that the pool opened.", "The pool opened in 1964."),
        ("It wasn't until 3 May 1964 that it opened.", "It opened on 3 May 1964."),
        ("The pool did not open until 1964.", "The pool did open in 1964."),
        (
            "The bridge was not completed until the spring of 1964.",
            "The bridge was completed in the spring of 1964.",
        ),
    ],
)
def test_it_is_told_that_it_happened(text: str, expected: str) -> None:
    """In the words of the sentence."""
    assert happened(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The contract did not last until 1964.",
        "The pool was not open until 1964.",
        "It did not rain until after 1964.",
        "The pool did not open.",
        "It was not until 1964 that the pool opened and the library closed.",
        "It was not until 1964 that the pool, closed in 1960, opened.",
        "The pool was not visited by guests who stayed until 1964.",
        "The pool was open until 1964.",
    ],
)
def test_other_denials_stay(text: str) -> None:
    """What lasts until a time may have been so before; of two things it is not clear which happened then."""
    assert happened(text) == text
