"""Verdicts on hand-made claims and evidence: when a statement held, and the time, place and age of what a claim says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import (
    Attribute,
    Evidence,
    Label,
    Node,
    Qualifier,
    Reason,
    Value,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CHECKER = SymbolicChecker(today=lambda: date(2024, 6, 1))


@pytest.mark.parametrize(
    ("tense", "who", "label"),
    [
        ("present", "Bush", CON),
        ("present", "Biden", ATT),
        ("past", "Bush", ATT),
        ("former", "Bush", ATT),
        ("former", "Biden", CON),
    ],
)
def test_tense_against_start_and_end(make: Any, tense: str, who: str, label: Label) -> None:
    """ "is" needs a statement that still holds, "former" one that is over, the past takes both."""
    text = f"The head is {who}."
    fact = make.fact(make.argument("head", text), "is", make.argument(who, text), "P39", tense=tense)
    answer = make.answer(
        "head",
        "P39",
        [
            make.statement("head", "P39", "Bush", P580="2001-01-20", P582="2009-01-20"),
            make.statement("head", "P39", "Biden", P580="2021-01-20"),
        ],
    )
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert verdict.label is label
    if (tense, who) == ("present", "Bush"):
        assert verdict.slot is not None
        assert verdict.slot.known == "Biden"


@pytest.mark.parametrize(
    ("when", "modifier", "label"),
    [
        ("2005", "", ATT),
        ("2012", "", CON),
        ("2001", "from", ATT),
        ("2003", "from", CON),
        ("2009", "to", ATT),
        ("2011", "to", CON),
    ],
)
def test_time_attributes_against_qualifiers(make: Any, when: str, modifier: str, label: Label) -> None:
    """An extended triple's time is verified against the same statement's start and end."""
    text = f"Bush was president in {when}."
    fact = make.fact(
        make.argument("Bush", text),
        "was",
        make.argument("president", text),
        "P39",
        attributes=(Attribute("time", make.argument(when, text, modifier=modifier)),),
        tense="past",
    )
    statement = make.statement("Bush", "P39", "president", P580="2001-01-20", P582="2009-01-20")
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Bush", "P39", [statement])))
    assert verdict.label is label
    if label is CON:
        assert verdict.slot is not None
        assert verdict.slot.claimed == when


def test_an_attribute_that_is_not_known_leaves_the_claim_open(make: Any) -> None:
    """The post is known, its time is not: not fully supported."""
    text = "Bush was president in 2005."
    fact = make.fact(
        make.argument("Bush", text),
        "was",
        make.argument("president", text),
        "P39",
        attributes=(Attribute("time", make.argument("2005", text)),),
        tense="past",
    )
    answer = make.answer("Bush", "P39", [make.statement("Bush", "P39", "president")])
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(answer))
    assert (verdict.label, verdict.reason) == (EXT, Reason.INSUFFICIENT)
    assert "2005" in verdict.rationale


def test_the_time_of_a_birth_is_a_statement_of_its_own(make: Any) -> None:
    """Born in Honolulu in 1961: the year is compared with the date of birth."""
    for year, label in (("1961", ATT), ("1962", CON)):
        text = f"Obama was born in Honolulu in {year}."
        fact = make.fact(
            make.argument("Obama", text),
            "was born in",
            make.argument("Honolulu", text),
            "P19",
            attributes=(Attribute("time", make.argument(year, text)),),
        )
        evidence = make.evidence(make.answer("Obama", "P19", [make.statement("Obama", "P19", "Honolulu")]))
        birth = make.statement("Obama", "P569", make.date("1961-08-04"))
        verdict = CHECKER.check(
            make.claim(text, fact), Evidence((*evidence.triplets, birth), answers=evidence.answers)
        )
        assert verdict.label is label


@pytest.mark.parametrize(("words", "label"), [("president", CON), ("16th president", ATT)])
def test_what_is_over_is_not_so_now(make: Any, words: str, label: Label) -> None:
    """An end in the past refutes "is", though nothing else is known; the 16th of a series stays the 16th."""
    text = f"Lincoln is the {words}."
    fact = make.fact(
        make.argument("Lincoln", text), "is", make.argument("president", text), "P39", tense="present"
    )
    base = make.statement("Lincoln", "P39", "president", P580="1861", P582="1865")
    rank = Qualifier(Node("P1545", "series ordinal"), Value("16", "16", "string"))
    statement = replace(base, qualifiers=(*base.qualifiers, rank))
    verdict = CHECKER.check(make.claim(text, fact), make.evidence(make.answer("Lincoln", "P39", [statement])))
    assert verdict.label is label
