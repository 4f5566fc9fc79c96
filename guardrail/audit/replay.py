"""Between a report and its record, both ways.

`claims` writes down what a policy can look at; `report` makes it a report again that every policy decides alike, also
when the words are long erased (a property test holds this). Words come back where they are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from guardrail.audit.record import (
    ClaimRecord,
    ClaimWords,
    EntityRef,
    EvidenceRef,
    FactRef,
    Record,
    SideRef,
    salted,
)
from guardrail.types import (
    Argument,
    Candidate,
    Claim,
    Entity,
    Evidence,
    Fact,
    Kind,
    Label,
    Mention,
    Node,
    NotChecked,
    Passage,
    Reason,
    Report,
    Revision,
    Slot,
    Source,
    SourceVerdict,
    Span,
    Triplet,
    Unchecked,
    Value,
    Verdict,
)

__all__ = ["claims", "from_graph", "report", "words_of"]

LARGEST_EVIDENCE = 8  # pieces of evidence that are referred to per claim


def claims(verdicts: Sequence[Verdict], salt: str) -> tuple[ClaimRecord, ...]:
    """The verdicts without their words; `salt` hides the hashes of these."""
    return tuple(_claim(verdict, salt) for verdict in verdicts)


def words_of(verdict: Verdict) -> ClaimWords:
    """The words of a verdict."""
    slot = verdict.slot
    return ClaimWords(
        text=verdict.claim.text,
        resolved=verdict.claim.resolved,
        rationale=verdict.rationale,
        claimed=slot.claimed if slot else "",
        known=slot.known if slot else "",
        revisions=tuple(revision.replacement for revision in verdict.revisions),
    )


def report(record: Record) -> Report:
    """A report that policies decide as they did the one that was recorded."""
    words = record.words
    kept = words.claims if words else {}
    unchecked = words.unchecked if words and words.unchecked else ("",) * len(record.unchecked)
    return Report(
        text=words.text if words and words.text is not None else "",
        verdicts=tuple(_verdict(claim, kept.get(str(claim.id))) for claim in record.claims),
        unchecked=tuple(
            Unchecked(Span(gap.start, gap.end), text, NotChecked(gap.reason))
            for gap, text in zip(record.unchecked, unchecked, strict=True)
        ),
        kas=record.kas,
        timing_ms=record.timing_ms,
        versions=record.versions,
        id=record.response,
    )


def _claim(verdict: Verdict, salt: str) -> ClaimRecord:
    claim, slot = verdict.claim, verdict.slot
    return ClaimRecord(
        id=claim.id,
        start=claim.span.start,
        end=claim.span.end,
        kind=claim.kind.value,
        label=verdict.label.value,
        confidence=verdict.confidence,
        tms=verdict.tms,
        score=verdict.score,
        checker=verdict.checker,
        reason=verdict.reason.value if verdict.reason else None,
        property=slot.property if slot and from_graph(verdict.evidence) else "",
        slot_fact=slot.fact if slot else None,
        slot_state=slot.state if slot else "unknown",
        slot_type=slot.type if slot else "",
        cardinality=slot.cardinality if slot else "unknown",
        facts=tuple(_fact_ref(fact) for fact in claim.facts),
        entities=_entity_refs(claim),
        evidence=_evidence_refs(verdict.evidence),
        revisions=tuple((revision.span.start, revision.span.end) for revision in verdict.revisions),
        text_hash=salted(salt, claim.text),
        by_source=tuple(map(_side_ref, verdict.by_source)),
    )


def _side_ref(side: SourceVerdict) -> SideRef:
    return SideRef(
        side.source.value, side.label.value, side.confidence, side.checker, _evidence_refs(side.evidence)
    )


def _fact_ref(fact: Fact) -> FactRef:
    value = fact.object.value
    relation = fact.relations[0] if fact.relations else ""
    return FactRef(relation, fact.object_type, value.datatype if value else "", bool(fact.object.mentions))


def _entity_refs(claim: Claim) -> tuple[EntityRef, ...]:
    mentions = list(claim.mentions)
    for fact in claim.facts:
        mentions += [*fact.subject.mentions, *fact.object.mentions]
    found = {
        m.entity.id: EntityRef(m.entity.id, m.entity.label, m.entity.types) for m in mentions if m.entity
    }
    return tuple(found.values())


def _evidence_refs(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """The first of each, but every kind of source and every property at least once: policies ask for these."""
    triplets = [_triplet_ref(triplet) for triplet in evidence.triplets]
    passages = [EvidenceRef("passage", p.id, p.source.value, as_of=p.as_of) for p in evidence.passages]
    kept: dict[EvidenceRef, None] = dict.fromkeys(
        [*triplets[:LARGEST_EVIDENCE], *passages[:LARGEST_EVIDENCE]]
    )
    seen = {(ref.kind, ref.source, ref.property) for ref in kept}
    for ref in (*triplets, *passages):
        if (ref.kind, ref.source, ref.property) not in seen:
            seen.add((ref.kind, ref.source, ref.property))
            kept[ref] = None
    return tuple(kept)


def from_graph(evidence: Evidence) -> bool:
    """Whether relations are called as the graph calls them; what came with the request is a client's own words."""
    return not evidence.triplets or any(triplet.source != Source.REQUEST for triplet in evidence.triplets)


def _triplet_ref(triplet: Triplet) -> EvidenceRef:
    if triplet.source == Source.REQUEST:
        return EvidenceRef("triplet", triplet.id, triplet.source, as_of=triplet.as_of)
    predicate = triplet.predicate
    return EvidenceRef("triplet", triplet.id, triplet.source, predicate.id, predicate.label, triplet.as_of)


def _verdict(claim: ClaimRecord, words: ClaimWords | None) -> Verdict:
    words = words or ClaimWords("", revisions=("",) * len(claim.revisions))
    span = Span(claim.start, claim.end)
    slot = None
    if claim.slot_fact is not None:
        slot = Slot(
            claim.property,
            words.claimed,
            words.known,
            claim.cardinality,
            claim.slot_state,
            fact=claim.slot_fact,
            type=claim.slot_type,
        )
    return Verdict(
        claim=Claim(
            id=claim.id,
            span=span,
            text=words.text,
            resolved=words.resolved,
            facts=tuple(map(_fact, claim.facts)),
            mentions=tuple(map(_mention, claim.entities)),
            kind=Kind(claim.kind),
        ),
        label=Label(claim.label),
        confidence=claim.confidence,
        evidence=_evidence(claim.evidence),
        rationale=words.rationale,
        checker=claim.checker,
        slot=slot,
        reason=Reason(claim.reason) if claim.reason else None,
        tms=claim.tms,
        score=claim.score,
        revisions=tuple(
            Revision(Span(start, end), replacement, "")
            for (start, end), replacement in zip(claim.revisions, words.revisions, strict=True)
        ),
        by_source=tuple(map(_side, claim.by_source)),
    )


def _side(ref: SideRef) -> SourceVerdict:
    """A side without its rationale: what the sources say is told by that of the verdict."""
    evidence = _evidence(ref.evidence)
    return SourceVerdict(Source(ref.source), Label(ref.label), ref.confidence, evidence, "", ref.checker)


# Records repeat a few facts, entities and sources a thousand times over: a back-test makes each of them once.
_repeated = lru_cache(maxsize=8192)


@_repeated
def _fact(ref: FactRef) -> Fact:
    value = Value("", "", ref.datatype) if ref.datatype else None  # type: ignore[arg-type]
    mentions = (Mention(Span(0, 0), ""),) if ref.named else ()
    relations = (ref.relation,) if ref.relation else ()
    return Fact(
        Argument(""),
        "",
        Argument("", mentions=mentions, value=value),
        relations=relations,
        object_type=ref.object_type,
    )


@_repeated
def _mention(ref: EntityRef) -> Mention:
    return Mention(Span(0, 0), "", (Candidate(Entity(ref.id, ref.label, types=ref.types), 0.0),))


def _evidence(refs: Sequence[EvidenceRef]) -> Evidence:
    triplets = tuple(_triplet(ref) for ref in refs if ref.kind == "triplet")
    passages = tuple(Passage(r.id, "", Source(r.source), as_of=r.as_of) for r in refs if r.kind == "passage")
    return Evidence(triplets, passages)


@_repeated
def _triplet(ref: EvidenceRef) -> Triplet:
    predicate = Node(ref.property, ref.property_label)
    return Triplet(_NOWHERE, predicate, _NOWHERE, id=ref.id, source=ref.source, as_of=ref.as_of)


_NOWHERE = Node("", "")
