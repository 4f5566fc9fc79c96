"""Two readings of one claim beside statements."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from guardrail.check.kg.statements import StatementsChecker
from guardrail.types import Claim, Evidence, Label, Reason, Span, Verdict

TEXT = "It closes at ten."
CLAIM = Claim(0, Span(0, len(TEXT)), TEXT, TEXT)
A, E, C = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY


@dataclass
class Saying:
    """A checker that says one thing."""

    label: Label | None
    name: str
    reason: Reason | None = None

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if self.label is None:
            return None
        return Verdict(claim, self.label, 0.9, evidence, "", self.name, reason=self.reason)


@pytest.mark.parametrize(
    ("exact", "aligned", "label", "checker"),
    [
        (A, C, A, "exact"),
        (E, C, C, "aligned"),
        (E, A, A, "aligned"),
        (E, None, E, "exact"),
        (C, A, A, "aligned"),
        (C, None, C, "exact"),
    ],
)
def test_the_graphs_own_words_decide_what_the_lexicon_leaves_open(
    exact: Label, aligned: Label | None, label: Label, checker: str
) -> None:
    """What no relation of the lexicon refutes stands only where the graph's words do not support it."""
    verdict = StatementsChecker(Saying(exact, "exact"), Saying(aligned, "aligned")).check(CLAIM, Evidence())
    assert verdict is not None
    assert (verdict.label, verdict.checker) == (label, checker)


def test_a_hedged_claim_is_not_asked_again() -> None:
    """A guess stays open."""
    checker = StatementsChecker(Saying(E, "exact", Reason.HEDGED), Saying(A, "aligned"))
    verdict = checker.check(CLAIM, Evidence())
    assert verdict is not None
    assert verdict.label is E
