from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.lexicon.parties import party_by_name

Triples = Callable[..., set[tuple[str, str, str]]]


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


@pytest.mark.parametrize(
    ("text", "party"),
    [
        ("Ada Lovelace was a member of the Liberal Reform Party.", "Liberal Reform Party"),
        ("Ada Lovelace was a leader of the Whig Party.", "Whig Party"),
        ("Ada Lovelace represented the Green Party.", "Green Party"),
    ],
)
def test_members_of_a_party(facts_of: Triples, text: str, party: str) -> None:
    """Members, leaders and representatives of what is surely a party belong to it."""
    assert ("Ada Lovelace", "P102", party) in facts_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace was a politician from Toulouse.",
        "Ada Lovelace sat for Toulouse.",
        "Ada Lovelace represented France.",
    ],
)
def test_places_are_no_parties(facts_of: Triples, text: str) -> None:
    """Where somebody comes from or stands is no party."""
    assert not any(relation == "P102" for _, relation, _ in facts_of(text))
