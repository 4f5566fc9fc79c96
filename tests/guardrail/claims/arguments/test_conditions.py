"""Measures and the conditions under which they hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Facts = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Water boils at 90 degrees Celsius.", ("Water", "P2102", "90 degrees Celsius")),
        ("Water boils at 100 °C at sea level.", ("Water", "P2102", "100 °C")),
        ("At sea level, water boils at 212 °F.", ("water", "P2102", "212 °F")),
        ("Iron melts at 1,538 °C under standard atmospheric pressure.", ("Iron", "P2101", "1,538 °C")),
        ("Mercury freezes at -39 °C.", ("Mercury", "P2101", "-39 °C")),
    ],
)
def test_a_temperature_at_standard_pressure_is_one_fact(
    facts_of: Facts, text: str, fact: tuple[str, str, str]
) -> None:
    """Where it is said that the pressure is the usual one, nothing else is claimed."""
    assert facts_of(text) == {fact}


@pytest.mark.parametrize(
    "text",
    [
        "At the top of the mountain, water boils at about 70 °C.",
        "Water boils at 93 °C in Denver.",
        "Water boils at 120 °C under high pressure.",
        "The boiling point of water in Denver is 95 °C.",
        "At 2,000 metres above sea level, the boiling point of water is 93 °C.",
    ],
)
def test_elsewhere_it_is_no_relation_of_the_graph(facts_of: Facts, text: str) -> None:
    """The temperature stays a fact of the claim, with no property to be held against."""
    relations = {relation for _, relation, value in facts_of(text) if "°C" in value}
    assert relations == {""}


def test_light_is_slower_in_glass(facts_of: Facts) -> None:
    """A speed in something is not the speed that the graph knows; in a vacuum it is."""
    assert ("light", "P2052", "200,000 km/s") not in facts_of("The speed of light in glass is 200,000 km/s.")
    assert ("light", "P2052", "299,792 km/s") in facts_of("The speed of light in a vacuum is 299,792 km/s.")


def test_two_temperatures_are_two_facts(facts_of: Facts) -> None:
    """ "boils" behind "and" is a verb."""
    assert facts_of("Gold melts at 1,064 °C and boils at 2,856 °C.") == {
        ("Gold", "P2101", "1,064 °C"),
        ("Gold", "P2102", "2,856 °C"),
    }
