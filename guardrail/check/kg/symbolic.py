"""Compares what a claim says with what the graph knows, slot by slot. No model, no I/O: the proof is in the verdict.

A claim with several facts is Contradictory if one of them conflicts, Attributable if all agree, else Extrapolatory with the
reason. Hedged claims are never more than Extrapolatory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date

from guardrail import ontology
from guardrail.check.kg.compare.disputes import disputed
from guardrail.check.kg.compare.names import fold, pronoun
from guardrail.check.kg.compare.offices import whole_office
from guardrail.check.kg.confidence import UNDECIDED, Counts, calibrated, measured
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.lexical import connected, judge_by_words
from guardrail.check.kg.qualifiers.attributes import as_told, with_attributes
from guardrail.check.kg.qualifiers.polarity import contrasted, negated, with_polarity
from guardrail.check.kg.qualifiers.restrictions import left_over_words, misnumbered
from guardrail.check.kg.qualifiers.superlatives import ranked
from guardrail.check.kg.rationale import rationale
from guardrail.check.kg.relations import nothing_but
from guardrail.check.kg.steps import judged
from guardrail.rules import rule
from guardrail.types import (
    Argument,
    Claim,
    Evidence,
    Fact,
    Kind,
    Label,
    Reason,
    Verdict,
)

__all__ = ["SymbolicChecker"]

_KINDS = frozenset(ontology.ids("kind"))
_STILL = re.compile(r"\b(?:has|have)\s+(?:\w+\s+)?been\b.*\bsince\b|\b(?:is|are)\s+still\b", re.IGNORECASE)
_MOST_SHOWN = 8
_ORDER = ("agree", "conflict", "unknown")


class SymbolicChecker:
    """Implements `guardrail.types.Checker`. Stateless; `today` is asked where an age or "is" needs a clock."""

    name = "symbolic"

    def __init__(self, today: Callable[[], date] = date.today, *, counts: Counts | None = None) -> None:
        """`counts`: how often its rules are right; by default as measured, without any each says what it was set to."""
        self._today = today
        self._counts = measured() if counts is None else counts

    def check(self, claim: Claim, evidence: Evidence) -> Verdict:
        """A verdict on every claim: what cannot be decided is Extrapolatory, and says why."""
        claim, given = _read(claim), claim
        findings = _found(claim, evidence, self._today())
        if claim.reason is not None:
            verdict = _partly_read(claim, _one_of_each(findings, claim, evidence), claim.reason)
            return replace(calibrated(verdict, self._counts), claim=given)
        if not findings:
            findings = [_unworded(claim, evidence)]
        findings = _one_of_each([_beside(one, findings, claim) for one in findings], claim, evidence)
        verdict = disputed(_decide(claim, findings, evidence), findings)
        verdict = _with_more(verdict, connected(claim, findings, evidence))
        return replace(calibrated(verdict, self._counts), claim=given)


def _found(claim: Claim, evidence: Evidence, today: date) -> list[FactFinding]:
    """What each fact comes to that is not told by another one, and each place among others."""
    placed = ranked(claim, evidence)
    compared = _comparisons(placed, claim, evidence)
    findings = [
        with_polarity(placed[index], fact, claim.text)
        if index in compared
        else judged(index, claim, evidence, today=today)
        for index, fact in enumerate(claim.facts)
        if not _told_elsewhere(fact, claim, compared) and not (claim.reason and _pointing(fact))
    ]
    return findings + [
        finding for index, finding in placed.items() if index not in compared or index >= len(claim.facts)
    ]


def _comparisons(placed: Collection[int], claim: Claim, evidence: Evidence) -> set[int]:
    """The facts that say nothing but a place among others. "Not the largest planet" denies the place and not the kind."""
    beside = {one.fact for one in evidence.rankings if one.beside and one.fact in placed}
    return beside | {index for index in placed if index < len(claim.facts) and negated(claim.facts[index])}


def _read(claim: Claim) -> Claim:
    """The claim with facts as they are meant: offices in full, what was denied beside its opposite, what still holds, what began when."""
    facts = [whole_office(contrasted(fact, claim), claim.facts) for fact in claim.facts]
    if _STILL.search(claim.text):
        facts = [replace(fact, tense="present") if fact.tense == "past" else fact for fact in facts]
    facts = [replace(one, attributes=tuple(as_told(a, claim) for a in one.attributes)) for one in facts]
    return replace(claim, facts=tuple(facts))


@rule("beside-what-agrees", passes=0)
def _beside(finding: FactFinding, findings: Sequence[FactFinding], claim: Claim) -> FactFinding:
    """Windham, Connecticut: where one place agrees, the place in it is not refuted by that same statement.

    Berlin, Germany, of one who was born in Ulm, is: Germany agrees only because it holds Ulm. Nor is a second founder
    refuted by the first one, where there may be two.
    """
    if finding.state != "conflict" or finding.negated or finding.claimed.value is not None:
        return finding
    agreed = {t for other in findings if _may_stand_beside(finding, other, claim) for t in other.triplets}
    if not finding.triplets or not agreed.issuperset(finding.triplets):
        return finding
    return replace(finding, state="unknown", note="near", reason=Reason.INSUFFICIENT, confidence=UNDECIDED)


def _may_stand_beside(finding: FactFinding, other: FactFinding, claim: Claim) -> bool:
    """Whether the other agrees by a thing, and what is claimed here may be a part of it or one more."""
    if other.state != "agree" or other.claimed.value is not None or other.note == "coarser":
        return False
    return finding.cardinality != "single" or _adjoining(other.claimed, finding.claimed, claim)


def _adjoining(one: Argument, other: Argument, claim: Claim) -> bool:
    """Whether two arguments stand side by side, as a place and what it lies in do; "Paris and Lyon" are two."""
    if one.span is None or other.span is None or one.span.overlaps(other.span):
        return True
    first, second = sorted((one.span, other.span), key=lambda span: span.start)
    between = claim.text[max(0, first.end - claim.span.start) : max(0, second.start - claim.span.start)]
    return re.search(r"\b(?:and|or|both|as well as)\b", between) is None


def _with_more(verdict: Verdict, more: Sequence[FactFinding]) -> Verdict:
    """The verdict with further evidence that bears on its claim, and the slots of it."""
    triplets = (*verdict.evidence.triplets, *(t for finding in more for t in finding.triplets))
    return replace(
        verdict,
        evidence=replace(verdict.evidence, triplets=tuple(dict.fromkeys(triplets))),
        slots=(*verdict.slots, *(finding.slot for finding in more)),
    )


@rule("readings-of-same-words", passes=0)
def _one_of_each(findings: Sequence[FactFinding], claim: Claim, evidence: Evidence) -> list[FactFinding]:
    """One finding for words that were read as several facts: "president of France" as an office, and as France's president.

    Such facts have the same subject and objects that overlap; they are readings of one statement, so the one that agrees
    stands for all, else one that conflicts, else one that something is known of.
    """
    kept: list[FactFinding] = []
    for finding in findings:
        at = next((i for i, other in enumerate(kept) if _same_words(finding, other, claim)), None)
        if at is None:
            kept.append(finding)
            continue
        first, second = sorted((kept[at], finding), key=_weight)
        kept[at] = _dated(first, second, claim, evidence)
    return kept


@rule("dates-of-other-reading", passes=0)
def _dated(finding: FactFinding, other: FactFinding, claim: Claim, evidence: Evidence) -> FactFinding:
    """A reading that agrees, with the dates that only the other reading has: "served as mayor from 2001 to 2011"."""
    has, more = (claim.facts[one.fact].attributes for one in (finding, other))
    dates = [a for a in more if a not in has and a.object.value and a.object.value.datatype == "date"]
    return with_attributes(finding, dates, evidence) if finding.state == "agree" and dates else finding


def _weight(finding: FactFinding) -> tuple[int, bool]:
    """What agrees before what conflicts, and of what is open what could be compared with something."""
    return _ORDER.index(finding.state), not finding.triplets


def _same_words(one: FactFinding, other: FactFinding, claim: Claim) -> bool:
    if max(one.fact, other.fact) >= len(claim.facts) or "ranked" in (one.note, other.note):
        return False
    first, second = claim.facts[one.fact], claim.facts[other.fact]
    left, right = first.object.span, second.object.span
    return (
        left is not None
        and right is not None
        and left.overlaps(right)
        and first.subject.span == second.subject.span
    )


def _pointing(fact: Fact) -> bool:
    """Whether it is not known whom the fact is about, or to whom."""
    return not fact.subject.mentions or pronoun(fact.object)


def _partly_read(claim: Claim, findings: list[FactFinding], reason: Reason) -> Verdict:
    """What a claim says of others than the one who could not be told ("He is the father of Microsoft's founder Steve Jobs")
    may refute it, and never supports the whole.
    """
    conflicts = [finding for finding in findings if finding.state == "conflict"]
    if conflicts and claim.kind is Kind.FACT:
        decisive = max(conflicts, key=lambda finding: finding.confidence)
        return _verdict(claim, Label.CONTRADICTORY, findings, decisive, None)
    return _verdict(claim, Label.EXTRAPOLATORY, findings, None, reason)


@rule("told-by-another-fact", silent=False)
def _told_elsewhere(fact: Fact, claim: Claim, compared: Collection[int] = ()) -> bool:
    """Whether another fact that has a relation says the same: "won … in 1921" as (won in; 1921), or "is the author of Hamlet"
    as (is; author). `compared`: the facts that are comparisons; their parts ("a larger population") say nothing by themselves.
    """
    others = [
        other
        for index, other in enumerate(claim.facts)
        if other is not fact and (other.relations or index in compared)
    ]
    if fact.object.span is None:
        return False
    if not fact.relations:
        return (bool(others) and _denied_by_contrast(fact, claim)) or any(
            a.object.span == fact.object.span for other in others for a in other.attributes
        )
    words = f" {fold(fact.object.text)} "
    return _KINDS.issuperset(fact.relations) and any(
        other.subject.span == fact.subject.span and words in f" {fold(other.predicate)} " for other in others
    )


def _denied_by_contrast(fact: Fact, claim: Claim) -> bool:
    """Whether the fact is denied for no other reason than that its opposite stands beside it."""
    return fact.negated and contrasted(replace(fact, negated=False), claim).negated


def _unworded(claim: Claim, evidence: Evidence) -> FactFinding:
    """A claim that no fact was read from: a statement that joins two of its names by the only words between supports it."""
    for i, left in enumerate(claim.mentions):
        for right in claim.mentions[i + 1 :]:
            rest = claim.text.replace(left.text, " ").replace(right.text, " ")
            fact = Fact(
                Argument(left.text, left.span, (left,)), rest, Argument(right.text, right.span, (right,))
            )
            found = judge_by_words(0, fact, evidence)
            if found is None or found.state != "agree":
                continue
            if nothing_but(rest, found.triplets[0].predicate):
                return replace(found, confidence=0.75)
            # Nobody read the sentence: what it says besides is not known to hold.
            return replace(
                found, state="unknown", note="near", reason=Reason.INSUFFICIENT, confidence=UNDECIDED
            )
    known = any(mention.candidates for mention in claim.mentions)
    reason = Reason.NO_EVIDENCE if known else Reason.NO_ENTITY
    return FactFinding(0, "unknown", "", Argument(claim.text, claim.span), note="nothing", reason=reason)


def _decide(claim: Claim, findings: Sequence[FactFinding], evidence: Evidence) -> Verdict:
    conflicts = [finding for finding in findings if finding.state == "conflict"]
    unknown = [finding for finding in findings if finding.state == "unknown"]
    if claim.kind is Kind.HEDGED:
        return _verdict(
            claim, Label.EXTRAPOLATORY, findings, (conflicts or unknown or findings)[0], Reason.HEDGED
        )
    if conflicts:
        decisive = max(conflicts, key=lambda finding: finding.confidence)
        return _verdict(claim, Label.CONTRADICTORY, findings, decisive, None)
    if not unknown:
        return _supported(claim, findings, evidence)
    decisive = max(unknown, key=lambda finding: bool(finding.triplets))
    reason = _why_unknown(decisive, findings, evidence)
    return _verdict(claim, Label.EXTRAPOLATORY, findings, decisive, reason)


def _why_unknown(decisive: FactFinding, findings: Sequence[FactFinding], evidence: Evidence) -> Reason:
    """That something was not read, or that only a part is known, is a better reason than that nothing is."""
    reason = decisive.reason or Reason.INSUFFICIENT
    if evidence.unread and reason in (Reason.OPEN_LIST, Reason.NO_PROPERTY, Reason.NO_EVIDENCE):
        return Reason.NOT_READ
    partly = any(finding.state == "agree" for finding in findings)
    return Reason.INSUFFICIENT if partly and reason in (Reason.NO_PROPERTY, Reason.NO_ENTITY) else reason


def _supported(claim: Claim, findings: Sequence[FactFinding], evidence: Evidence) -> Verdict:
    """All facts agree: the claim is Attributable unless it says more than its facts, or something else."""
    decisive = min(findings, key=lambda finding: finding.confidence)
    if any(finding.negated for finding in findings):
        return _verdict(claim, Label.ATTRIBUTABLE, findings, decisive, None)
    other = misnumbered(claim, findings)
    if other is not None:
        return _verdict(claim, Label.CONTRADICTORY, [*findings, other], other, None)
    left_out = left_over_words(claim, findings, evidence)
    if not left_out:
        return _verdict(claim, Label.ATTRIBUTABLE, findings, decisive, None)
    part = replace(
        decisive,
        state="unknown",
        note="part",
        claimed=Argument(left_out),
        known=(),
        answers=0,
        confidence=UNDECIDED,
    )
    return _verdict(claim, Label.EXTRAPOLATORY, [*findings, part], part, Reason.INSUFFICIENT)


def _verdict(
    claim: Claim,
    label: Label,
    findings: Sequence[FactFinding],
    decisive: FactFinding | None,
    reason: Reason | None,
) -> Verdict:
    bearing = [decisive, *findings] if decisive else findings
    shown = list(dict.fromkeys(t for finding in bearing for t in finding.triplets[:_MOST_SHOWN]))
    return Verdict(
        claim=claim,
        label=label,
        confidence=decisive.confidence if decisive else UNDECIDED,
        evidence=Evidence(triplets=tuple(shown)),  # ClaimVer's rel_triplets: only what bears on the claim
        rationale=rationale(claim, findings, decisive, reason),
        checker=SymbolicChecker.name,
        slot=decisive.slot if decisive and decisive.triplets else None,
        reason=reason,
        slots=tuple(slot for finding in findings if finding.triplets for slot in finding.slots),
    )
