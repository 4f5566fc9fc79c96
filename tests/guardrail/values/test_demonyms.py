"""Adjectives of nationality."""

from __future__ import annotations

from guardrail.values.demonyms import ADJECTIVES, DEMONYMS


def test_every_country_has_one_adjective_of_its_own() -> None:
    """The first of several; the parts of the United Kingdom do not stand for the whole."""
    assert ADJECTIVES["Q414"] == "Argentine"
    assert ADJECTIVES["Q145"] == "British"
    assert set(ADJECTIVES) == {entity for entity, _ in DEMONYMS.values()}
    assert all(DEMONYMS[adjective.lower()][0] == entity for entity, adjective in ADJECTIVES.items())
