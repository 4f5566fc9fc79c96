"""Which end of a predicate has a property."""

from __future__ import annotations

import pytest

from guardrail.direction import forward
from guardrail.types import Property


@pytest.mark.parametrize(
    ("predicate", "name", "expected"),
    [
        ("reports to", "reports to", True),
        ("is a part of", "part of", True),
        ("is sequel to", "sequel of", True),
        ("is supervised by", "supervised by", True),
        ("supervises", "supervised by", False),
        ("is the supervisor of", "supervised by", False),
        ("is the director of", "director", False),
        ("is directed by", "director", True),
        ("is located in", "location", True),
        ("has director", "director", True),
        ("has parts", "part of", False),
        ("has reported to", "reports to", True),
        ("is managed by", "manager of", False),
        ("invested in", "investor", False),
        ("supplies to", "supplier", False),
        ("plays for", "players", False),
        ("is employed at", "employer", True),
        ("is treated with", "treated by", None),
        ("was acquired from", "acquired by", None),
        ("transferred to", "transferred from", None),
        ("directs", "director", False),
        ("is directing", "director", False),
        ("offers", "offer", None),
        ("owns", "reports to", None),
        ("", "reports to", None),
    ],
)
def test_the_shared_words_tell_who_has_the_property(predicate: str, name: str, expected: bool | None) -> None:
    assert forward(predicate, Property(name, name)) is expected


def test_nothing_is_told_of_what_holds_both_ways_or_has_plain_values() -> None:
    """Whoever is married to somebody has a spouse; and no date reports to anything."""
    assert forward("is rival of", Property("r", "rival of", symmetric=True)) is None
    assert forward("is open on", Property("o", "open on Sundays", datatype="string")) is None


def test_other_names_of_the_property_tell_it_too() -> None:
    assert forward("reports to", Property("b", "boss", aliases=("reports to",))) is True
