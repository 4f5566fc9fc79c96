"""A sentence read as a whole, where its claims are open one by one."""

from __future__ import annotations

from dataclasses import replace

from guardrail.check.sentence import supported_as_one
from guardrail.types import (
    Claim,
    Evidence,
    Finding,
    Kind,
    Label,
    Passage,
    Reason,
    Sentence,
    Source,
    Span,
    Verdict,
)

TEXT = "Should it rain, the concert moves indoors."
SENTENCE = Sentence(Span(0, len(TEXT)), TEXT)
READ = Evidence(passages=(Passage("p", "In wet weather the concert is held in the hall.", Source.REQUEST),))


class WholesOnly:
    """Supports what is the whole sentence and finds nothing in parts of it."""

    name = "wholes"

    def __init__(self) -> None:
        self.asked: list[Claim] = []

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        self.asked.append(claim)
        label = Label.ATTRIBUTABLE if claim.text == TEXT else Label.EXTRAPOLATORY
        return Verdict(claim, label, 0.9, evidence, "The passage supports the claim.", checker=self.name)


def part(number: int, words: str, *, kind: Kind = Kind.FACT) -> Claim:
    start = TEXT.index(words)
    return Claim(number, Span(start, start + len(words)), words, words, kind=kind)


def verdict(claim: Claim, label: Label, reason: Reason | None = None) -> Verdict:
    return Verdict(claim, label, 0.5, READ, "", checker="text", reason=reason)


def opened(claim: Claim) -> Verdict:
    return verdict(claim, Label.EXTRAPOLATORY, Reason.INSUFFICIENT)


RAINS, MOVES = part(0, "Should it rain"), part(1, "the concert moves indoors.")
BOTH = {0: READ, 1: READ}


def read_as_one(*findings: Finding, checker: WholesOnly | None = None) -> list[Finding]:
    return supported_as_one(SENTENCE, list(findings), BOTH, checker or WholesOnly())


def test_open_claims_of_a_supported_sentence_are_supported() -> None:
    """With the evidence for the sentence, and a rationale that says so."""
    first, second = read_as_one(opened(RAINS), verdict(MOVES, Label.ATTRIBUTABLE))
    assert isinstance(first, Verdict)
    assert (first.label, first.reason, first.claim) == (Label.ATTRIBUTABLE, None, RAINS)
    assert first.rationale == "The sentence is supported as a whole. The passage supports the claim."
    assert second == verdict(MOVES, Label.ATTRIBUTABLE)


def test_a_contradiction_beside_it_leaves_a_claim_open() -> None:
    """What has a contradicted part is not supported as a whole, and nobody asks."""
    checker = WholesOnly()
    findings = opened(RAINS), verdict(MOVES, Label.CONTRADICTORY)
    assert read_as_one(*findings, checker=checker) == list(findings)
    assert not checker.asked


def test_only_what_was_read_and_found_insufficient_is_read_again() -> None:
    """Not what has no evidence, and not what is open because evidence went unread."""
    for reason in (Reason.NO_EVIDENCE, Reason.NOT_READ):
        unread = verdict(RAINS, Label.EXTRAPOLATORY, reason)
        assert read_as_one(unread) == [unread]
    without = replace(opened(RAINS), evidence=Evidence())
    assert read_as_one(without) == [without]


def test_a_claim_that_is_the_sentence_is_not_read_twice() -> None:
    checker = WholesOnly()
    whole = opened(Claim(0, SENTENCE.span, TEXT, TEXT))
    assert read_as_one(whole, checker=checker) == [whole]
    assert not checker.asked


def test_a_doubt_about_a_part_is_one_about_the_sentence() -> None:
    """The checker decides what it makes of a doubt."""
    checker = WholesOnly()
    read_as_one(opened(replace(RAINS, kind=Kind.HEDGED)), opened(MOVES), checker=checker)
    assert [one.kind for one in checker.asked] == [Kind.HEDGED]
