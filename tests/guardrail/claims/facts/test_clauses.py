from __future__ import annotations

from collections.abc import Callable

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


def test_a_post_in_a_body_is_no_proof_of_a_higher_one(facts_of: Triples) -> None:
    """A chief executive is asked for as such, never as anybody who works there."""
    found = facts_of("Ada Lovelace is the CEO of Apple.")
    assert ("Ada Lovelace", "^P169", "Apple") in found
    assert not any("P108" in relation for _, relation, _ in found)


def test_what_falls(facts_of: Triples) -> None:
    """ "Fell in 1989" dates the end of a building or an empire, not of a person."""
    assert ("Berlin Wall", "P576", "1989") in facts_of("The Berlin Wall fell in 1989.")
    assert not any(relation for _, relation, _ in facts_of("Marie Curie fell in 1911."))


def test_all_that_a_name_is(facts_of: Triples) -> None:
    """Each noun behind the name is said of the name."""
    found = facts_of("- **Marie Curie**: Polish physicist and chemist, born in Warsaw.")
    assert {("Marie Curie", "P106", "physicist"), ("Marie Curie", "P106", "chemist")} <= found
    assert {subject for subject, _, _ in found} == {"Marie Curie"}
