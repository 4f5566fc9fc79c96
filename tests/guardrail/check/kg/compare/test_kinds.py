"""Few classes exclude each other for certain: a name may stand for another thing."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.compare.kinds import opposed
from guardrail.types import Node

PLANET, HUMAN, CITY = Node("Q634", "planet"), Node("Q5", "human"), Node("Q515", "city")


@pytest.mark.parametrize(
    ("name", "claimed", "known", "expected"),
    [
        ("Mars", "star", [PLANET], True),
        ("Mars", "planet", [PLANET], False),
        ("Mars", "planet", [PLANET, Node("Q523", "star")], False),
        ("Mars", "chocolate bar", [PLANET], False),
        ("Mars", "star", [PLANET, Node("Q99", "deity")], False),
        ("Mars", "star", [], False),
        ("Ada Holm", "city", [HUMAN], True),
        ("Ada Holm", "large city", [HUMAN], True),
        ("Ada Holm", "star", [HUMAN], False),
        ("Ada Holm", "company", [HUMAN], False),
        ("Jordan", "country", [HUMAN], False),
        ("Paris", "person", [CITY], False),
        ("Whales", "fish", [Node("Q7377", "mammal")], True),
        ("Whales", "mammals", [Node("Q7377", "mammal")], False),
        ("Whales", "animals", [Node("Q7377", "mammal")], False),
        ("Whales", "fishes", [Node("Q7377", "mammal"), Node("Q729", "animal")], True),
        ("Whales", "star", [Node("Q7377", "mammal")], False),
        ("Helium", "alkali metal", [Node("Q19609", "noble gas")], True),
    ],
)
def test_what_excludes_what(make: Any, name: str, claimed: str, known: list[Node], expected: bool) -> None:
    """Bodies in the sky, classes of animals and families of elements exclude each other; who has a full name is no place."""
    assert opposed(make.argument(name, name), make.unknown(claimed, claimed), known) is expected


def test_one_of_two_who_are_called_alike_is_not_meant_for_certain(make: Any) -> None:
    """Where the name has two readings the class may be the other one's."""
    two = make.argument("Ada Holm", "Ada Holm", "Ada Holm", "Ada Holm (ship)")
    assert not opposed(two, make.unknown("city", "city"), [HUMAN])
