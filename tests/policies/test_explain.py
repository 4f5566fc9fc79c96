"""Policies in plain sentences."""

from __future__ import annotations

import pytest

from policies.explain import explain
from policies.policy import PRESETS, load, parse
from policies.terms import Policy


def policy(text: str) -> Policy:
    policies, problems = parse(text, "mine.yaml")
    assert problems == []
    return policies[0]


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("annotate", "Text passes at once"),
        ("attach", "Each sentence is held back until checked"),
        ("revise", "its wrong words are replaced by a verified correction"),
        ("block", "the answer is withheld"),
        ("shadow", "the client sees no difference"),
    ],
)
def test_each_preset_says_what_it_does(preset: str, said: str) -> None:
    """In the words that tell it from the others."""
    assert said in " ".join(explain(load(preset)))


def test_every_sentence_ends_and_says_something() -> None:
    """No empty part is left in any of the presets' sentences."""
    for preset in PRESETS:
        for sentence in explain(load(preset)):
            assert sentence.endswith(".")
            assert "  " not in sentence
            assert " ," not in sentence


def test_each_restriction_of_a_claim_rule_is_said() -> None:
    """Whoever reads the sentence knows what the rule holds of."""
    told = explain(
        policy(
            "mode: hold\nclaims:\n- name: drugs\n  when: {label: contradictory, confidence: {min: 0.3, below: 0.9}, "
            "tms: {min: 0.1}, kind: fact, reason: no_evidence, slot: date, property: dose, entity: Q1, entity_type: Q2, "
            "source: kg, checker: nli, revisable: false, conflict: true}\n  unless: {kind: hedged}\n  then: block\n"
        )
    )
    rule = next(sentence for sentence in told if "drugs" in sentence)
    for words in (
        "contradictory and of kind fact",
        "a confidence of at least 0.3 and below 0.9",
        "a TMS of at least 0.1",
        "the reason no evidence",
        "a slot of type date",
        "the property dose",
        "the entity Q1",
        "an entity of type Q2",
        "evidence from kg",
        "a verdict by nli",
        "no verified correction",
        "sources that disagree",
        "unless it is of kind hedged",
        "the answer is withheld",
    ):
        assert words in rule


def test_answer_rules_requests_and_records_are_said() -> None:
    """Whom it is for, what the whole answer may be, how long words are kept."""
    told = " ".join(
        explain(
            policy(
                "mode: buffer\nmatch: {model: [a*, b], tenant: t}\n"
                "claims: [{name: c, when: {label: contradictory}, then: annotate}]\n"
                "answer: [{name: many, when: {count: {contradictory: {min: 2}}, share: {extrapolatory: {min: 0.5}}}, then: block}]\n"
                "sources: [kg, web]\nsetting: accurate\non_error: block\non_timeout: attach\naudit: {store: hash, retention_days: 30, on_failure: continue}\n"
            )
        )
    )
    for words in (
        "requests with model a* or b and tenant t",
        "a number of contradictory claims of at least 2",
        "a share of extrapolatory claims of at least 0.5",
        "judged by the knowledge graph, then the web. References in a request are taken as accurate.",
        "If a check fails, the answer is withheld",
        "If a check takes longer than 5 s, a note is written",
        "no words, kept for 30 days",
        "sent, marked as not recorded",
    ):
        assert words in told


def test_what_is_held_and_for_how_long_is_said() -> None:
    """The window of mode hold, its limits, and the deadline of the whole answer."""
    told = " ".join(
        explain(
            policy(
                "mode: hold\nhold: {sentences: 3, characters: 500, milliseconds: 1500}\nanswer_deadline_ms: 10000\n"
                "claims: [{name: c, when: {label: contradictory}, then: attach}]\n"
            )
        )
    )
    assert "The last 3 sentences are held back until checked" in told
    assert "longer than 500 characters or held back longer than 1.5 s is sent as not checked" in told
    assert "take longer than 10 s after the model's last word" in told
