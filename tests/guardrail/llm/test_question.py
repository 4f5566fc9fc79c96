"""The nouns of asking."""

from __future__ import annotations

import pytest

from guardrail.llm.question import Answer, Message, Question


def test_a_question_cannot_be_changed() -> None:
    """Questions are shared between threads, so they are frozen."""
    question = Question((Message("user", "x"),), str)
    with pytest.raises(AttributeError):
        question.sample = 1  # type: ignore[misc]


def test_an_answer_from_the_cache_has_no_calls() -> None:
    """Nothing was sent, nothing was paid."""
    answer = Answer("x", calls=0)
    assert (answer.prompt_tokens, answer.completion_tokens, answer.cost) == (0, 0, 0.0)
