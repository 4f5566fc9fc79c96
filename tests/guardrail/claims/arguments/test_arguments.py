from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Claim, Fact

Claims = Callable[..., list[Claim]]


def first(claims: list[Claim]) -> Fact:
    return claims[0].facts[0]


def test_arguments_are_exact_places(claims_of: Claims) -> None:
    """An argument is the name without its article or title, at its exact place."""
    text = "The actor Tom Hanks lives in the city of Paris."
    fact = next(fact for claim in claims_of(text) for fact in claim.facts if "P551" in fact.relations)
    assert fact.subject.span is not None
    assert fact.subject.span.of(text) == "Tom Hanks"
    assert fact.object.text == "Paris"


def test_values_are_typed(claims_of: Claims) -> None:
    """Dates and quantities carry their value, and the fact its type."""
    fact = first(claims_of("Albert Einstein was born on 14 March 1879."))
    assert fact.object.value is not None
    assert fact.object.value.value == "1879-03-14"
    assert fact.object_type == "date"
    assert first(claims_of("Albert Einstein was born in 1879.")).object_type == "year"


def test_vague_objects_have_no_relation(claims_of: Claims) -> None:
    """ "Born in a small town" names no place that could be looked up."""
    facts = [fact for claim in claims_of("Marie Curie was born in a small town.") for fact in claim.facts]
    assert all(not fact.relations for fact in facts)


def test_types_decide_between_relations(claims_of: Claims) -> None:
    """The same words mean another property for another kind of object."""
    facts = claims_of("Albert Einstein was born in Ulm in 1879.")[0].facts
    assert [fact.relations for fact in facts] == [("P19",), ("P569",)]


def test_nationality_is_a_country(claims_of: Claims) -> None:
    """An adjective of nationality is linked to its country, and the property fits what it is said of."""
    facts = {
        fact.object.text: fact for claim in claims_of("Titanic is an American film.") for fact in claim.facts
    }
    assert facts["American"].relations[0] == "P495"
    assert facts["American"].object.mention is not None
    assert facts["American"].object.mention.entity is not None
    assert facts["American"].object.mention.entity.id == "Q30"


def test_possessive_stands_where_the_name_does(claims_of: Claims) -> None:
    """Whose wife she is, is the name in the same sentence; of an earlier sentence the pronoun stands for it."""
    text = "Niels Bohr and his wife, Ada Lovelace, live in Ulm. His son Albert Einstein lives in Paris."
    facts = [fact for claim in claims_of(text) for fact in claim.facts]
    wife = next(fact for fact in facts if "P26" in fact.relations)
    son = next(fact for fact in facts if "P40" in fact.relations)
    assert wife.subject.span is not None
    assert son.subject.span is not None
    assert (wife.subject.span.of(text), son.subject.span.of(text)) == ("Niels Bohr", "His")
