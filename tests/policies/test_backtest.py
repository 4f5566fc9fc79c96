"""Another policy over the answers of the past."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from policies.backtest import EXAMPLES, backtest
from policies.chosen import PolicySet, load_set
from policies.decide import decide
from policies.policy import load, parse
from policies.recording import record
from policies.terms import Request
from tests.findings import BETTER, RIGHT, report, verdict

WRONG = report(verdict(revisions=(BETTER,)), kas=0.1)
UNSURE = report(verdict(confidence=0.55), kas=0.4)
FINE = report(verdict(**RIGHT), kas=0.9)


def recorded(policy_name: str, *answers: object, model: str = "demo"):  # type: ignore[no-untyped-def]
    policy = load(policy_name)
    for number, whole in enumerate(answers):
        made = record(policy, whole, decide(policy, whole), response=f"grd_{number}", request=Request(model))  # type: ignore[arg-type]
        yield replace(made, words=None)


def test_the_policy_of_the_records_changes_nothing() -> None:
    """Replay is exact."""
    found = backtest(load_set(["revise"]), recorded("revise", WRONG, UNSURE, FINE))
    assert (found.answers, found.changed, found.flagged_before, found.flagged_after) == (3, 0, 2, 2)
    assert dict(found.moves) == {("revise", "revise"): 1, ("attach", "attach"): 1, ("pass", "pass"): 1}


def test_what_would_have_changed_is_counted_by_action_model_and_rule() -> None:
    """With examples that can be looked up."""
    found = backtest(load_set(["block"]), recorded("annotate", WRONG, UNSURE, FINE))
    assert dict(found.moves) == {("annotate", "block"): 2, ("pass", "pass"): 1}
    assert (found.changed, dict(found.models)) == (2, {"demo": 2})
    assert dict(found.rules) == {"contradicted": 2, "low score": 1}
    assert [change.record for change in found.examples["annotate", "block"]] == ["grd_0", "grd_1"]


def test_what_is_no_longer_flagged_is_a_change_too() -> None:
    """A stricter threshold lets answers pass, and the rule that held before is named."""
    policies, _ = parse("claims: [{name: sure, when: {confidence: {min: 0.95}}}]", "p.yaml")
    found = backtest(PolicySet(policies), recorded("annotate", WRONG))
    assert dict(found.moves) == {("annotate", "pass"): 1}
    assert dict(found.rules) == {"no longer: contradicted": 1}


def test_what_a_shadow_decided_was_not_done() -> None:
    """Recorded under a shadow policy, the client saw a pass; a shadow policy that is tried is taken at its word."""
    found = backtest(load_set(["shadow"]), recorded("shadow", WRONG))
    assert dict(found.moves) == {("pass", "revise"): 1}


def test_each_answer_is_decided_by_the_policy_for_its_request(tmp_path: Path) -> None:
    """Sets of policies are tried as sets; what none matches is counted apart."""
    (tmp_path / "p.yaml").write_text("name: a\nmode: hold\nmatch: {model: 'gpt*'}\non_flag: block")
    policies = load_set([tmp_path / "p.yaml"])
    found = backtest(policies, [*recorded("annotate", WRONG, model="gpt-9"), *recorded("annotate", WRONG)])
    assert (found.answers, found.unmatched, dict(found.models)) == (1, 1, {"gpt-9": 1})


def test_examples_stay_few() -> None:
    """Memory does not grow with the log."""
    found = backtest(load_set(["block"]), recorded("annotate", *[WRONG] * 50))
    assert (found.changed, len(found.examples["annotate", "block"])) == (50, EXAMPLES)
