from __future__ import annotations

from collections.abc import Callable

from guardrail.claims.chunks import NP
from guardrail.claims.reading import Reading, read
from guardrail.types import Sentence


def heads(reading: Reading, phrases: list[NP]) -> list[str]:
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
