"""What the outputs of a model are called says which labels they are."""

import pytest

from guardrail.errors import ConfigError
from guardrail.models.labels import roles

A, E, C = 0, 1, 2


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (["entailment", "neutral", "contradiction"], (A, E, C)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], (C, E, A)),
        (["contradiction", "entailment", "neutral"], (C, A, E)),
        (["attributable", "extrapolatory", "contradictory"], (A, E, C)),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], (A, C, E)),
        (["entailment", "not_entailment"], (A, E)),
        (["hallucinated", "consistent"], (E, A)),
        (["inconsistent", "consistent"], (E, A)),
        (["unsupported", "supported"], (E, A)),
        (["not supported", "supported"], (E, A)),
    ],
)
def test_what_outputs_are_called_says_what_they_mean(names: list[str], places: tuple[int, ...]) -> None:
    """Label order comes from the names, and "not supported" is never read as refuted."""
    assert roles(dict(enumerate(names)), outputs=len(names), model="m") == places


@pytest.mark.parametrize(
    ("names", "outputs", "message"),
    [
        (["LABEL_0", "LABEL_1", "LABEL_2"], 3, "'LABEL_0', which names no label"),
        (["entailment"], 2, "'LABEL_1', which names no label"),
        (["score"], 1, "names no label"),
        (["entailment"], 1, "do not tell supported from not supported"),
        (["neutral", "contradiction"], 2, "do not tell supported from not supported"),
    ],
)
def test_names_that_say_nothing_are_refused(names: list[str], outputs: int, message: str) -> None:
    """A model whose outputs cannot be told apart is an error with a way out, not a guess."""
    with pytest.raises(ConfigError, match=message):
        roles(dict(enumerate(names)), outputs=outputs, model="m")
