from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Taylor Swift was born in 1989.", "In which year was Taylor Swift born?"),
        ("Taylor Swift was born on 13 December 1989.", "On which date was Taylor Swift born?"),
        ("Titanic was directed by James Cameron.", "Who was Titanic directed by?"),
        ("The capital of France is Paris.", "Which place is the capital of France?"),
        ("Taylor Swift is 30 years old.", "How old is Taylor Swift?"),
        ("France has a population of 68 million.", "What is the population of France?"),
    ],
)
def test_questions_ask_for_the_type_of_the_answer(
    claims_of: Callable[..., list[Claim]], text: str, expected: str
) -> None:
    """ "In which year", not "when": the object's type shapes the question (FLEEK's TQGen)."""
    assert claims_of(text)[0].facts[0].question == expected


def test_questions_name_the_antecedent(claims_of: Callable[..., list[Claim]]) -> None:
    """A question stands alone: it names whom the pronoun means."""
    claims = claims_of("Marie Curie lived in Paris. She was born in 1867.")
    assert claims[1].facts[0].question == "In which year was Marie Curie born?"
