from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("The capital of France is Paris.", ("France", "P36", "Paris")),
        ("The capital in France is Paris.", ("France", "P36", "Paris")),
        ("Marie Curie was a physicist.", ("Marie Curie", "P106", "physicist")),
        ("Ulm is in Germany.", ("Ulm", "P17", "Germany")),
        ("Marie Curie was Polish.", ("Marie Curie", "P27", "Polish")),
        ("Titanic is on display at the Louvre.", ("Titanic", "P276", "Louvre")),
        ("Crater Lake is on the border between France and Germany.", ("Crater Lake", "P17", "Germany")),
        ("Germany is a member of the European Union.", ("Germany", "P463", "European Union")),
    ],
)
def test_what_something_is(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Roles, classes, places and nationalities after "to be", and nouns whose value is said."""
    assert triple in facts_of(text)


@pytest.mark.parametrize(
    ("text", "relation", "modifier", "value"),
    [
        ("The Danube is longer than 2,000 kilometres.", "P2043", "more than", "2000"),
        ("The tower Khalifa is less than 500 metres tall.", "P2048", "less than", "500"),
        ("The tower Khalifa is more than 800 metres tall and has 163 floors.", "P2048", "more than", "800"),
        ("The tower Khalifa is shorter than 400 m.", "P2048", "less than", "400"),
        ("Crater Lake is deeper than 300 metres.", "P4511", "more than", "300"),
    ],
)
def test_bounds_of_measures(
    claims_of: Callable[..., list[Claim]], text: str, relation: str, modifier: str, value: str
) -> None:
    """ "Longer than" and "less than … tall" bound the measure that the adjective names."""
    (fact,) = claims_of(text)[0].facts
    assert relation in fact.relations
    assert fact.object.value is not None
    assert (fact.object.modifier, fact.object.value.value) == (modifier, value)
    assert not fact.negated


def test_comparisons_keep_their_words(claims_of: Callable[..., list[Claim]]) -> None:
    """Between two things there is nothing to measure: the comparative stays in the predicate."""
    (fact,) = claims_of("France is larger than Spain.")[0].facts
    assert (fact.subject.text, fact.predicate, fact.object.text, fact.relations) == (
        "France",
        "is larger than",
        "Spain",
        (),
    )


def test_members_hold_no_office(claims_of: Callable[..., list[Claim]]) -> None:
    """A country that is a member of something has no position; a person may."""
    (claim,) = claims_of("Germany is a member of the European Union.")
    assert len(claim.facts) == 1
    (claim,) = claims_of("Marie Curie was a member of the Senate.")
    assert any("P39" in fact.relations for fact in claim.facts)


def test_how_long_something_was_active(facts_of: Triples) -> None:
    """Both years behind the adjective are read."""
    found = facts_of("Apple was active from 1997 to 2004.")
    assert {("Apple", "P571", "1997"), ("Apple", "P576", "2004")} <= found


@pytest.mark.parametrize(
    "text",
    ["In 1997, Ada Lovelace became the mayor of Ulm.", "In 1997 Ada Lovelace was elected mayor of Ulm."],
)
def test_time_before_the_subject_hides_nothing(facts_of: Triples, text: str) -> None:
    """What somebody became is read behind an introduction, too."""
    assert ("Ada Lovelace", "^P6", "Ulm") in facts_of(text)


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("Marie Curie was the president of France.", "past"),
        ("The former president of France was Marie Curie.", "former"),
        ("Marie Curie is the former capital of France.", "former"),
    ],
)
def test_a_noun_says_that_it_is_over(claims_of: Callable[..., list[Claim]], text: str, tense: str) -> None:
    """ "The former president is X" speaks of what is over, though its verb stands in the present."""
    assert {fact.tense for claim in claims_of(text) for fact in claim.facts} == {tense}


def test_a_date_before_the_subject_is_the_time_of_the_rest(facts_of: Triples) -> None:
    """Nobody is in a year as one is in a town."""
    assert {predicate for _, predicate, _ in facts_of("In 1990, Paris was the capital of France.")} == {
        "^P36"
    }
