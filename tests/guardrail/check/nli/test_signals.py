"""What speaks for a claim and against it in statements of a graph."""

import pytest

from guardrail.check.nli.signals import signals
from guardrail.types import Node, Triplet

OPEN = (0.1, 0.8, 0.1)
STATEMENTS = (
    Triplet(Node("g", "Garden room"), Node("p", "price per night"), Node("", "GBP 90")),
    Triplet(Node("g", "Garden room"), Node("d", "dogs"), Node("", "no")),
    Triplet(Node("l", "Lake room"), Node("p", "price per night"), Node("", "GBP 120")),
)


def found(claim: str, *alone: tuple[float, float, float]) -> dict[str, float]:
    rows = alone or (OPEN,) * len(STATEMENTS)
    return signals(claim, STATEMENTS, OPEN, OPEN, rows)


def test_the_statement_that_speaks_of_the_claim_is_found() -> None:
    """The one that the model does not find silent, whether it supports or contradicts."""
    got = found("Dogs may stay in the garden room.", OPEN, (0.1, 0.2, 0.7), (0.2, 0.7, 0.1))
    assert (got["place"], got["speaking_contradicts"], got["one_contradicts"]) == (1.0, 0.7, 0.7)
    assert got["speaking_says_yes"] == -1.0
    assert got["one_supports"] == 0.2


@pytest.mark.parametrize(
    ("claim", "name", "value"),
    [
        ("The garden room costs £90.", "values_absent", 0.0),
        ("The garden room costs £95.", "values_absent", 1.0),
        ("The garden room costs £95.", "values_replaced", 2.0),
        ("The garden room is run by Ann Lee.", "names_absent", 1.0),
        ("The Garden Room has a bath.", "names_absent", 0.0),
        ("Only the garden room has a bath.", "limiting", 1.0),
        ("The lake room is dearer than the garden room.", "ordering", 1.0),
    ],
)
def test_values_and_names_that_no_statement_has_are_counted(claim: str, name: str, value: float) -> None:
    """And words that make a sentence more than one statement can tell."""
    assert found(claim)[name] == value
