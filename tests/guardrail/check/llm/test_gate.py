"""Which claims need a language model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrail.check.llm.gate import Case, Gate, settled
from guardrail.types import Evidence, Kind, Label, Reason, Source, SourceVerdict
from tests.llm_cases import CAPITAL, claim, embedded

CLAIM = claim("Lyon is the capital of France.")
SOME = Evidence(triplets=(CAPITAL,))
SIDES = (
    SourceVerdict(Source.REQUEST, Label.CONTRADICTORY, 0.9, Evidence(), "It says so.", "nli"),
    SourceVerdict(Source.KG, Label.ATTRIBUTABLE, 0.9, SOME, "It does not.", "symbolic"),
)


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (Case(CLAIM, SOME, embedded(CLAIM, Label.CONTRADICTORY, proven=True)), "proven"),
        (Case(CLAIM, Evidence(), embedded(CLAIM)), "no evidence"),
        (Case(claim("Is it?", kind=Kind.QUESTION), SOME), "not checkable"),
        (Case(claim("It may be.", kind=Kind.HEDGED), SOME, embedded(CLAIM)), "hedged"),
        (Case(CLAIM, SOME, embedded(CLAIM, Label.ATTRIBUTABLE, confidence=0.99)), "certain"),
        (Case(CLAIM, SOME, replace(embedded(CLAIM), reason=Reason.AMBIGUOUS_REFERENCE)), "ambiguous"),
        (
            Case(CLAIM, SOME, replace(embedded(CLAIM, Label.CONTRADICTORY), by_source=SIDES)),
            "sources disagree",
        ),
        (Case(CLAIM, SOME, replace(embedded(CLAIM), by_source=SIDES)), ""),  # nobody has decided
        (Case(CLAIM, SOME, embedded(CLAIM, confidence=0.99)), ""),
        (Case(CLAIM, SOME, embedded(CLAIM, Label.CONTRADICTORY, confidence=0.7)), ""),
        (Case(CLAIM, SOME), ""),
    ],
)
def test_why_no_model_is_asked(case: Case, reason: str) -> None:
    """A proof, no evidence, nothing to check, a hedge, certainty, or sources that disagree; everything else goes on."""
    assert settled(case) == reason


def test_the_share_saved_is_counted() -> None:
    """Three of four claims kept from the model are 75 %."""
    gate = Gate()
    assert gate.saved == 0.0
    for case in (
        Case(CLAIM, SOME),
        Case(CLAIM, Evidence()),
        Case(CLAIM, Evidence()),
        Case(CLAIM, SOME, embedded(CLAIM, Label.CONTRADICTORY, proven=True)),
    ):
        gate.needs_model(case)
    assert gate.saved == 0.75
    assert gate.kept == {"no evidence": 2, "proven": 1}
