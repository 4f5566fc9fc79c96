from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Marie Curie lived in Paris until her death in 1934.", ("Marie Curie", "P570", "1934")),
        ("Ada Lovelace became the last of them with the death of Niels Bohr in 1962.", ("Niels Bohr", "P570", "1962")),
        ("They met after the 1976 founding of Apple.", ("Apple", "P571", "1976")),
        ("Since its foundation in 1976, Apple has grown.", ("Apple", "P571", "1976")),
    ],
)  # fmt: skip
def test_deeds_have_their_time(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """A noun for what was done says when, as its verb would."""
    assert triple in facts_of(text)


def test_a_role_in_a_work(facts_of: Triples) -> None:
    """Who has a part in a film is in its cast."""
    found = facts_of("Taylor Swift is known for her role in Titanic.")
    assert any(subject == "Taylor Swift" and what == "Titanic" for subject, _, what in found)


@pytest.mark.parametrize(
    "text",
    [
        "Following Ada Lovelace's death in 1852, the house was sold.",
        "The death of Ada Lovelace in 1852 was sudden.",
    ],
)
def test_deeds_outside_the_predicate(facts_of: Triples, text: str) -> None:
    """A noun for a deed tells it wherever in the sentence it stands."""
    assert ("Ada Lovelace", "P570", "1852") in facts_of(text)
