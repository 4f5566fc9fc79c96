from __future__ import annotations

from collections.abc import Callable

from guardrail.claims.discourse.cataphora import ahead, suits
from guardrail.types import Sentence
from tests.reading import read


def test_the_subject_that_comes(sentence_of: Callable[[str], Sentence]) -> None:
    """A possessive in an introduction goes with the subject behind it."""
    reading = read(sentence_of("Since its start in 1972, Vela has grown."), [])
    assert [reading.tokens[subject.head].text for _, subject in ahead(reading.clauses)] == ["Vela"]


def test_no_possessive_no_answer(sentence_of: Callable[[str], Sentence]) -> None:
    """Behind the subject a possessive is not looked for ahead."""
    assert not list(ahead(read(sentence_of("Vela has grown since its start in 1972."), []).clauses))


def test_persons_and_things() -> None:
    """ "Its" is no person's, "his" no company's; of what nothing is known it may be either."""
    assert suits("its", frozenset({"org"}))
    assert not suits("its", frozenset({"person"}))
    assert suits("his", frozenset({"person", "man"}))
    assert not suits("his", frozenset({"org"}))
    assert suits("her", frozenset())
