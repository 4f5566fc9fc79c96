"""The evidence laid before a model (see test_verdicts.py for limits and order)."""

from __future__ import annotations

import pytest

from guardrail.check.llm.judge import bears, exhibits
from guardrail.types import Evidence
from tests.llm_cases import CAPITAL, claim, passage, triplet


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (CAPITAL, True),
        (triplet("Mercury", "instance of", "planet"), False),
        (passage("In France one eats well."), True),
        (passage("x", title="France"), True),
        (passage("Nothing to do with it."), False),
    ],
)
def test_evidence_bears_on_a_claim_when_it_shares_a_word_of_substance(item: object, expected: bool) -> None:
    """A name, a number or a longer word in common; "the" and "of" do not count."""
    assert bears(claim("Lyon is the capital of France."), item) is expected  # type: ignore[arg-type]


def test_no_evidence_is_nothing_to_show() -> None:
    """Empty in, empty out."""
    shown = exhibits([Evidence(), Evidence()], 100)
    assert (shown.triplets, shown.passages, shown.unread) == ((), (), ())


def test_triplets_beyond_the_limit_are_unread() -> None:
    """They are named by their id."""
    shown = exhibits([Evidence((CAPITAL,))], 5)
    assert shown.unread == (CAPITAL.id,)
