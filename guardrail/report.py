"""`Report` ↔ JSON: one shape on the wire, in the CLI's `--json` and in the audit log.

Fields may be added, never renamed. Offsets are Unicode code points; `utf16=True` gives UTF-16 code units for browsers.
`from_dict(to_dict(report))` gives a report that decides, scores and prints the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from guardrail.types import (
    Argument,
    Attribute,
    Claim,
    Entity,
    Evidence,
    Fact,
    Kind,
    Label,
    Linked,
    Node,
    NotChecked,
    Object,
    Passage,
    Qualifier,
    Reason,
    Report,
    Revision,
    Slot,
    Source,
    Span,
    Triplet,
    Unchecked,
    Value,
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
    }


def _same(offset: int) -> int:
    return offset


def _utf16(text: str) -> Offset:
    """Code-point offset → UTF-16 offset, in one pass over the text."""
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if ord(character) > 0xFFFF else 1))
    return units.__getitem__


def verdict_to_dict(verdict: Verdict, at: Offset = _same) -> Json:
    claim = verdict.claim
    return {
        "id": claim.id,
        "start": at(claim.span.start),
        "end": at(claim.span.end),
        "text": claim.text,
        "resolved": claim.resolved,
        "kind": claim.kind.value,
        "label": verdict.label.value,
        "confidence": round(verdict.confidence, 4),
        "score": verdict.score,
        "tms": round(verdict.tms, 4),
        "checker": verdict.checker,
        "reason": verdict.reason.value if verdict.reason else None,
        "slot": _slot(verdict.slot, at),
        "slots": [_slot(slot, at) for slot in verdict.slots],
        "rationale": verdict.rationale,
        "facts": [_fact(fact, at) for fact in claim.facts],
        "evidence": {
            "triplets": [triplet_to_dict(triplet) for triplet in verdict.evidence.triplets],
            "passages": [passage_to_dict(passage) for passage in verdict.evidence.passages],
            "unread": list(verdict.evidence.unread),
        },
        "revisions": [
            {
                "start": at(revision.span.start),
                "end": at(revision.span.end),
                "replacement": revision.replacement,
                "text": revision.text,
                "source": revision.source,
            }
            for revision in verdict.revisions
        ],
    }


def claim_to_dict(claim: Claim, at: Offset = _same) -> Json:
    """A claim without a verdict."""
    return {
        "id": claim.id,
        "start": at(claim.span.start),
        "end": at(claim.span.end),
        "text": claim.text,
        "resolved": claim.resolved,
        "kind": claim.kind.value,
        "facts": [_fact(fact, at) for fact in claim.facts],
    }


def unchecked_to_dict(item: Unchecked, at: Offset = _same) -> Json:
    return {
        "start": at(item.span.start),
        "end": at(item.span.end),
        "text": item.text,
        "reason": item.reason.value,
        "detail": item.detail,
    }


def skipped_to_dict(claim: Claim, at: Offset = _same) -> Json:
    return {
        "start": at(claim.span.start),
        "end": at(claim.span.end),
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
        "start": at(slot.span.start) if slot.span else None,
        "end": at(slot.span.end) if slot.span else None,
        "fact": slot.fact,
        "answers": slot.answers,
    }


def _argument(argument: Argument, at: Offset) -> Json:
    found: Json = {"text": argument.text, "start": None, "end": None}
    if argument.span:
        found |= {"start": at(argument.span.start), "end": at(argument.span.end)}
    if argument.mention and argument.mention.entity:
        found["entity"] = argument.mention.entity.id
    return found


def _fact(fact: Fact, at: Offset) -> Json:
    return {
        "subject": _argument(fact.subject, at),
        "predicate": fact.predicate,
        "object": _argument(fact.object, at),
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
        "start": passage.span.start if passage.span else None,
        "end": passage.span.end if passage.span else None,
        "marks": [[mark.start, mark.end] for mark in passage.marks],
        "as_of": passage.as_of,
    }


# ── and back ──────────────────────────────────────────────────────────────────────────────────────────


def from_dict(data: Mapping[str, Any]) -> Report:
    """The report that `to_dict` wrote (code points). Raises ValueError with the field's name when it is no report."""
    try:
        return Report(
            text=data["text"],
            verdicts=tuple(_verdict_from(item) for item in data["claims"]),
            unchecked=tuple(
                Unchecked(_span(item), item["text"], NotChecked(item["reason"]), item.get("detail", ""))
                for item in data.get("unchecked", ())
            ),
            skipped=tuple(
                Claim(-1, _span(item), item["text"], item["text"], kind=Kind(item["kind"]))
                for item in data.get("skipped", ())
            ),
            gaps=tuple(Span(start, end) for start, end in data.get("gaps", ())),
            entities=tuple(_linked_from(item) for item in data.get("entities", ())),
            kas=data["kas"],
            timing_ms=dict(data.get("timing_ms", {})),
            versions=dict(data.get("versions", {})),
            id=data.get("id", ""),
        )
    except KeyError as error:
        raise ValueError(f"not a report: no {error.args[0]!r}") from error
    except TypeError as error:
        raise ValueError(f"not a report: {error}") from error


def _span(data: Mapping[str, Any]) -> Span:
    return Span(data["start"], data["end"])


def _maybe_span(data: Mapping[str, Any]) -> Span | None:
    return None if data.get("start") is None else _span(data)


def _linked_from(data: Mapping[str, Any]) -> Linked:
    entity = Entity(data["id"], data["label"], data.get("description", ""), url=data.get("url"))
    return Linked(entity, tuple(Span(start, end) for start, end in data["spans"]))


def _verdict_from(data: Mapping[str, Any]) -> Verdict:
    claim = Claim(
        id=data["id"],
        span=_span(data),
        text=data["text"],
        resolved=data["resolved"],
        facts=tuple(_fact_from(item) for item in data["facts"]),
        kind=Kind(data["kind"]),
    )
    evidence = data["evidence"]
    return Verdict(
        claim=claim,
        label=Label(data["label"]),
        confidence=data["confidence"],
        evidence=Evidence(
            triplets=tuple(triplet_from_dict(item) for item in evidence["triplets"]),
            passages=tuple(passage_from_dict(item) for item in evidence["passages"]),
            unread=tuple(evidence.get("unread", ())),
        ),
        rationale=data["rationale"],
        checker=data["checker"],
        slot=_slot_from(data.get("slot")),
        reason=Reason(data["reason"]) if data.get("reason") else None,
        tms=data["tms"],
        score=data["score"],
        revisions=tuple(
            Revision(_span(item), item["replacement"], item["text"], item.get("source", ""))
            for item in data["revisions"]
        ),
        slots=tuple(slot for item in data.get("slots", ()) if (slot := _slot_from(item))),
    )


def _slot_from(data: Mapping[str, Any] | None) -> Slot | None:
    if data is None:
        return None
    plain = {name: data[name] for name in ("property", "claimed", "known", "cardinality", "state")}
    numbers = {name: data.get(name, 0) for name in ("fact", "answers")}
    return replace(Slot(**plain, **numbers), span=_maybe_span(data))


def _fact_from(data: Mapping[str, Any]) -> Fact:
    return Fact(
        subject=_argument_from(data["subject"]),
        predicate=data["predicate"],
        object=_argument_from(data["object"]),
        attributes=tuple(Attribute(item["name"], _argument_from(item)) for item in data["attributes"]),
        question=data["question"],
        negated=data["negated"],
    )


def _argument_from(data: Mapping[str, Any]) -> Argument:
    return Argument(data["text"], _maybe_span(data))


def _node(data: Mapping[str, Any]) -> Node:
    return Node(data["id"], data["label"])


def object_from_dict(data: Mapping[str, Any]) -> Object:
    if "datatype" not in data:
        return _node(data)
    return Value(
        label=data["label"],
        value=data["value"],
        datatype=data["datatype"],
        precision=data.get("precision"),
        calendar=data.get("calendar", ""),
        unit=_node(data["unit"]) if data.get("unit") else None,
        lower=data.get("lower"),
        upper=data.get("upper"),
        language=data.get("language", ""),
    )


def triplet_from_dict(data: Mapping[str, Any]) -> Triplet:
    return Triplet(
        subject=_node(data["subject"]),
        predicate=_node(data["predicate"]),
        object=object_from_dict(data["object"]),
        qualifiers=tuple(
            Qualifier(_node(item["predicate"]), object_from_dict(item["object"]))
            for item in data.get("qualifiers", ())
        ),
        id=data.get("id", ""),
        source=data.get("source", ""),
        as_of=data.get("as_of", ""),
        rank=data.get("rank", "normal"),
    )


def passage_from_dict(data: Mapping[str, Any]) -> Passage:
    return Passage(
        id=data["id"],
        text=data["text"],
        source=Source(data["source"]),
        title=data.get("title", ""),
        url=data.get("url"),
        message=data.get("message"),
        span=_maybe_span(data),
        marks=tuple(Span(start, end) for start, end in data.get("marks", ())),
        as_of=data.get("as_of", ""),
    )
