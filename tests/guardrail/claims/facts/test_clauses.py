from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim

Claims = Callable[..., list[Claim]]
Triples = Callable[..., set[tuple[str, str, str]]]


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


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Before joining Apple, Ada Lovelace lived in Paris.", ("Ada Lovelace", "P108", "Apple")),
        ("A resident of Ulm, Ada Lovelace wrote it.", ("Ada Lovelace", "P551", "Ulm")),
        ("Based in Paris, Apple and its staff made it.", ("Apple", "P159", "Paris")),
        ("Titanic was released by Apple, directed by Ada Lovelace.", ("Titanic", "P57", "Ada Lovelace")),
        (
            "Titanic stars Ada Lovelace as a cook and Niels Bohr as a guest.",
            ("Titanic", "P161", "Niels Bohr"),
        ),
        ("Ada Lovelace co-founded Apple.", ("Ada Lovelace", "^P112", "Apple")),
        ("Ada Lovelace published Titanic in 1843.", ("Titanic", "P577", "1843")),
        ("Spain uses the franc as its currency.", ("Spain", "P38", "franc")),
        ("Ada Lovelace and her husband Niels Bohr lived there.", ("Ada Lovelace", "P26", "Niels Bohr")),
        ("Its parent is a unit of Apple which is based in Ulm.", ("Apple", "P159", "Ulm")),
        ("Apple was led by Niels Bohr, who serves as its CEO.", ("Niels Bohr", "^P169", "Apple")),
        ("In 2004 Professor Ada Lovelace founded Apple.", ("Ada Lovelace", "^P112", "Apple")),
        ("Apple existed between 1978 and 1983.", ("Apple", "P576", "1983")),
        ("Apple and its subsidiary Southwest Airlines grew.", ("Apple", "^P749", "Southwest Airlines")),
        ("Ada Lovelace stars in war films such as Titanic.", ("Ada Lovelace", "^P161", "Titanic")),
    ],
)
def test_constructions(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Introductions, chains of participles, "as" twice, prefixed verbs, nearest names: each gives the fact it states."""
    assert triple in facts_of(text)


def test_each_prize_has_its_own_year(claims_of: Claims) -> None:
    """ "A in 1903 and B in 1911" are two events, and no year goes with the other one."""
    claims = claims_of("Marie Curie won the Nobel Prize in Physics in 1903 and the prize in Paris in 1911.")
    times = {
        fact.object.text: [a.object.text for a in fact.attributes if a.name == "time"]
        for claim in claims
        for fact in claim.facts
        if fact.relations[:1] == ("P166",)
    }
    assert times["Nobel Prize in Physics"] == ["1903"]


def test_who_wrote_the_screenplay_did_not_direct(facts_of: Triples) -> None:
    """A second "by" goes with the noun before it."""
    found = facts_of("Titanic was directed by Ada Lovelace from a screenplay by Niels Bohr.")
    assert ("Titanic", "P57", "Ada Lovelace") in found
    assert ("Titanic", "P57", "Niels Bohr") not in found


def test_a_post_in_a_body_is_no_proof_of_a_higher_one(facts_of: Triples) -> None:
    """A chief executive is asked for as such, never as anybody who works there."""
    found = facts_of("Ada Lovelace is the CEO of Apple.")
    assert ("Ada Lovelace", "^P169", "Apple") in found
    assert not any("P108" in relation for _, relation, _ in found)


def test_all_that_stand_behind_of(facts_of: Triples) -> None:
    """A relation that a noun with "of" says holds of each name behind it, not only of the first."""
    found = facts_of("Crater Lake lies on the coasts of France and Germany.")
    assert {("Crater Lake", "P206", "France"), ("Crater Lake", "P206", "Germany")} <= found


def test_what_falls(facts_of: Triples) -> None:
    """ "Fell in 1989" dates the end of a building or an empire, not of a person."""
    assert ("Berlin Wall", "P576", "1989") in facts_of("The Berlin Wall fell in 1989.")
    assert not any(relation for _, relation, _ in facts_of("Marie Curie fell in 1911."))


@pytest.mark.parametrize(
    "text",
    [
        "**Marie Curie** – 44th French president, born **August 4, 1867**.",
        "- **Marie Curie**: 44th French president, born August 4, 1867",
        "Marie Curie - the 44th French president, born August 4, 1867, died in 1934",
    ],
)
def test_a_name_and_what_it_is(facts_of: Triples, claims_of: Claims, text: str) -> None:
    """A name, a dash or colon, and what is said of it without a verb: facts of the name."""
    found = facts_of(text)
    assert ("Marie Curie", "^P35", "French") in found
    assert ("Marie Curie", "P569", text[text.index("August") : text.index("1867") + 4]) in found
    assert all(subject == "Marie Curie" for subject, _, _ in found)
    assert all(claim.text == claim.span.of(text) for claim in claims_of(text))


def test_all_that_a_name_is(facts_of: Triples) -> None:
    """Each noun behind the name is said of the name."""
    found = facts_of("- **Marie Curie**: Polish physicist and chemist, born in Warsaw.")
    assert {("Marie Curie", "P106", "physicist"), ("Marie Curie", "P106", "chemist")} <= found
    assert {subject for subject, _, _ in found} == {"Marie Curie"}


def test_a_dash_between_years_is_no_break(facts_of: Triples) -> None:
    """ "1914 – 1918" stays a span of years."""
    assert ("Marie Curie", "P108", "Paris University") in facts_of(
        "Marie Curie was a professor at Paris University (1914 – 1918)."
    )


def test_nobody_founds_oneself(facts_of: Triples) -> None:
    """ "Establishing itself in Spain in 1990" says nothing of a founding."""
    found = facts_of("Apple spread to other countries, establishing itself in Spain in 1990.")
    assert not {"P571", "P112", "^P112"} & {relation for _, relation, _ in found}


def test_offices_elsewhere_are_no_headquarters(facts_of: Triples) -> None:
    """The second place belongs to what stands behind "with"; "has offices in" names no seat."""
    found = facts_of("Apple is headquartered in Ulm, Germany with design studios in Paris.")
    assert ("Apple", "P159", "Ulm") in found
    assert ("Apple", "P159", "Paris") not in found
    assert ("Apple", "P159", "Paris") not in facts_of("Apple has offices in Paris and Warsaw.")


def test_year_in_front_of_a_name(facts_of: Triples) -> None:
    """The year is when, and the name behind it who."""
    assert ("Niels Bohr", "^P112", "Apple") in facts_of("In 1998 Niels Bohr founded Apple.")


def test_day_of_the_week_before_a_date(facts_of: Triples) -> None:
    """ "Monday" belongs to the date."""
    found = facts_of("Niels Bohr died on Sunday, 18 November 1962 in Berlin.")
    assert ("Niels Bohr", "P570", "18 November 1962") in found


def test_small_town_and_its_country(facts_of: Triples) -> None:
    """ "The small town of Ulm, Germany" names Ulm."""
    assert ("Niels Bohr", "P19", "Ulm") in facts_of("Niels Bohr was born in the small town of Ulm, Germany.")
