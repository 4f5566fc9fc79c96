from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.reading.sentence import ParsedSentence
from guardrail.types import Sentence
from tests.reading import read


def test_relative_clause(sentence_of: Callable[[str], Sentence]) -> None:
    """A relative clause behind a comma is a clause of its own about the noun before it."""
    reading = read(sentence_of("Anna Schmidt, who lives in Rome, wrote books."), [])
    relative = next(clause for clause in reading.clauses if clause.role == "relative")
    assert relative.subject is not None
    assert reading.tokens[relative.subject.head].text == "Schmidt"
    assert "writ" in verbs(reading)


def test_predicate_noun_means_the_subject(sentence_of: Callable[[str], Sentence]) -> None:
    """In "X is a physicist who …" the relative clause is about X."""
    reading = read(sentence_of("Anna Schmidt is a physicist who won a prize."), [])
    relative = next(clause for clause in reading.clauses if clause.role == "relative")
    assert relative.subject is reading.clauses[0].subject


def test_bracket_is_about_the_name_before_it(sentence_of: Callable[[str], Sentence]) -> None:
    """What stands in brackets behind the subject is about the subject, and the sentence goes on behind it."""
    reading = read(sentence_of("Anna Schmidt (born 1945) wrote books."), [])
    assert {reading.tokens[c.subject.head].text for c in reading.clauses if c.subject} == {"Schmidt"}
    assert "writ" in verbs(reading)


def verbs(reading: ParsedSentence) -> set[str]:
    return {clause.vg.stem for clause in reading.clauses if clause.vg is not None}


def test_bracket_behind_an_of_phrase(sentence_of: Callable[[str], Sentence]) -> None:
    """A bracket is about the name right before it."""
    reading = read(sentence_of("She is the child of Emil Berg (born in Rome)."), [])
    aside = next(one for one in reading.clauses if one.vg is not None and one.vg.stem == "bear")
    assert aside.subject is not None
    assert reading.tokens[aside.subject.head].text == "Berg"


@pytest.mark.parametrize("text", ["Graz (a pretty town) — a city in Austria", "Graz – a city in Austria"])
def test_what_follows_a_dash(sentence_of: Callable[[str], Sentence], text: str) -> None:
    """Behind the dash stands what the name is, with all that belongs to it."""
    last = read(sentence_of(text), []).clauses[-1]
    assert last.subject is not None
    assert last.subject.kind == "name"
    assert [comp.prep for comp in last.comps] == ["", "in"]


@pytest.mark.parametrize(
    "text",
    [
        "Anna is the owner of Velmora, a small company in Graz, that was founded in 1983.",
        "Anna is the head of Velmora, based in Graz, which was founded in 1983.",
    ],
)
def test_what_is_said_of_bodies_is_said_of_the_body(
    sentence_of: Callable[[str], Sentence], text: str
) -> None:
    """Neither the owner nor the town was founded, but the company between them."""
    reading = read(sentence_of(text), [])
    clause = next(one for one in reading.clauses if one.vg is not None and one.vg.stem == "found")
    assert clause.subject is not None
    assert reading.tokens[clause.subject.head].text == "Velmora"
