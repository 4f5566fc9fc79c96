"""Verdicts on what is denied, and on "never" and "only"."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import Label
from guardrail.verifier import Verifier

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(today=lambda: date(2024, 6, 1))


@pytest.mark.parametrize(("place", "label"), [("Honolulu", CON), ("Nairobi", ATT)])
def test_negation_of_a_single_value(make: Any, place: str, label: Label) -> None:
    """Denying the known value contradicts; denying another one is supported, since there is only one."""
    text = f"Obama was not born in {place}."
    fact = make.fact(
        make.argument("Obama", text), "was not born in", make.argument(place, text), "P19", negated=True
    )
    answer = make.answer("Obama", "P19", [make.statement("Obama", "P19", "Honolulu")], apart=True)
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


def test_never_is_refuted_by_one_example(make: Any) -> None:
    """ClaimVer's Table 2, last row, with the triplets given in words."""
    text = "Southwest Airlines has never operated any Boeing 737 models."
    fact = make.fact(
        make.argument("Southwest Airlines", text),
        "has never operated",
        make.unknown("any Boeing 737 models", text),
        negated=True,
        universal=True,
    )
    given = [("Boeing 737 MAX", "operator", "Southwest Airlines")]
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(given=given))
    assert verdict.label is CON
    assert "Boeing 737 MAX" in verdict.rationale


def test_never_anyone_is_refuted_by_anyone(make: Any) -> None:
    """ClaimVer's Table 2, row five: one appointment refutes "never appointed anyone"."""
    text = "Pope Benedict XVI never appointed anyone significant."
    fact = make.fact(
        make.argument("Pope Benedict XVI", text, "Benedict XVI"),
        "never appointed",
        make.unknown("anyone significant", text),
        negated=True,
        universal=True,
    )
    given = [("Rutilio del Riego Jáñez", "appointed by", "Benedict XVI")]
    assert CHECKER.check(make.claim(text, fact), make.evidence(given=given)).label is CON


def test_never_is_not_proved_by_silence(make: Any) -> None:
    """Absence proves nothing in an open world."""
    text = "Ada never married Bob."
    fact = make.fact(
        make.argument("Ada", text), "married", make.argument("Bob", text), "P26", negated=True, universal=True
    )
    answer = make.answer("Ada", "P26", [make.statement("Ada", "P26", "Carl")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is EXT
    assert CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Ada", "P26"))).label is EXT


def test_only_is_not_proved_by_one(make: Any) -> None:
    """That Bob is a child of Ada does not make him the only one."""
    text = "Bob is the only child of Ada."
    fact = make.fact(
        make.argument("Ada", text), "only child", make.argument("Bob", text), "P40", universal=True
    )
    answer = make.answer("Ada", "P40", [make.statement("Ada", "P40", "Bob")])
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is EXT


def test_an_empty_list_is_shown_by_its_mark(verifier: Verifier) -> None:
    """The statement that the list is whole is the evidence, and the rationale says so."""
    (verdict,) = verifier.check("Venus has no moons.").verdicts
    assert [t.predicate.id for t in verdict.evidence.triplets] == ["complete-list"]
    assert "complete for Venus" in verdict.rationale
