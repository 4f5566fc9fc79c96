from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("France has 18 regions.", ("France", "P150", "18")),
        (
            "France has a population of 68 million and an area of 550,000 km².",
            ("France", "P2046", "550,000 km²"),
        ),
        ("Paris is a city with a population of 2 million.", ("Paris", "P1082", "2 million")),
        ("France has Paris as its capital.", ("France", "P36", "Paris")),
        ("Gold is an element with the symbol Au and atomic number 79.", ("Gold", "P246", "Au")),
        ("Gold is an element with the symbol Au and atomic number 79.", ("Gold", "P1086", "79")),
        ("Gold has an atomic number of 79.", ("Gold", "P1086", "79")),
    ],
)
def test_what_something_has(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Counts, measures, labels and roles that something has are facts about it."""
    assert triple in facts_of(text)


def test_what_is_merely_near_is_not_had(facts_of: Triples) -> None:
    """Only "have" and "with" give a name to their subject."""
    assert not any(r == "P246" for _, r, _ in facts_of("Gold was discussed under the symbol Au."))


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("France has no regions.", True),
        ("France does not have any regions.", True),
        ("France has no large regions.", False),
        ("France has no regions of ice.", False),
    ],
)
def test_that_there_are_none_is_a_fact_of_the_count(facts_of: Triples, text: str, counted: bool) -> None:
    """Of the bare noun only: what is no large region may be a region."""
    assert ("P150" in {relation for _, relation, _ in facts_of(text)}) is counted
