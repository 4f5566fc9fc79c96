"""A place within the claimed place refutes nothing."""

from __future__ import annotations

import pytest

from guardrail.check.kg.compare.containment import names_wider_place
from guardrail.extraction import claims_of
from guardrail.types import Label
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("Mia Falk was born in Sweden.", "Mia Falk was born in Kiruna.", True),
        ("Zork Ltd is based in Europe.", "Zork Ltd is based in Lyon.", True),
        ("Mia Falk was born in Sweden.", "Mia Falk was not born in Sweden.", False),
        ("Mia Falk was born in Lyon.", "Mia Falk was born in Paris.", False),
        ("Mia Falk was born in 1950.", "Mia Falk was born in 1951.", False),
        ("Mia Falk studied Sweden.", "Mia Falk studied Lyon.", False),
    ],
)
def test_a_wide_place_that_is_not_named(verifier: Verifier, text: str, passage: str, expected: bool) -> None:
    """Countries and continents hold other places; towns, dates and things that are no place of it do not."""
    (claim,) = claims_of(text, verifier.extractor, linker=verifier.linker)
    assert names_wider_place(claim, passage) is expected


def test_another_country_refutes(verifier: Verifier) -> None:
    """Where the reference names a country of its own, the two are compared."""
    (found,) = verifier.check(
        "Mia Falk was born in Norway.",
        references=["Mia Falk was born in Uppsala, Sweden."],
        sources=["request"],
    ).verdicts
    assert found.label is Label.CONTRADICTORY
