from __future__ import annotations

import pytest

from guardrail.claims.lexicon.parties import party_by_name


@pytest.mark.parametrize(
    "name", ["Christian Democratic Party", "Party of Labour", "Liberal Democrats", "Parti Socialiste Belgian"]
)
def test_party_tells_its_cause(name: str) -> None:
    """A name with a word for a party and a cause or nation is a party's."""
    assert party_by_name(name)


@pytest.mark.parametrize(
    "name", ["The Birthday Party", "Party City", "Paris", "Green Bay", "Labour Exchange"]
)
def test_other_names_are_no_parties(name: str) -> None:
    """A feast, a shop and a place are no parties."""
    assert not party_by_name(name)
