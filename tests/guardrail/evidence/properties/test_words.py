"""The name of a property says something of its values."""

import pytest

from guardrail.evidence.properties.words import said


@pytest.mark.parametrize(
    "name", ["price", "head office", "Adult fare", "late fee per day", "http://example.org/headOffice"]
)
def test_one_value(name: str) -> None:
    """The head of the name is one that a thing has one of."""
    assert said(name).single
    assert not said(name).many


@pytest.mark.parametrize(
    "name", ["board member", "skills", "partners", "languages of instruction", "countries"]
)
def test_a_list(name: str) -> None:
    """The head is in the plural, or names one of many."""
    assert said(name).many


@pytest.mark.parametrize("name", ["stands in", "runs on", "belongs to", "status", "run by"])
def test_a_verb_is_no_plural(name: str) -> None:
    """Nor is a word that ends in s by itself."""
    assert not said(name).many


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Length (m)", "metre"),
        ("price [EUR]", "euro"),
        ("Top speed (km/h)", "kilometre per hour"),
        ("Standing charge (€ a month)", "euro"),
        ("Price (£/night)", "pound sterling"),
        ("Cancelled free up to (hours before)", "hour"),
        ("Rent (per week)", None),
        ("Salt (g in a slice)", None),
        ("annual tuition fee in euros", "euro"),
        ("weight_kg", "kilogram"),
        ("heightCm", "centimetre"),
        ("http://example.org/heightInCentimetres", "centimetre"),
        ("born in", None),
        ("opening day", None),
    ],
)
def test_a_unit_at_the_end(name: str, unit: str | None) -> None:
    """In brackets, behind "in", or in short."""
    found = said(name).unit
    assert (found.node.label if found else None) == unit


def test_years_codes_and_hierarchies() -> None:
    """Where the numbers of a property are years, or no numbers at all."""
    assert said("managing director since").year
    assert said("built").year
    assert not said("births a year").year
    assert said("software version").identifier
    assert said("part of").hierarchical
