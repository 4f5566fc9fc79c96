from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Claim

Claims = Callable[..., list[Claim]]


def test_several_answers(claims_of: Claims) -> None:
    """Each conjunct of the answer is a fact."""
    (claim,) = claims_of("Steve Jobs and Steve Wozniak.", "Who founded Apple?")
    assert [fact.subject.text for fact in claim.facts] == ["Steve Jobs", "Steve Wozniak"]


def test_a_sentence_is_no_short_answer(claims_of: Claims) -> None:
    """A full sentence is read for itself."""
    (claim,) = claims_of("Paris is in France.", "Who directed Titanic?")
    assert claim.facts[0].subject.text == "Paris"


def test_no_question_no_guess(claims_of: Claims) -> None:
    """A bare name without a question, or behind one that it does not answer, claims nothing."""
    assert [claim.facts for claim in claims_of("James Cameron.")] == [()]
    assert [claim.facts for claim in claims_of("James Cameron.", "Why?")] == [()]
