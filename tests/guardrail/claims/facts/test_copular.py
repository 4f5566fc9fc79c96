from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Claim

Triples = Callable[..., set[tuple[str, str, str]]]


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


def test_a_date_before_the_subject_is_the_time_of_the_rest(facts_of: Triples) -> None:
    """Nobody is in a year as one is in a town."""
    assert {predicate for _, predicate, _ in facts_of("In 1990, Paris was the capital of France.")} == {
        "^P36"
    }
