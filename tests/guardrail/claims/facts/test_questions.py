from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Claim


def test_questions_name_the_antecedent(claims_of: Callable[..., list[Claim]]) -> None:
    """A question stands alone: it names whom the pronoun means."""
    claims = claims_of("Marie Curie lived in Paris. She was born in 1867.")
    assert claims[1].facts[0].question == "In which year was Marie Curie born?"
