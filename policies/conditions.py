"""Whether a condition holds of a verdict or of an answer: pure predicates, one per key of the policy file."""

from __future__ import annotations

from collections.abc import Iterator

from guardrail.audit.replay import from_graph
from guardrail.types import Fact, Label, Mention, Outcome, Report, Source, Verdict
from policies.terms import AnswerCondition, ClaimCondition, SlotType

__all__ = ["answer_holds", "claim_holds", "slot_type"]

_NUMBERS = ("quantity", "number", "money", "percentage", "age", "count")
_DATES = ("date", "year", "time", "century", "decade")


def claim_holds(when: ClaimCondition, verdict: Verdict) -> bool:
    """Whether all given keys hold of the verdict; cheap ones are looked at first."""
    return _judged_so(when, verdict) and _about_such(when, verdict)


def _judged_so(when: ClaimCondition, verdict: Verdict) -> bool:
    """How the claim was judged: label, scores, reason, and what came with them."""
    return (
        _one_of(when.label, verdict.label)
        and verdict.confidence in when.confidence
        and verdict.tms in when.tms
        and _one_of(when.kind, verdict.claim.kind)
        and _one_of(when.reason, verdict.reason)
        and when.revisable in (None, bool(verdict.revisions))
        and when.conflict in (None, verdict.conflict)
        and _any(when.checker, iter([verdict.checker]))
    )


def _about_such(when: ClaimCondition, verdict: Verdict) -> bool:
    """What the claim is about, and where its evidence is from."""
    return (
        (not when.slot or slot_type(verdict) in when.slot)
        and _any(when.property, _properties(verdict))
        and _any(when.entity, _entities(verdict))
        and _any(when.entity_type, _entity_types(verdict))
        and _any(when.source, _sources(verdict))
    )


def _one_of(wanted: tuple[object, ...], found: object) -> bool:
    """Whether it is one of them; none at all do not restrict."""
    return not wanted or found in wanted


def answer_holds(when: AnswerCondition, report: Report, flagged: int, outcome: Outcome) -> bool:
    """Whether all given keys hold of the answer; `flagged` and `outcome` are those under the claim rules."""
    counts = {label.value: sum(verdict.label is label for verdict in report.verdicts) for label in Label}
    counts |= {"flagged": flagged, "unchecked": len(report.unchecked), "claims": len(report.verdicts)}
    total = counts["claims"] + counts["unchecked"]
    return (
        report.kas in when.kas
        and (not when.outcome or outcome in when.outcome)
        and all(counts[key] in wanted for key, wanted in when.count)
        and all((counts[key] / total if total else 0.0) in wanted for key, wanted in when.share)
    )


def slot_type(verdict: Verdict) -> SlotType | None:
    """What the judged words state: by what was compared, else by the fact; None where there is neither."""
    facts, slot = verdict.claim.facts, verdict.slot
    if slot is not None and slot.type:
        return slot.type
    if not facts:
        return None
    fact = _judged(verdict, facts)
    value = fact.object.value
    if value is not None:
        return "date" if value.datatype == "date" else "number" if value.datatype == "quantity" else "text"
    if fact.object_type in _DATES:
        return "date"
    if fact.object_type in _NUMBERS:
        return "number"
    return "entity" if fact.object.mentions else "text"


def _judged(verdict: Verdict, facts: tuple[Fact, ...]) -> Fact:
    index = verdict.slot.fact if verdict.slot else 0
    return facts[index] if 0 <= index < len(facts) else facts[0]


def _any(wanted: tuple[str, ...], found: Iterator[str]) -> bool:
    """Whether one of the words is found; no words at all do not restrict."""
    if not wanted:
        return True
    words = {word.casefold() for word in wanted}
    return any(word.casefold() in words for word in found)


def _properties(verdict: Verdict) -> Iterator[str]:
    """As the graph calls them: a client's own triplets have names that no policy can know, and no record should keep."""
    if verdict.slot and from_graph(verdict.evidence):
        yield verdict.slot.property
    for fact in verdict.claim.facts:
        yield from (relation.removeprefix("^") for relation in fact.relations[:1])
    for triplet in verdict.evidence.triplets:
        if triplet.source != Source.REQUEST:
            yield from (triplet.predicate.id, triplet.predicate.label)


def _entities(verdict: Verdict) -> Iterator[str]:
    for mention in _mentions(verdict):
        if mention.entity:
            yield from (mention.entity.id, mention.entity.label)


def _entity_types(verdict: Verdict) -> Iterator[str]:
    for mention in _mentions(verdict):
        if mention.entity:
            yield from mention.entity.types


def _mentions(verdict: Verdict) -> Iterator[Mention]:
    yield from verdict.claim.mentions
    for fact in verdict.claim.facts:
        yield from fact.subject.mentions
        yield from fact.object.mentions


def _sources(verdict: Verdict) -> Iterator[str]:
    """Where the evidence comes from. Triplets of the request carry the source "request"; all others are the graph's."""
    for passage in verdict.evidence.passages:
        yield passage.source.value
    for triplet in verdict.evidence.triplets:
        yield "request" if triplet.source == Source.REQUEST else "kg"
    if not verdict.evidence:
        yield "none"
