from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim

Claims = Callable[..., list[Claim]]


def test_extended_triples(claims_of: Claims) -> None:
    """Several complements of one verb are one event: each fact has the others as attributes (FLEEK's example)."""
    (claim,) = claims_of("Taylor Swift moved to Berlin at the age of 14.")
    place = next(fact for fact in claim.facts if fact.object.text == "Berlin")
    assert place.relations[0] == "P551"
    assert [(one.name, one.object.text) for one in place.attributes] == [("age", "age of 14")]
    assert place.question.endswith("at the age of 14?")


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("Paris is the capital of France.", "present"),
        ("Paris was the capital of France.", "past"),
        ("Berlin is the former capital of France.", "former"),
        ("Marie Curie lives in Paris.", "present"),
        ("Marie Curie formerly lived in Paris.", "past"),
    ],
)
def test_tense(claims_of: Claims, text: str, tense: str) -> None:
    """A fact knows whether it is said of today, of the past, or as over."""
    assert claims_of(text)[0].facts[0].tense == tense


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie was not born in Paris.",
        "Marie Curie never lived in Paris.",
        "No country borders Portugal.",
        "Marie Curie didn't win the Nobel Prize in Physics.",
    ],
)
def test_negation(claims_of: Claims, text: str) -> None:
    """Every form of denial is seen."""
    assert claims_of(text)[0].facts[0].negated


def test_founding_gives_the_date(facts_of: Callable[..., set[tuple[str, str, str]]]) -> None:
    """ "He founded X in 1976" also says when X was founded."""
    assert ("Apple", "P571", "1976") in facts_of("Steve Jobs founded Apple in 1976.")


def test_participle_about_the_subject(facts_of: Callable[..., set[tuple[str, str, str]]]) -> None:
    """Where the noun before a participle cannot be meant, its sentence's subject is."""
    found = facts_of("Apple is a company based in Berlin, Germany, founded by Steve Jobs.")
    assert ("Apple", "P112", "Steve Jobs") in found
    assert ("Apple", "P159", "Berlin") in found


def test_same_fact_is_said_once(claims_of: Claims) -> None:
    """No fact of a claim is a copy of another."""
    for claim in claims_of(
        "Apple was founded by Steve Jobs in 1976 and Apple was founded by Steve Jobs in 1976."
    ):
        keys = [(fact.subject.text, fact.relations, fact.object.span) for fact in claim.facts]
        assert len(keys) == len(set(keys))


def test_verbs_that_share_their_object(facts_of: Callable[..., set[tuple[str, str, str]]]) -> None:
    """ "Written and directed by" says both of the one who is named."""
    found = facts_of("Titanic was written and directed by James Cameron.")
    assert {("Titanic", "P58", "James Cameron"), ("Titanic", "P57", "James Cameron")} <= found | {
        (s, "P58", o) for s, r, o in found if r == "P50"
    }


def test_an_age_is_reckoned_from_a_birth(claims_of: Claims) -> None:
    """ "Is 30 years old" asks for the date of birth, of a company for that of its foundation."""
    person, company = (claims_of(f"{who} is 30 years old.")[0].facts[0] for who in ("Taylor Swift", "Apple"))
    assert (person.predicate, person.object_type, person.relations) == ("age", "age", ("P569",))
    assert company.relations == ("P571",)
