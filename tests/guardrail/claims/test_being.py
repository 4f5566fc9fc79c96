from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("The capital of France is Paris.", ("France", "P36", "Paris")),
        ("The capital in France is Paris.", ("France", "P36", "Paris")),
        ("Marie Curie was a physicist.", ("Marie Curie", "P106", "physicist")),
        ("Ulm is in Germany.", ("Ulm", "P17", "Germany")),
        ("Marie Curie was Polish.", ("Marie Curie", "P27", "Polish")),
    ],
)
def test_what_something_is(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Roles, classes, places and nationalities after "to be", and nouns whose value is said."""
    assert triple in facts_of(text)
