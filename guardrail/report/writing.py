"""Verdicts, claims, evidence and whole reports as JSON-ready data: the shapes of docs/wire.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from guardrail.types import (
    Argument,
    Claim,
    Counts,
    Evidence,
    Fact,
    Node,
    Object,
    Passage,
    Report,
    Slot,
    Span,
    Triplet,
    Unchecked,
    Verdict,
)

Json = dict[str, Any]
Offset = Callable[[int], int]


def to_dict(report: Report, *, utf16: bool = False) -> Json:
    """The report as JSON-ready data: the object of docs/wire.md, less what a policy adds to it."""
    at = _utf16(report.text) if utf16 else _same
    return {
        "id": report.id,
        "text": report.text,
        "outcome": report.outcome.value,
        "counts": counts_to_dict(report.counts),
        "kas": round(report.kas, 4),
        "claims": [verdict_to_dict(verdict, at) for verdict in report.verdicts],
        "unchecked": [unchecked_to_dict(item, at) for item in report.unchecked],
        "skipped": [skipped_to_dict(claim, at) for claim in report.skipped],
        "gaps": [[at(gap.start), at(gap.end)] for gap in report.gaps],
        "entities": [
            {
                "id": linked.entity.id,
                "label": linked.entity.label,
                "description": linked.entity.description,
                "url": linked.entity.url,
                "spans": [[at(span.start), at(span.end)] for span in linked.spans],
            }
            for linked in report.entities
        ],
        "timing_ms": {name: round(ms, 3) for name, ms in report.timing_ms.items()},
        "versions": dict(report.versions),
        "setting": report.setting.value,
    }


def _same(offset: int) -> int:
    return offset


def _utf16(text: str) -> Offset:
    """Code-point offset → UTF-16 offset, in one pass over the text."""
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if ord(character) > 0xFFFF else 1))
    return units.__getitem__


def _place(span: Span, at: Offset) -> Json:
    return {"start": at(span.start), "end": at(span.end)}


def counts_to_dict(counts: Counts) -> dict[str, int]:
    """`claims`: all that have a label; then how many have which, and how many passages were not checked."""
    return {"claims": counts.claims, **asdict(counts)}


def verdict_to_dict(verdict: Verdict, at: Offset = _same) -> Json:
    return {
        **claim_to_dict(verdict.claim, at),
        "label": verdict.label.value,
        "confidence": round(verdict.confidence, 4),
        "score": verdict.score,
        "tms": round(verdict.tms, 4),
        "checker": verdict.checker,
        "reason": verdict.reason.value if verdict.reason else None,
        "slot": _slot(verdict.slot, at),
        "slots": [_slot(slot, at) for slot in verdict.slots],
        "rationale": verdict.rationale,
        "evidence": _evidence(verdict.evidence),
        "conflict": verdict.conflict,
        "by_source": [
            {
                "source": one.source.value,
                "label": one.label.value,
                "confidence": round(one.confidence, 4),
                "checker": one.checker,
                "rationale": one.rationale,
                "evidence": _evidence(one.evidence),
            }
            for one in verdict.by_source
        ],
        "revisions": [
            {
                **_place(revision.span, at),
                "replacement": revision.replacement,
                "text": revision.text,
                "source": revision.source,
            }
            for revision in verdict.revisions
        ],
    }


def _evidence(evidence: Evidence) -> Json:
    return {
        "triplets": [triplet_to_dict(triplet) for triplet in evidence.triplets],
        "passages": [passage_to_dict(passage) for passage in evidence.passages],
        "unread": list(evidence.unread),
    }


def claim_to_dict(claim: Claim, at: Offset = _same) -> Json:
    """A claim without a verdict."""
    return {
        "id": claim.id,
        **_place(claim.span, at),
        "text": claim.text,
        "resolved": claim.resolved,
        "kind": claim.kind.value,
        "facts": [_fact(fact, at) for fact in claim.facts],
        "entities": _entities(claim),
    }


def _entities(claim: Claim) -> list[Json]:
    """What the claim and its facts are about, with the ids of their classes: enough for a policy to decide again."""
    mentions = [*claim.mentions]
    for fact in claim.facts:
        mentions += [*fact.subject.mentions, *fact.object.mentions]
    found = {mention.entity.id: mention.entity for mention in mentions if mention.entity}
    return [{"id": one.id, "label": one.label, "types": list(one.types)} for one in found.values()]


def unchecked_to_dict(item: Unchecked, at: Offset = _same) -> Json:
    return {
        **_place(item.span, at),
        "text": item.text,
        "reason": item.reason.value,
        "detail": item.detail,
    }


def skipped_to_dict(claim: Claim, at: Offset = _same) -> Json:
    return {
        **_place(claim.span, at),
        "text": claim.text,
        "kind": claim.kind.value,
    }


def _slot(slot: Slot | None, at: Offset) -> Json | None:
    if slot is None:
        return None
    return {
        "property": slot.property,
        "claimed": slot.claimed,
        "known": slot.known,
        "cardinality": slot.cardinality,
        "state": slot.state,
        **(_place(slot.span, at) if slot.span else {"start": None, "end": None}),
        "fact": slot.fact,
        "answers": slot.answers,
        **({"type": slot.type} if slot.type else {}),
    }


def _argument(argument: Argument, at: Offset) -> Json:
    found: Json = {"text": argument.text, "start": None, "end": None}
    if argument.span:
        found |= _place(argument.span, at)
    if argument.mention and argument.mention.entity:
        found["entity"] = argument.mention.entity.id
    if argument.value:
        found["value"] = _object(argument.value)
    return found


def _fact(fact: Fact, at: Offset) -> Json:
    return {
        "subject": _argument(fact.subject, at),
        "predicate": fact.predicate,
        "object": _argument(fact.object, at),
        "relations": list(fact.relations),
        "object_type": fact.object_type,
        "attributes": [{"name": a.name, **_argument(a.object, at)} for a in fact.attributes],
        "question": fact.question,
        "negated": fact.negated,
    }


def _object(value: Object) -> Json:
    if isinstance(value, Node):
        return {"id": value.id, "label": value.label}
    found: Json = {"label": value.label, "value": value.value, "datatype": value.datatype}
    if value.precision is not None:
        found["precision"] = value.precision
    if value.unit is not None:
        found["unit"] = {"id": value.unit.id, "label": value.unit.label}
    for name in ("calendar", "lower", "upper", "language"):
        if getattr(value, name):
            found[name] = getattr(value, name)
    return found


def triplet_to_dict(triplet: Triplet) -> Json:
    return {
        "id": triplet.id,
        "subject": {"id": triplet.subject.id, "label": triplet.subject.label},
        "predicate": {"id": triplet.predicate.id, "label": triplet.predicate.label},
        "object": _object(triplet.object),
        "qualifiers": [
            {"predicate": {"id": q.predicate.id, "label": q.predicate.label}, "object": _object(q.object)}
            for q in triplet.qualifiers
        ],
        "source": triplet.source,
        "as_of": triplet.as_of,
        "rank": triplet.rank,
    }


def passage_to_dict(passage: Passage) -> Json:
    return {
        "id": passage.id,
        "text": passage.text,
        "source": passage.source.value,
        "title": passage.title,
        "url": passage.url,
        "message": passage.message,
        **(_place(passage.span, _same) if passage.span else {"start": None, "end": None}),
        "marks": [[mark.start, mark.end] for mark in passage.marks],
        "as_of": passage.as_of,
        "about": passage.about,
    }
