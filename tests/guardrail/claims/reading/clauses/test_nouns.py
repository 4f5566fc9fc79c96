from __future__ import annotations

from collections.abc import Callable

from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.sentence import ParsedSentence
from guardrail.types import Sentence
from tests.reading import read


def heads(reading: ParsedSentence, phrases: list[NP]) -> list[str]:
    return [reading.tokens[np.head].text for np in phrases]


def test_list_of_objects(sentence_of: Callable[[str], Sentence]) -> None:
    """ "A, B and C" is one object with two more conjuncts."""
    reading = read(sentence_of("The film stars Anna, Berta and Carla."), [])
    object_ = reading.clauses[0].comps[0].np
    assert object_ is not None
    assert heads(reading, list(object_.each())) == ["Anna", "Berta", "Carla"]


def test_apposition(sentence_of: Callable[[str], Sentence]) -> None:
    """A place behind a place stands in apposition to it and is no second object."""
    reading = read(sentence_of("She lives in Ulm, Germany."), [])
    (comp,) = reading.clauses[0].comps
    assert comp.np is not None
    assert heads(reading, comp.np.said) == ["Germany"]


def test_new_subject_begins_a_clause(sentence_of: Callable[[str], Sentence]) -> None:
    """ "and B wrote Y" begins a new clause and does not add to the object."""
    reading = read(sentence_of("Anna directed the film and Berta wrote the book."), [])
    assert [reading.tokens[c.subject.head].text for c in reading.clauses if c.subject] == ["Anna", "Berta"]
    assert all(len(list(comp.np.each())) == 1 for c in reading.clauses for comp in c.comps if comp.np)


def test_list_of_subjects(sentence_of: Callable[[str], Sentence]) -> None:
    """ "A, B and C were" is a list and no apposition."""
    reading = read(sentence_of("Anna, Berta and Carla were sisters."), [])
    subject = reading.clauses[0].subject
    assert subject is not None
    assert heads(reading, list(subject.each())) == ["Anna", "Berta", "Carla"]


def test_examples_join_what_they_are_examples_of(sentence_of: Callable[[str], Sentence]) -> None:
    """ "Ten countries, including A and B" names A and B, too."""
    reading = read(sentence_of("It flows through ten countries, including Austria and Hungary."), [])
    comp = reading.clauses[0].comps[0]
    assert comp.np is not None
    assert heads(reading, list(comp.np.each()))[1:] == ["Austria", "Hungary"]


def test_what_is_denied_by_the_way(sentence_of: Callable[[str], Sentence]) -> None:
    """In "Canberra, not Sydney" the second name is no apposition to the first."""
    reading = read(sentence_of("The capital is Canberra, not Sydney."), [])
    assert all(not comp.np.said for clause in reading.clauses for comp in clause.comps if comp.np)


def test_office_and_its_holder_are_no_list(sentence_of: Callable[[str], Sentence]) -> None:
    """ "The mayor of Graz, Anna, and Clara" are two people."""
    reading = read(sentence_of("They met the mayor of Graz, Anna, and Clara in Rome."), [])
    met = reading.clauses[0].comps[0].np
    assert met is not None
    assert [reading.tokens[one.head].text for one in met.each()] == ["mayor", "Clara"]


def test_name_of_who_leads_inside_an_of_phrase(sentence_of: Callable[[str], Sentence]) -> None:
    """In "the talents of its founder, Anna" Anna is the founder, and no talent."""
    reading = read(sentence_of("Velmora lives by the talents of its founder, Anna."), [])
    talents = reading.clauses[0].comps[-1].np
    assert talents is not None
    assert [reading.tokens[one.head].text for one in talents.of[0].said] == ["Anna"]
