"""The nouns of a policy."""

from __future__ import annotations

import pytest

from policies.policy import load
from policies.terms import Action, Match, OnUnread, Request


def test_actions_are_ordered_by_strength() -> None:
    """Pass is weakest, block strongest, and only revise, regenerate and block need text that was not shown."""
    assert sorted(Action, key=lambda action: action.strength) == [
        "pass",
        "annotate",
        "attach",
        "revise",
        "regenerate",
        "block",
    ]
    assert [action for action in Action if action.withholds] == [
        Action.REVISE,
        Action.REGENERATE,
        Action.BLOCK,
    ]


@pytest.mark.parametrize(
    ("match", "inside"),
    [
        (Match(), True),
        (Match(model=("gpt-*",)), True),
        (Match(model=("GPT-4O*", "x")), True),
        (Match(model=("claude*",)), False),
        (Match(model=("gpt-*",), tenant=("clinic",)), True),
        (Match(model=("gpt-*",), tenant=("bank",)), False),
        (Match(route=("/v1/*",), key=("k?",), language=("d?",)), True),
        (Match(language=("en",)), False),
    ],
)
def test_a_match_needs_all_its_keys_and_one_pattern_of_each(match: Match, inside: bool) -> None:
    """Patterns are shell patterns without regard to case."""
    request = Request("gpt-4o-mini", "/v1/chat/completions", "k1", "clinic", "de")
    assert (request in match) is inside


def test_only_a_match_without_patterns_is_for_everything() -> None:
    """`everything` is what the last policy of a set needs to be."""
    assert Match().everything
    assert not Match(key=("*",)).everything


@pytest.mark.parametrize(
    ("preset", "strongest"),
    [("annotate", "annotate"), ("attach", "attach"), ("revise", "revise"), ("block", "block")],
)
def test_the_strongest_action_of_a_policy_counts_all_its_rules(preset: str, strongest: str) -> None:
    """It tells whether the policy may ever withhold text."""
    assert load(preset).strongest == strongest


def test_code_goes_no_further_than_annotate_by_default() -> None:
    """An answer that is asked for code is not withheld for it."""
    assert OnUnread.like(Action.BLOCK) == OnUnread(Action.BLOCK, Action.BLOCK, Action.ANNOTATE)
    assert OnUnread.like(Action.PASS) == OnUnread(Action.PASS, Action.PASS, Action.PASS)
