"""The example of the pages."""

from __future__ import annotations

import pytest

from guardrail.types import Label
from policies.policy import load
from proxy.routes.example import delivered, example


def test_the_example_has_a_statement_of_each_label() -> None:
    """Confirmed, wrong and not known, in the order of the text."""
    assert [verdict.label for verdict in example().verdicts] == [
        Label.ATTRIBUTABLE,
        Label.CONTRADICTORY,
        Label.EXTRAPOLATORY,
    ]


@pytest.mark.parametrize(
    ("preset", "same", "said"),
    [
        ("shadow", True, "1944"),
        ("annotate", True, "1944"),
        ("attach", False, "4 July 1934"),
        ("revise", False, "She died in 1934."),
        ("block", False, "withheld"),
    ],
)
def test_a_policy_shows_what_it_does(preset: str, same: bool, said: str) -> None:
    """The words pass, get a note, are corrected or are withheld."""
    told = delivered(load(preset))
    assert (told == example().text) is same
    assert said in told
