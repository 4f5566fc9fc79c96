"""Do a predicate and a relation mean the same?"""

from __future__ import annotations

import pytest

from guardrail.check.kg.relations import functional, locates, related
from guardrail.types import Argument, Fact, Node


@pytest.mark.parametrize(
    ("predicate", "label", "expected"),
    [
        ("has operated", "operator", True),
        ("was portrayed by", "cast member", True),
        ("airs on", "original broadcaster", True),
        ("was born in", "place of birth", True),
        ("never appointed", "appointed by", True),
        ("was directed by", "director", True),
        ("married", "child", False),
        ("is the", "of the", False),
        ("", "director", False),
    ],
)
def test_by_words(predicate: str, label: str, expected: bool) -> None:
    """A shared stem or a shared group relates; empty words do not."""
    fact = Fact(Argument("a"), predicate, Argument("b"))
    assert related(fact, Node("", label)) is expected


def test_by_id() -> None:
    """Where the lexicon knows the property the words do not matter."""
    fact = Fact(Argument("a"), "xyz", Argument("b"), relations=("^P50",))
    assert related(fact, Node("P50", "author"))


def test_functional_and_locating_relations() -> None:
    """Birth dates are single, spouses are not; "country" places, "child" does not."""
    assert functional(Node("", "Date of birth"))
    assert not functional(Node("", "spouse"))
    assert locates(Node("", "located in protected area"))
    assert not locates(Node("", "child"))
