"""A client may ask for more than the operator's policy does, never for less."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from policies.policy import PRESETS, load, load_all
from policies.strictness import at_least, strictest, weaker
from policies.terms import Policy

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples" / "policies").glob("*.yaml"))
STRICTER = {
    "shadow": ("shadow", "annotate", "attach", "revise", "block"),
    "annotate": ("shadow", "annotate", "attach", "revise", "block"),
    "attach": ("attach", "revise", "block"),
    "revise": ("revise", "block"),
    "block": ("block",),
}


def written(tmp_path: Path, text: str) -> Policy:
    path = tmp_path / "p.yaml"
    path.write_text(f"name: p\n{text}\n")
    return load(path)


@pytest.mark.parametrize(("asked", "than"), list(product(PRESETS, PRESETS)))
def test_presets_are_in_order(asked: str, than: str) -> None:
    """Findings beside the text keep nothing from a client; from attach on each preset does more than the one before."""
    assert at_least(load(asked), load(than)) is (asked in STRICTER[than])


@pytest.mark.parametrize(
    "change",
    [
        "shadow: true",
        "on_error: annotate",
        "on_timeout: pass",
        "on_flag: regenerate\non_regenerated: annotate",
        "claims: []",
        "claims: [{name: a, when: {label: contradictory, confidence: {min: 0.9}}}]",
        "claims: [{name: a, when: {label: contradictory, property: P36}}]",
        "claims: [{name: a, when: {label: contradictory}, unless: {kind: hedged}}]",
        "claims: [{name: a, when: {label: contradictory}, then: attach}]",
        "answer: []",
        "sources: [request, kg, corpus, web]",
        "sources: [kg, request]",
        "tools: pass",
        "beside: pass",
        "audit: {store: hash}",
        "audit: {redact: false}",
        "audit: {on_failure: continue}",
        "audit: {retention_days: 1}",
    ],
)
def test_what_does_less_in_one_thing_is_not_as_strict(tmp_path: Path, change: str) -> None:
    """One key is enough."""
    assert not at_least(written(tmp_path, f"extends: block\n{change}"), load("block"))


@pytest.mark.parametrize(
    "change",
    [
        "on_no_evidence: block",
        "on_unconfirmed: block",
        "claims: [{name: all, when: {label: [contradictory, extrapolatory], confidence: {min: 0.3}}}]",
        "audit: {store: full}",
        "sources: [kg, corpus, web]",
    ],
)
def test_what_does_more_is_as_strict(tmp_path: Path, change: str) -> None:
    """And the other way round it is not."""
    mine = written(tmp_path, f"extends: block\n{change}")
    assert at_least(mine, load("block"))
    assert not at_least(load("block"), mine) or change.startswith("sources")


@pytest.mark.parametrize("change", ["tools: check", "beside: withhold"])
def test_what_reads_or_withholds_more_beside_the_text_is_stricter(tmp_path: Path, change: str) -> None:
    """Calls that are checked, and words beside the answer that are not shown."""
    mine = written(tmp_path, f"extends: revise\n{change}")
    assert at_least(mine, load("revise"))
    assert not at_least(load("revise"), mine)


def test_a_smaller_window_is_not_as_strict(tmp_path: Path) -> None:
    """What is shown earlier cannot be taken back."""
    wide = written(tmp_path, "extends: attach\nhold: {sentences: 3}")
    assert at_least(wide, load("attach"))
    assert not at_least(load("attach"), wide)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_every_policy_is_as_strict_as_itself(example: Path) -> None:
    """Whatever it says."""
    for policy in load_all(example):
        assert at_least(policy, policy)


def test_the_strictest_waits_longest_and_acts_most() -> None:
    """Of all presets it is block."""
    assert strictest(map(load, PRESETS)).name == "block"
    assert strictest(map(load, ("shadow", "attach", "revise"))).name == "revise"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("mode: hold", "it holds text back less long"),
        ("claims: []", "it does less about some claims"),
        ("audit: {store: hash}", "it records less"),
        ("description: other", ""),
    ],
)
def test_what_makes_a_policy_weaker_is_said(tmp_path: Path, change: str, said: str) -> None:
    """The first thing; nothing where there is none."""
    text = f"extends: block\nanswer: []\n{change}"
    assert weaker(written(tmp_path, text), written(tmp_path, "extends: block\nanswer: []")) == said
