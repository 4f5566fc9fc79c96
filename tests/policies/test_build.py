"""From checked values to frozen nouns."""

from __future__ import annotations

import dataclasses

import pytest

from guardrail.types import Kind, Label, Outcome, Reason, Setting, Source
from policies.build import build
from policies.policy import parse
from policies.reader import schema
from policies.template import PLACEHOLDERS
from policies.terms import (
    Action,
    AnswerCondition,
    Audit,
    Block,
    ClaimCondition,
    Hold,
    Match,
    Messages,
    OnUnread,
    Policy,
    Range,
)

EVERYTHING = """
name: all
description: Every key there is.
mode: buffer
shadow: true
deadline_ms: 77
answer_deadline_ms: 88
hold: {sentences: 2, characters: 300, milliseconds: 400}
sources: [corpus, kg, corpus]
setting: accurate
match: {model: m, route: [r, s], key: k, tenant: t, language: l}
claims:
- name: c
  when: {label: attributable, confidence: {min: 0.1}, tms: {below: 0.2}, kind: fact, reason: hedged, slot: text,
         property: p, entity: e, entity_type: y, source: none, checker: x, revisable: false, conflict: true}
  unless: {label: [contradictory]}
  then: block
answer:
- {name: a, when: {kas: {min: 0.3}, outcome: confirmed, count: {claims: {min: 1}}, share: {flagged: {below: 1}}}, then: block}
on_flag: revise
on_no_revision: block
on_regenerated: attach
logprobs: keep
tools: check
beside: withhold
on_error: block
on_timeout: attach
on_no_evidence: annotate
on_unconfirmed: block
on_unread: {language: block, unread: attach}
block: {with: error, finish_reason: content_filter, status: 422}
messages: {en: {block: B, unconfirmed: C, note: N, unchecked: U, heading: H, footer: F}}
audit: {store: full, on_failure: continue, retention_days: 9, redact: false}
"""


def full() -> Policy:
    policies, problems = parse(EVERYTHING, "p.yaml")
    assert not problems
    return policies[0]


def test_every_key_of_the_schema_reaches_the_policy() -> None:
    """A file that sets every key gives a policy in which every field has its value."""
    policy = full()
    rule, answer = policy.claims[0], policy.answer[0]
    assert rule.when == ClaimCondition(
        (Label.ATTRIBUTABLE,), Range(min=0.1), Range(below=0.2), (Kind.FACT,), (Reason.HEDGED,), ("text",),
        ("p",), ("e",), ("y",), ("none",), ("x",), False, True,
    )  # fmt: skip
    assert (rule.name, rule.unless, rule.then) == ("c", ClaimCondition((Label.CONTRADICTORY,)), Action.BLOCK)
    counts, shares = (("claims", Range(min=1)),), (("flagged", Range(below=1)),)
    assert answer.when == AnswerCondition(Range(min=0.3), (Outcome.CONFIRMED,), counts, shares)
    assert policy.match == Match(("m",), ("r", "s"), ("k",), ("t",), ("l",))
    assert (policy.deadline_ms, policy.answer_deadline_ms, policy.hold) == (77, 88, Hold(2, 300, 400))
    assert policy.block == Block("error", "content_filter", 422)
    assert policy.audit == Audit("full", "continue", 9, redact=False)
    assert (policy.sources, policy.setting) == ((Source.CORPUS, Source.KG), Setting.ACCURATE)
    assert policy.words("en") == Messages("B", "C", "N", "U", "H", "F")
    assert (policy.logprobs, policy.tools, policy.beside) == ("keep", "check", "withhold")
    assert policy.on_regenerated is Action.ATTACH
    assert (policy.on_flag, policy.on_no_revision, *policy.fallbacks) == (
        "revise",
        "block",
        "block",
        "attach",
        "annotate",
        "block",
        "block",
        "attach",
        "annotate",
    )


def test_what_is_done_about_unread_text_follows_on_error() -> None:
    """One word holds for all reasons; a reason that is left out goes as errors do, code no further than annotate."""
    words = "mode: buffer\non_error: block\n"
    assert _on_unread(words) == OnUnread(Action.BLOCK, Action.BLOCK, Action.ANNOTATE)
    assert _on_unread("on_error: pass") == OnUnread(Action.PASS, Action.PASS, Action.PASS)
    assert _on_unread(f"{words}on_unread: attach") == OnUnread(Action.ATTACH, Action.ATTACH, Action.ATTACH)
    assert _on_unread(f"{words}on_unread: {{code: block, unread: pass}}") == OnUnread(
        Action.BLOCK, Action.PASS, Action.BLOCK
    )


def _on_unread(text: str) -> OnUnread:
    policies, problems = parse(text, "test.yaml")
    assert not problems
    return policies[0].on_unread


def test_the_test_above_sets_every_key() -> None:
    """A key added to the schema must be added there."""
    keys = {key for key in schema()["properties"] if key != "extends"}
    assert all(f"\n{key}:" in EVERYTHING for key in keys)


def test_defaults_of_the_nouns_are_those_of_the_schema() -> None:
    """What the schema says a missing key means is what it means."""
    policy = build(
        {
            "name": "a",
            "messages": {"en": dict.fromkeys(PLACEHOLDERS, "")},
        }
    )
    for section, noun in (("block", policy.block), ("hold", policy.hold), ("audit", policy.audit)):
        for key, rule in schema()["properties"][section]["properties"].items():
            assert getattr(noun, {"with": "form"}.get(key, key)) == rule["default"]
    assert policy.deadline_ms == schema()["properties"]["deadline_ms"]["default"]


def test_a_policy_cannot_be_altered() -> None:
    """It is frozen, so that its hash stays true."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        full().mode = "observe"  # type: ignore[misc,assignment]
