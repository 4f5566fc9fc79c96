"""One fact of a claim beside the evidence, step by step.

Each step takes what was found so far and gives back what it makes of it; most change nothing. What they pass on is the `FactFinding`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from guardrail import ontology
from guardrail.check.kg.aligned.words import denied_by_name, open_not_opened
from guardrail.check.kg.combine import combine
from guardrail.check.kg.compare.names import fold, quantified
from guardrail.check.kg.compare.slots import judge
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.domains import in_domain
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.lexical import judge_by_words
from guardrail.check.kg.qualifiers.attributes import with_attributes
from guardrail.check.kg.qualifiers.exclusivity import exclusive
from guardrail.check.kg.qualifiers.polarity import denies, negated, with_polarity
from guardrail.check.kg.qualifiers.restrictions import numbered
from guardrail.check.kg.qualifiers.terms_of_office import termed
from guardrail.check.kg.scope import scoped
from guardrail.rules import rule
from guardrail.types import Answer, Attribute, Claim, Evidence, Fact, Reason, Span, Triplet, Value
from guardrail.values.comparisons import in_difference

__all__ = ["judged"]

_DEATH = ontology.roles("date of death")
_WHOLE = "complete-list"  # the property of the statements that a list names all its members


@dataclass(frozen=True, slots=True)
class Case:
    """The fact of this `index` of a claim, with what the graph answered to it; `evidence` is all that was found for the claim."""

    index: int
    claim: Claim
    evidence: Evidence
    answers: tuple[Answer, ...]
    today: date

    @property
    def fact(self) -> Fact:
        return self.claim.facts[self.index]


Step = Callable[[FactFinding, Case], FactFinding]


def judged(index: int, claim: Claim, evidence: Evidence, *, today: date) -> FactFinding:
    """What is found out about a fact; unknown, with the reason, where that is nothing."""
    fact = claim.facts[index]
    if (term := termed(index, claim.facts, evidence)) is not None:
        return with_polarity(term, fact, claim.text)
    asked = [answer for answer in evidence.answers if answer.fact == index and _answers(fact, answer)]
    answers = in_domain(fact, [] if _of_everybody(fact) or _differs(fact, claim) else asked)
    case = Case(index, claim, evidence, tuple(answers), today)
    finding = _nothing(case)
    for step in STEPS:
        finding = step(finding, case)
    alone = None if negated(fact) else exclusive(finding, fact, claim, answers, today=today)
    return alone or with_polarity(finding, fact, claim.text)


def _answers(fact: Fact, answer: Answer) -> bool:
    """Whether it is of what the fact asks: not where its property's name is a denial, nor "opened" for "was open"."""
    label = answer.property.label
    return not denied_by_name(label) and not open_not_opened(fact.predicate, label)


def _of_everybody(fact: Fact) -> bool:
    """Whether it is told of everybody or nobody; "never appointed anyone" is refuted by one appointment."""
    return not fact.negated and (quantified(fact.subject) or quantified(fact.object))


@rule("number-of-a-difference", silent=False)
def _differs(fact: Fact, claim: Claim) -> bool:
    """Whether its number tells by how much two things differ: "66 more pages than" are not all there are."""
    value, span = fact.object.value, fact.object.span
    if value is None or value.datatype != "quantity" or span is None or not claim.span.contains(span):
        return False
    return in_difference(claim.text, span.end - claim.span.start)


def _nothing(case: Case) -> FactFinding:
    """Before anything is compared: is it the entity that is missing, or what is known of it?"""
    named = [argument for argument in (case.fact.subject, case.fact.object) if argument.mention]
    linked = any(argument.mention and argument.mention.candidates for argument in named)
    reason = Reason.NO_PROPERTY if linked else Reason.NO_ENTITY
    return FactFinding(case.index, "unknown", "", case.fact.object, note="nothing", reason=reason)


def _compared(finding: FactFinding, case: Case) -> FactFinding:
    """With the graph's answers to what the fact asks, slot by slot."""
    found = [judge(case.index, case.fact, answer, today=case.today) for answer in case.answers]
    return combine(found) or finding


@rule("words-of-statements", passes=0)
def _compared_by_words(finding: FactFinding, case: Case) -> FactFinding:
    """With the statements whose words are the fact's, where the answers leave it open."""
    fact = case.fact
    if finding.state != "unknown" or finding.note == "age" or _of_everybody(fact):
        return finding
    found = judge_by_words(case.index, fact, case.evidence, today=case.today)
    if found is None or (found.state == "unknown" and finding.triplets):
        return finding
    return found


def _known_to_be_empty(finding: FactFinding, case: Case) -> FactFinding:
    """What rests on an empty list, with the statement that the list is whole; without that it rests on nothing."""
    if finding.note != "none":
        return finding
    marks = [
        t
        for t in case.evidence.triplets
        if t.predicate.id == _WHOLE and t.subject.id == finding.reading and _about(t, finding.property_id)
    ]
    if marks:
        return replace(finding, triplets=tuple(marks))
    return replace(finding, state="unknown", note="nothing", reason=Reason.NO_PROPERTY, confidence=UNDECIDED)


def _about(mark: Triplet, property_id: str) -> bool:
    return isinstance(mark.object, Value) and mark.object.value == property_id


@rule("age-after-death", passes=0)
def _not_after_death(finding: FactFinding, case: Case) -> FactFinding:
    """Nobody has an age today who has died, though the years since the birth are right."""
    if finding.note != "age":
        return finding
    deaths = _deaths(finding.reading, case.evidence, profiled=finding.state == "agree")
    if not deaths:
        return finding
    triplets = (*finding.triplets, *deaths)
    return replace(finding, state="unknown", triplets=triplets, reason=Reason.INSUFFICIENT, note="near")


def _deaths(entity_id: str, evidence: Evidence, *, profiled: bool) -> list[Triplet]:
    """The statements that somebody has died; those of his profile, `profiled`, need not bear on what is claimed."""
    told, known = [t for t in evidence.triplets if t.subject.id == entity_id], list(evidence.properties)
    for profile in evidence.profiles if profiled else ():
        if profile.entity.id == entity_id:
            told += profile.statements
            known += profile.properties.values()
    dead = (t for t in told if ontology.plays(ontology.record(t.predicate.id, known), _DEATH))
    return list(dict.fromkeys(dead))


def _scoped(finding: FactFinding, case: Case) -> FactFinding:
    """A conflict only by what the claim does not say is none."""
    return scoped(finding, case.fact, case.claim, case.evidence)


@rule("numbered-holder", passes=0)
def _lasting(finding: FactFinding, case: Case) -> FactFinding:
    """Who is "the 16th president" stays that when the term is over."""
    if finding.note == "ended" and finding.state == "conflict" and numbered(case.claim):
        return replace(finding, state="agree", note="")
    return finding


@rule("attributes", passes=0)
def _with_attributes(finding: FactFinding, case: Case) -> FactFinding:
    """The time, place or amount that the fact adds."""
    if finding.state != "agree" or not case.fact.attributes:
        return finding
    return with_attributes(finding, _own(case), case.evidence)


def _own(case: Case) -> list[Attribute]:
    """The attributes that no other fact of the claim states with a relation of its own."""
    fact, claim = case.fact, case.claim
    stated = {other.object.span for other in claim.facts if other is not fact and other.relations}
    said = f" {fold(fact.predicate)} "  # "took place in" holds its noun already
    return [
        a
        for a in fact.attributes
        if (a.object.span is None or (a.object.span not in stated and not _denied(a.object.span, claim)))
        and (a.object.value is not None or a.object.mentions or f" {fold(a.object.text)} " not in said)
    ]


def _denied(span: Span, claim: Claim) -> bool:
    return claim.span.contains(span) and denies(claim.text[: span.start - claim.span.start])


STEPS: tuple[Step, ...] = (
    _compared,
    _compared_by_words,
    _known_to_be_empty,
    _not_after_death,
    _scoped,
    _lasting,
    _with_attributes,
)
"""In this order. "Only" and negation come last, and are told of what these have found."""
