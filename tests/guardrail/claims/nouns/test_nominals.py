from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Paris is the capital of France.", ("Paris", "^P36", "France")),
        ("Its capital is Paris, and France has the euro as its currency.", ("France", "P38", "euro")),
        ("Marie Curie was a professor at Paris University.", ("Marie Curie", "P108", "Paris University")),
        ("Marie Curie was a chemist and physicist.", ("Marie Curie", "P106", "chemist")),
        ("Apple is a Berlin-based company.", ("Apple", "P159", "Berlin")),
        ("Marie Curie lived in Paris until her death in 1934.", ("Marie Curie", "P570", "1934")),
        ("France has 18 regions.", ("France", "P150", "18")),
        ("Batman & Robin is a 1997 film by Joel Schumacher.", ("Batman & Robin", "P57", "Joel Schumacher")),
        ("Albert Einstein was the son of Hermann Einstein.", ("Albert Einstein", "^P40", "Hermann Einstein")),
    ],
)
def test_nouns_say_relations(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Roles, classes, possessions, counts and deeds said by nouns give the property that says the same."""
    assert triple in facts_of(text)


def test_role_nouns_are_no_classes(facts_of: Triples) -> None:
    """ "Is the capital of France" does not also say that Paris is a "capital"."""
    assert not any(
        relation in ("P31", "P106") for _, relation, _ in facts_of("Paris is the capital of France.")
    )


def test_noun_without_owner_is_the_topics(facts_of: Triples) -> None:
    """ "The capital is Paris" is about the country that was spoken of, and about nothing where there is none."""
    found = facts_of("France is a country. The capital is Paris. The official language is Portuguese.")
    assert {("France", "P36", "Paris"), ("France", "P37", "Portuguese")} <= found
    assert not any(relation == "P36" for _, relation, _ in facts_of("The capital is Paris."))


def test_its_capital_is_another_places_capital(facts_of: Triples) -> None:
    """In "Paris is its capital" the pronoun cannot mean Paris."""
    found = facts_of("France borders Spain and France is large. Paris is its capital.")
    assert ("Paris", "^P36", "its") in found


def test_nouns_of_several_words(facts_of: Triples) -> None:
    """ "Date of birth" is one noun, whoever's it is."""
    assert ("Marie Curie", "P569", "1867") in facts_of("The date of birth of Marie Curie is 1867.")
    assert ("Marie Curie", "P19", "Warsaw") in facts_of("Marie Curie's place of birth is Warsaw.")


@pytest.mark.parametrize(
    "post", ["the president", "the 44th president", "the chancellor", "the king", "president"]
)
@pytest.mark.parametrize("verb", ["is", "was", "became", "was elected"])
def test_a_post_is_no_citizenship(claims_of: Callable[..., list[Claim]], verb: str, post: str) -> None:
    """Whoever holds a post in a country is not said to be its citizen: citizenship would prove no office."""
    (claim,) = claims_of(f"Marie Curie {verb} {post} of France.")
    assert claim.facts
    assert all("P27" not in fact.relations for fact in claim.facts)


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Marie Curie is the French president.", ("Marie Curie", "^P35", "French")),
        ("Marie Curie is the 44th U.S. president.", ("Marie Curie", "^P35", "U.S.")),
        ("Marie Curie is a French physicist.", ("Marie Curie", "P27", "French")),
    ],
)
def test_who_leads_a_nation(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """An adjective of nationality before a post names the country that is led, before any other noun the citizenship."""
    assert {fact for fact in facts_of(text) if fact[2] == triple[2]} == {triple}


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Ada Lovelace was a botanist at Ulm University.", ("Ada Lovelace", "P108", "Ulm University")),
        ("Ada Lovelace is one of the founders of Apple.", ("Ada Lovelace", "^P112", "Apple")),
        ("Niels Bohr was a France striker.", ("Niels Bohr", "P27", "France")),
        ("Niels Bohr was a senator and a writer from Ulm, who lived in Paris.", ("Niels Bohr", "P551", "Paris")),
    ],
)  # fmt: skip
def test_posts_homes_and_parties(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Who is something at a body works there, a country before a noun for people is their home."""
    assert triple in facts_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Niels Bohr was a France correspondent.",
        "Niels Bohr was the Spain ambassador.",
        "Niels Bohr was a guest at Ulm University.",
    ],
)
def test_neither_at_home_nor_at_work(facts_of: Triples, text: str) -> None:
    """A correspondent is no citizen of what is reported on, and a guest no employee."""
    assert not {"P27", "P108"} & {relation for _, relation, _ in facts_of(text)}


def test_country_before_a_noun_for_people_is_no_class(facts_of: Triples) -> None:
    """ "A France striker" is a striker of France, and no "France striker"."""
    found = facts_of("Niels Bohr was a United States striker.")
    assert {("Niels Bohr", "P27", "United States"), ("Niels Bohr", "P106", "striker")} <= found


def test_what_somebody_is_professor_of(facts_of: Triples) -> None:
    """ "Professor of Botany" tells the field, "professor of Ulm University" the employer."""
    assert ("Marie Curie", "P101", "Botany") in facts_of("Marie Curie was a professor of Botany.")
    assert ("Marie Curie", "P108", "Ulm University") in facts_of(
        "Marie Curie was a professor of Ulm University."
    )
