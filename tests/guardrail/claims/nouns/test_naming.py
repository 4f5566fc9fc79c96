from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim

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


def test_a_part_of_another_name_is_not_that_name(claims_of: Callable[..., list[Claim]]) -> None:
    """ "Anna Marie Curie" is not Marie Curie, while a title changes nothing."""
    other = claims_of("Anna Marie Curie lives in Berlin.")[0].facts[0].subject
    assert other.mention is not None
    assert other.mention.entity is None
    same = claims_of("Professor Marie Curie lives in Berlin.")[0].facts[0].subject
    assert same.mention is not None
    assert same.mention.entity is not None


def test_a_list_of_places_is_no_chain(facts_of: Triples) -> None:
    """In a list of four places none lies in the next one."""
    found = facts_of("Apple sells in Berlin, France, Spain, Germany.")
    assert not any(subject == "Berlin" for subject, _, _ in found)


def test_the_town_behind_a_band_is_not_what_was_formed(facts_of: Triples) -> None:
    """ "A company from Berlin, Germany founded in 1976" gives the year of the company."""
    found = facts_of("Apple is a company from Berlin, Germany founded in 1976.")
    assert ("Apple", "P571", "1976") in found
    assert not any(subject in ("Berlin", "Germany") and relation == "P571" for subject, relation, _ in found)
