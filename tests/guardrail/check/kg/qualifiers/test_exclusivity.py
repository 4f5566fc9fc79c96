""" "Only" is refuted by another member, and supported by a list that is known to be whole."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import Label

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(lambda: date(2025, 6, 1), counts={})


@pytest.mark.parametrize(
    ("text", "members", "complete", "label"),
    [
        ("Ada is the only child of Bob.", ["Ada", "Carl"], False, CON),
        ("Ada is the only child of Bob.", ["Ada"], True, ATT),
        ("Ada is the only child of Bob.", ["Ada"], False, EXT),
        ("Ada is the only living child of Bob.", ["Ada", "Carl"], False, EXT),
        ("Ada is the only child of Bob who paints.", ["Ada", "Carl"], False, EXT),
        ("Ada is not the only child of Bob.", ["Ada", "Carl"], False, EXT),
    ],
)
def test_the_only_holder_of_a_role(
    make: Any, text: str, members: list[str], complete: bool, label: Label
) -> None:
    """Another child refutes the only one, unless the list that is meant is a narrower one."""
    fact = make.fact(
        make.argument("Ada", text),
        "is child of",
        make.argument("Bob", text),
        "^P40",
        negated=" not " in text,
        universal=True,
    )
    known = [make.statement("Bob", "P40", name) for name in members]
    answer = make.answer("Bob", "P40", known, about="object", complete=complete)
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert verdict.label is label
    if label is CON:
        assert [value.label for value in verdict.slots[0].values] == ["Carl"]


def test_by_one_only(make: Any) -> None:
    """ "Written only by" is about the authors, of whom a second one refutes it."""
    text = "Hymns was written only by Ada."
    fact = make.fact(make.argument("Hymns", text), "was written by", make.argument("Ada", text), "P50")
    for names, label in ((["Ada"], ATT), (["Ada", "Bob"], CON)):
        answer = make.answer("Hymns", "P50", [make.statement("Hymns", "P50", name) for name in names])
        assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is label


def test_not_the_first_denies_the_place_and_not_the_kind(make: Any) -> None:
    """Who is not the first author is not said to be none."""
    text = "Ada was not the first author of Hymns."
    fact = make.fact(
        make.argument("Ada", text), "was author of", make.argument("Hymns", text), "^P50", negated=True
    )
    answer = make.answer("Hymns", "P50", [make.statement("Hymns", "P50", "Ada")], about="object")
    assert CHECKER.check(make.claim(text, fact), make.evidence(answer)).label is EXT
