from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.discourse.coreference import Discourse, suits
from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.types import Candidate, Claim, Entity, Mention, Span


def subjects(claims: list[Claim]) -> list[str | None]:
    return [
        fact.subject.mention.text if fact.subject.mention else None
        for claim in claims
        for fact in claim.facts[:1]
    ]


def test_possessive(claims_of: Callable[..., list[Claim]]) -> None:
    """ "Her husband" is the husband of the one who was spoken of."""
    claim = claims_of("Marie Curie lived in Paris. Her husband was Pierre Curie.")[-1]
    assert claim.facts[0].subject.mention is not None
    assert claim.facts[0].subject.mention.text == "Marie Curie"
    assert claim.resolved == "Marie Curie's husband was Pierre Curie."


def test_question_and_heading_give_the_topic(claims_of: Callable[..., list[Claim]]) -> None:
    """What was asked about, and what a heading names, are first antecedents."""
    assert subjects(claims_of("She was born in Warsaw.", "Who was Marie Curie?")) == ["Marie Curie"]
    assert subjects(claims_of("# Albert Einstein\nHe was born in Ulm.")) == ["Albert Einstein"]


def test_short_name_stands_for_the_full_one(claims_of: Callable[..., list[Claim]]) -> None:
    """A last name alone is the person with that name who was spoken of."""
    fact = claims_of("Marie Curie was born in Warsaw. Curie lived in Paris.")[-1].facts[0]
    assert fact.subject.mention is not None
    assert fact.subject.mention.entity is not None
    assert fact.subject.mention.entity.id == "Q:Marie Curie"


def test_object_pronoun_is_not_its_own_subject() -> None:
    """ "Him" cannot mean the subject of its clause."""
    discourse = Discourse(load_kinds())
    bohr, einstein = (
        Mention(Span(at, at + 5), name, (Candidate(Entity(name, name, types=("Q5",), gender="m"), 0.0),))
        for at, name in ((0, "Bohr"), (9, "Einstein"))
    )
    discourse.add(bohr, 2.0)
    discourse.add(einstein, 1.0)
    assert discourse.pronoun("him", but=bohr) is einstein
    assert discourse.pronoun("he") is None


def test_a_first_name_tells_whom_he_and_she_mean() -> None:
    """Of two that no graph knows, the pronoun means the one of its gender."""
    discourse = Discourse(load_kinds())
    kay, ann = (Mention(Span(at, at + 7), name) for at, name in ((0, "Kevin Moor"), (15, "Anna Moss")))
    discourse.add(kay, 2.0)
    discourse.add(ann, 2.0)
    assert discourse.pronoun("she") is ann
    assert discourse.pronoun("he") is kay


def test_a_thing_with_a_first_name_in_its_name_is_no_person() -> None:
    """A museum that is called after somebody is neither "he" nor kept from being "it"."""
    discourse = Discourse(load_kinds())
    museum = Mention(Span(0, 17), "Henry Ford Museum")
    discourse.add(museum, 2.0)
    assert discourse.pronoun("he") is None
    assert discourse.pronoun("it") is museum


def test_an_adjective_of_a_country_is_no_antecedent() -> None:
    """Who speaks of a German company and then of "it" does not mean Germany."""
    discourse = Discourse(load_kinds())
    germany, acme = (
        Mention(Span(at, at + len(name)), name, (Candidate(Entity(name, name, types=(kind,)), 0.0),))
        for at, name, kind in ((0, "German", "Q6256"), (9, "Acme", "Q4830453"))
    )
    discourse.add(germany, 1.0)
    discourse.add(acme, 1.0)
    assert discourse.pronoun("it") is acme


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ada Lovelace", True),
        ("Ludwig van Beethoven", True),
        ("Paris", False),
        ("Oxford University", False),
        ("May to December", False),
    ],
)
def test_names_that_look_like_people(name: str, expected: bool) -> None:
    """Unknown names are taken for people only where they look like it."""
    assert Discourse.like_person(name) is expected


def test_persons_and_things() -> None:
    """ "Its" is no person's, "his" no company's; of what nothing is known it may be either."""
    assert suits("its", frozenset({"org"}))
    assert not suits("its", frozenset({"person"}))
    assert suits("his", frozenset({"person", "man"}))
    assert not suits("his", frozenset({"org"}))
    assert suits("her", frozenset())
