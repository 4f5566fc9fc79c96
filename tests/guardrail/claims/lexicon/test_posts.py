from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.lexicon.posts import field_of, post_at

Triples = Callable[..., set[tuple[str, str, str]]]


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


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        (
            "Ada Lovelace was a geographer, professor of history at Paris University, lecturer at Apple, and adviser to kings.",
            {("Ada Lovelace", "P108", "Paris University"), ("Ada Lovelace", "P108", "Apple")},
        ),
        (
            "Ada Lovelace is the secretary, chief executive officer and chairman of Apple.",
            {("Ada Lovelace", "^P169", "Apple"), ("Ada Lovelace", "^P488", "Apple")},
        ),
        ("Ada Lovelace is Apple's chairman and CEO.", {("Ada Lovelace", "^P169", "Apple")}),
        ("Apple's chairman and CEO Ada Lovelace lives in Ulm.", {("Apple", "P169", "Ada Lovelace")}),
    ],
)
def test_lists_of_posts(facts_of: Triples, text: str, triples: set[tuple[str, str, str]]) -> None:
    """Each post of a list is the subject's, and what stands once in it belongs to all."""
    assert triples <= facts_of(text)


def test_vice_president_works_there(claims_of: Callable[..., list[object]]) -> None:
    """The head of a body may also be its employee."""
    facts = [
        fact for claim in claims_of("Ada Lovelace served as vice-president of Apple.") for fact in claim.facts
    ]  # type: ignore[attr-defined]
    assert any("P108" in fact.relations and fact.object.text == "Apple" for fact in facts)


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace served on the faculty of Paris University.",
        "Ada Lovelace joined Paris University's staff.",
        "Ada Lovelace served with Paris University.",
    ],
)
def test_parts_of_a_body_are_in_it(claims_of: Callable[..., list[object]], text: str) -> None:
    """Who is on the staff of a body is with that body."""
    facts = [fact for claim in claims_of(text) for fact in claim.facts]  # type: ignore[attr-defined]
    assert any("P108" in fact.relations and fact.object.text == "Paris University" for fact in facts)


def test_next_name_of_a_list_begins_its_own_post(facts_of: Triples) -> None:
    """In "A, head of X, and B, head of Y" B is not what A heads."""
    found = facts_of(
        "The board includes Ada Lovelace, founder of Apple, and Niels Bohr, founder of Southwest Airlines."
    )
    assert ("Ada Lovelace", "^P112", "Apple") in found
    assert ("Ada Lovelace", "^P112", "Niels Bohr") not in found


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        (
            "Ada Lovelace is the current Vice-Chairman of the Liberal Party.",
            ("Ada Lovelace", "P102", "Liberal Party"),
        ),
        ("Ada Lovelace left Ulm to become a lecturer at Apple.", ("Ada Lovelace", "P108", "Apple")),
        ("Ada Lovelace moved to nearby Ulm.", ("Ada Lovelace", "P551", "Ulm")),
        ("Ada Lovelace lived in the suburbs of Ulm.", ("Ada Lovelace", "P551", "Ulm")),
    ],
)
def test_posts_and_homes_in_other_words(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Hyphens, capitals, what somebody left for, and what lies around a town change nothing."""
    assert triple in facts_of(text)
