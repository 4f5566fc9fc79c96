"""Reports and their parts out of the JSON that `writing` makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from guardrail.types import (
    Argument,
    Attribute,
    Candidate,
    Claim,
    Entity,
    Evidence,
    Fact,
    Kind,
    Label,
    Linked,
    Mention,
    Node,
    NotChecked,
    Object,
    Passage,
    Qualifier,
    Reason,
    Report,
    Revision,
    Setting,
    Slot,
    Source,
    SourceVerdict,
    Span,
    Triplet,
    Unchecked,
    Value,
    Verdict,
)


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
            setting=Setting(data.get("setting", Setting.ZERO)),
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
    return Verdict(
        claim=_claim_from(data),
        label=Label(data["label"]),
        confidence=data["confidence"],
        evidence=_evidence_from(data["evidence"]),
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
        by_source=tuple(
            SourceVerdict(
                Source(item["source"]),
                Label(item["label"]),
                item["confidence"],
                _evidence_from(item["evidence"]),
                item["rationale"],
                item["checker"],
            )
            for item in data.get("by_source", ())
        ),
    )


def _claim_from(data: Mapping[str, Any]) -> Claim:
    known = {
        item["id"]: Entity(item["id"], item["label"], types=tuple(item["types"]))
        for item in data.get("entities", ())
    }
    return Claim(
        id=data["id"],
        span=_span(data),
        text=data["text"],
        resolved=data["resolved"],
        facts=tuple(_fact_from(item, known) for item in data["facts"]),
        mentions=tuple(_mention(one, _span(data), data["text"]) for one in known.values()),
        kind=Kind(data["kind"]),
    )


def _mention(entity: Entity, span: Span, text: str) -> Mention:
    """The words of a mention are not in the JSON form: it stands for all that it is part of."""
    return Mention(span, text, (Candidate(entity, 0.0),))


def _evidence_from(data: Mapping[str, Any]) -> Evidence:
    return Evidence(
        triplets=tuple(triplet_from_dict(item) for item in data["triplets"]),
        passages=tuple(passage_from_dict(item) for item in data["passages"]),
        unread=tuple(data.get("unread", ())),
    )


def _slot_from(data: Mapping[str, Any] | None) -> Slot | None:
    if data is None:
        return None
    plain = {name: data[name] for name in ("property", "claimed", "known", "cardinality", "state")}
    numbers = {name: data.get(name, 0) for name in ("fact", "answers")}
    return replace(Slot(**plain, **numbers), span=_maybe_span(data), type=data.get("type", ""))


def _fact_from(data: Mapping[str, Any], known: Mapping[str, Entity]) -> Fact:
    attributes = (Attribute(item["name"], _argument_from(item, known)) for item in data["attributes"])
    return Fact(
        subject=_argument_from(data["subject"], known),
        predicate=data["predicate"],
        object=_argument_from(data["object"], known),
        attributes=tuple(attributes),
        relations=tuple(data.get("relations", ())),
        object_type=data.get("object_type", ""),
        question=data["question"],
        negated=data["negated"],
    )


def _argument_from(data: Mapping[str, Any], known: Mapping[str, Entity]) -> Argument:
    span, text, named = _maybe_span(data), data["text"], data.get("entity")
    entity = known.get(named) or Entity(named, text) if named else None
    value = object_from_dict(data["value"]) if "value" in data else None
    return Argument(
        text,
        span,
        (_mention(entity, span or Span(0, 0), text),) if entity else (),
        value if isinstance(value, Value) else None,
    )


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
        about=data.get("about", ""),
    )
