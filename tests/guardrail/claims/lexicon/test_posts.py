from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.lexicon.posts import field_of, post_at


@pytest.mark.parametrize(
    ("noun", "prep"), [("vice-president", "of"), ("editor-in-chief", "for"), ("zoologist", "at")]
)
def test_posts_in_a_body(noun: str, prep: str) -> None:
    """Who holds a post in a body works there."""
    assert post_at(noun, prep, frozenset())


def test_guests_places_and_kin_are_no_posts() -> None:
    """A patient at a hospital, the president of a country and the son of somebody are not employed there."""
    assert not post_at("patient", "at", frozenset())
    assert not post_at("president", "of", frozenset({"country", "place"}))
    assert not post_at("son", "of", frozenset())


def test_what_is_taught_is_no_body() -> None:
    """A professor of history is at no body called history; one of a university is."""
    assert field_of("professor", "of", "Botany", frozenset())
    assert not field_of("professor", "of", "Vela", frozenset({"org"}))
    assert not field_of("professor", "of", "Ulm University", frozenset())
    assert not field_of("mayor", "of", "Ulm", frozenset())


def test_vice_president_works_there(claims_of: Callable[..., list[object]]) -> None:
    """The head of a body may also be its employee."""
    facts = [
        fact for claim in claims_of("Ada Lovelace served as vice-president of Apple.") for fact in claim.facts
    ]  # type: ignore[attr-defined]
    assert any("P108" in fact.relations and fact.object.text == "Apple" for fact in facts)
