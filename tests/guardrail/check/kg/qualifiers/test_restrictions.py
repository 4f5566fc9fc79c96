"""What a claim says beyond its facts."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import Label
from guardrail.verifier import Verifier


def test_the_place_in_a_series_is_compared(verifier: Verifier) -> None:
    """The 44th president was not the 45th, and the proof says so."""
    assert [
        v.label for v in verifier.check("Obama was the 44th president of the United States.").verdicts
    ] == [Label.ATTRIBUTABLE]
    (wrong,) = verifier.check("Barack Obama was the 45th president of the United States.").verdicts
    assert wrong.label is Label.CONTRADICTORY
    assert wrong.slot is not None
    assert (wrong.slot.property, wrong.slot.claimed, wrong.slot.known) == ("series ordinal", "45th", "44")


@pytest.mark.parametrize(
    ("when", "label"),
    [
        ("from 2001 to 2009", Label.ATTRIBUTABLE),
        ("from 2001 to 2012", Label.EXTRAPOLATORY),
        ("in 2005", Label.ATTRIBUTABLE),
        ("in 1990", Label.EXTRAPOLATORY),
    ],
)
def test_a_date_that_no_fact_took_up_is_compared_with_the_statement(
    make: Any, when: str, label: Label
) -> None:
    """The time of a claim is checked against the qualifiers of what was cited, though the reader missed it."""
    text = f"Bush was president {when}."
    fact = make.fact(
        make.argument("Bush", text), "was", make.argument("president", text), "P39", tense="past"
    )
    statement = make.statement("Bush", "P39", "president", P580="2001-01-20", P582="2009-01-20")
    verdict = SymbolicChecker().check(
        make.claim(text, fact), make.evidence(make.answer("Bush", "P39", [statement]))
    )
    assert verdict.label is label
