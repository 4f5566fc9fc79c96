from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Apple CEO Tim Cook lives in Berlin.", ("Apple", "P169", "Tim Cook")),
        ("The CEO of Apple, Tim Cook, lives in Berlin.", ("Apple", "P169", "Tim Cook")),
        ("Marie Curie lived with her husband Pierre Curie.", ("Marie Curie", "P26", "Pierre Curie")),
        ("French actress Anna Schmidt lives in Berlin.", ("Anna Schmidt", "P27", "French")),
        ("Apple is based in Blagnac, France.", ("Blagnac", "P17", "France")),
        ("Apple is based in Blagnac, France.", ("Apple", "P159", "France")),
    ],
)
def test_what_stands_beside_a_name(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Titles, appositions and the place behind a place are facts, too."""
    assert triple in facts_of(text)


def test_a_mere_class_before_a_name_says_nothing(facts_of: Triples) -> None:
    """ "The film Titanic" does not claim that Titanic is a film."""
    assert not any(
        relation == "P31" for _, relation, _ in facts_of("James Cameron directed the film Titanic.")
    )
