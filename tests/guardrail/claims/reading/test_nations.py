from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("Marie Curie was a South Korean physicist.", "South Korean"),
        ("Marie Curie was a Polish-French physicist.", "Polish"),
        ("Marie Curie was a Polish-French physicist.", "French"),
        ("The Polish physicist Marie Curie lived in Paris.", "Polish"),
        ("It was read by Brazilian Marie Curie.", "Brazilian"),
    ],
)
def test_nationalities(facts_of: Triples, text: str, country: str) -> None:
    """Adjectives of one or two words, double ones, and those before a name say where somebody is from."""
    assert ("Marie Curie", "P27", country) in facts_of(text)


def test_the_nationality_of_a_work_is_not_its_makers(facts_of: Triples) -> None:
    """ "An American comedy directed by" says nothing of who directed it."""
    assert ("Marie Curie", "P27", "American") not in facts_of(
        "Titanic is an American comedy directed by Marie Curie."
    )
