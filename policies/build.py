"""From the plain values of a checked document to the frozen nouns of `policies.terms`; defaults are the schema's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from guardrail.types import Kind, Label, Outcome, Reason, Setting, Source
from policies.reader import Json, schema
from policies.terms import (
    Action,
    AnswerCondition,
    AnswerRule,
    Audit,
    Block,
    ClaimCondition,
    ClaimRule,
    Hold,
    Match,
    Messages,
    Mode,
    OnUnread,
    Policy,
    Range,
)

__all__ = ["build"]

Given = Mapping[str, Json]
E = TypeVar("E", Label, Kind, Reason, Outcome, Source)


def build(given: Given) -> Policy:
    """The policy (without its hash) that a document says; it has been checked against the schema."""
    values = _with_defaults(given)
    return Policy(
        name=str(values["name"]),
        description=str(values["description"]),
        mode=Mode(str(values["mode"])),
        shadow=bool(values["shadow"]),
        deadline_ms=int(_number(values["deadline_ms"])),
        answer_deadline_ms=int(_number(values["answer_deadline_ms"])),
        hold=Hold(**_mapping(values.get("hold"))),  # type: ignore[arg-type]  # the schema's keys are the fields
        match=Match(**{key: _words(value) for key, value in _mapping(values.get("match")).items()}),
        claims=tuple(
            _claim_rule(_mapping(rule), index) for index, rule in enumerate(_list(values["claims"]))
        ),
        answer=tuple(
            _answer_rule(_mapping(rule), index) for index, rule in enumerate(_list(values["answer"]))
        ),
        on_flag=Action(str(values["on_flag"])),
        on_no_revision=Action(str(values["on_no_revision"])),
        logprobs="keep" if values["logprobs"] == "keep" else "drop",
        tools="check" if values["tools"] == "check" else "pass",
        beside="withhold" if values["beside"] == "withhold" else "pass",
        on_regenerated=Action(str(values["on_regenerated"])),
        on_error=Action(str(values["on_error"])),
        on_timeout=Action(str(values["on_timeout"])),
        on_no_evidence=Action(str(values["on_no_evidence"])),
        on_unconfirmed=Action(str(values["on_unconfirmed"])),
        on_unread=_on_unread(values.get("on_unread"), Action(str(values["on_error"]))),
        block=_block(_mapping(values.get("block"))),
        messages=_messages(_mapping(values["messages"])),
        audit=_audit(_mapping(values.get("audit"))),
        sources=tuple(dict.fromkeys(_enums(Source, values["sources"]))),
        setting=None if values["setting"] == "detect" else Setting(str(values["setting"])),
    )


def _with_defaults(given: Given) -> dict[str, Json]:
    properties = _mapping(schema()["properties"])
    defaults = {
        key: _mapping(rule)["default"] for key, rule in properties.items() if "default" in _mapping(rule)
    }
    return defaults | dict(given)


def _claim_rule(rule: Given, index: int) -> ClaimRule:
    return ClaimRule(
        name=str(rule.get("name", f"claims[{index}]")),
        when=_claim_condition(_mapping(rule["when"])),
        unless=_claim_condition(_mapping(rule["unless"])) if "unless" in rule else None,
        then=Action(str(rule["then"])) if "then" in rule else None,
    )


def _claim_condition(when: Given) -> ClaimCondition:
    revisable, conflict = when.get("revisable"), when.get("conflict")
    return ClaimCondition(
        label=_enums(Label, when.get("label")),
        confidence=_range(when.get("confidence")),
        tms=_range(when.get("tms")),
        kind=_enums(Kind, when.get("kind")),
        reason=_enums(Reason, when.get("reason")),
        slot=_words(when.get("slot")),  # type: ignore[arg-type]  # the schema allows no other words
        property=_words(when.get("property")),
        entity=_words(when.get("entity")),
        entity_type=_words(when.get("entity_type")),
        source=_words(when.get("source")),
        checker=_words(when.get("checker")),
        revisable=revisable if isinstance(revisable, bool) else None,
        conflict=conflict if isinstance(conflict, bool) else None,
    )


def _answer_rule(rule: Given, index: int) -> AnswerRule:
    return AnswerRule(
        name=str(rule.get("name", f"answer[{index}]")),
        when=_answer_condition(_mapping(rule["when"])),
        unless=_answer_condition(_mapping(rule["unless"])) if "unless" in rule else None,
        then=Action(str(rule["then"])),
    )


def _answer_condition(when: Given) -> AnswerCondition:
    return AnswerCondition(
        kas=_range(when.get("kas")),
        outcome=_enums(Outcome, when.get("outcome")),
        count=tuple((key, _range(value)) for key, value in sorted(_mapping(when.get("count")).items())),
        share=tuple((key, _range(value)) for key, value in sorted(_mapping(when.get("share")).items())),
    )


def _on_unread(given: Json, on_error: Action) -> OnUnread:
    if isinstance(given, str):
        return OnUnread(*3 * (Action(given),))
    return replace(
        OnUnread.like(on_error), **{key: Action(str(value)) for key, value in _mapping(given).items()}
    )


def _block(given: Given) -> Block:
    default = Block()
    return Block(
        form=given.get("with", default.form),  # type: ignore[arg-type]  # as the schema allows
        finish_reason=given.get("finish_reason", default.finish_reason),  # type: ignore[arg-type]
        status=given.get("status", default.status),  # type: ignore[arg-type]
    )


def _audit(given: Given) -> Audit:
    return Audit(**given)  # type: ignore[arg-type]  # the schema's keys are the fields


def _messages(given: Given) -> dict[str, Messages]:
    """Every language complete: what one lacks is taken from English."""
    english = _mapping(given["en"])
    return {tag: Messages(**{**english, **_mapping(words)}) for tag, words in sorted(given.items())}  # type: ignore[arg-type]


def _range(value: Json) -> Range:
    given = _mapping(value)
    low, high = given.get("min"), given.get("below")
    return Range(None if low is None else _number(low), None if high is None else _number(high))


def _enums(kind: type[E], value: Json) -> tuple[E, ...]:
    return tuple(kind(word) for word in _words(value))


def _words(value: Json) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(str(word) for word in value) if isinstance(value, list) else (str(value),)


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _number(value: Json) -> float:
    return value if isinstance(value, int | float) else 0
