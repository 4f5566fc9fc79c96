from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim

Claims = Callable[..., list[Claim]]


@pytest.mark.parametrize(
    ("question", "answer", "triple"),
    [
        ("Who directed Titanic?", "James Cameron.", ("Titanic", "P57", "James Cameron")),
        ("What is the capital of France?", "Paris", ("France", "P36", "Paris")),
        ("What is France's capital?", "Berlin.", ("France", "P36", "Berlin")),
        ("Where was Albert Einstein born?", "Ulm.", ("Albert Einstein", "P19", "Ulm")),
        ("When was Albert Einstein born?", "14 March 1879", ("Albert Einstein", "P569", "14 March 1879")),
        ("In which year did Marie Curie die?", "1934", ("Marie Curie", "P570", "1934")),
        ("How long is Titanic?", "195 minutes.", ("Titanic", "P2047", "195 minutes")),
    ],
)
def test_short_answers(claims_of: Claims, question: str, answer: str, triple: tuple[str, str, str]) -> None:
    """The question gives what the short answer leaves out, and the wording stands alone."""
    (claim,) = claims_of(answer, question)
    (fact,) = claim.facts
    assert (fact.subject.text, fact.relations[0], fact.object.text) == triple
    assert fact.subject.span is None
    assert triple[0] in claim.resolved
    assert triple[2] in claim.resolved


def test_several_answers(claims_of: Claims) -> None:
    """Each conjunct of the answer is a fact."""
    (claim,) = claims_of("Steve Jobs and Steve Wozniak.", "Who founded Apple?")
    assert [fact.object.text for fact in claim.facts] == ["Steve Jobs", "Steve Wozniak"]


def test_a_sentence_is_no_short_answer(claims_of: Claims) -> None:
    """A full sentence is read for itself."""
    (claim,) = claims_of("Paris is in France.", "Who directed Titanic?")
    assert claim.facts[0].subject.text == "Paris"


def test_no_question_no_guess(claims_of: Claims) -> None:
    """A bare name without a question, or behind one that it does not answer, claims nothing."""
    assert [claim.facts for claim in claims_of("James Cameron.")] == [()]
    assert [claim.facts for claim in claims_of("James Cameron.", "Why?")] == [()]
