"""What another policy would have done: the answers of the audit log, decided again.

Replay is exact (see `guardrail.audit.replay`): a record holds all that a policy can look at, also when its words are
erased. One pass, flat memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from guardrail.audit.record import Record
from guardrail.audit.replay import report
from policies.chosen import PolicySet
from policies.decide import Decision, decide
from policies.terms import Action, Request

__all__ = ["Backtest", "Change", "backtest"]

EXAMPLES = 5  # per kind of change


@dataclass(frozen=True, slots=True)
class Change:
    """One answer that would have been treated differently. `rules`: those that ask for the new action."""

    record: str
    model: str
    before: str
    after: str
    rules: tuple[str, ...]
    claims: tuple[int, ...]


@dataclass(slots=True)
class Backtest:
    """Counts of answers by (before, after), of the changed ones by model and rule, and a few examples of each kind."""

    answers: int = 0
    changed: int = 0
    unmatched: int = 0
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    flagged_before: int = 0
    flagged_after: int = 0
    examples: dict[tuple[str, str], list[Change]] = field(default_factory=dict)

    def add(self, record: Record, decision: Decision) -> None:
        after = decision.action.value
        before = Action.PASS.value if record.shadow else record.action
        self.answers += 1
        self.moves[before, after] += 1
        self.flagged_before += len(record.flagged)
        self.flagged_after += len(decision.flagged)
        if (before, record.flagged) == (after, decision.flagged):
            return
        self.changed += 1
        rules = _rules(record, decision)
        self.models[record.model] += 1
        self.rules.update(rules)
        kept = self.examples.setdefault((before, after), [])
        if len(kept) < EXAMPLES:
            kept.append(Change(record.id, record.model, before, after, rules, decision.flagged))


def backtest(policies: PolicySet, records: Iterable[Record]) -> Backtest:
    """Decide every answer again with the policy that would have been active for its request."""
    found = Backtest()
    for record in records:
        request = Request(record.model, record.route, record.key, record.tenant, record.language)
        policy = policies.active(request)
        if policy is None:
            found.unmatched += 1
            continue
        found.add(
            record, decide(policy, report(record), language=record.language or "en", again=record.attempt > 1)
        )
    return found


def _rules(record: Record, decision: Decision) -> tuple[str, ...]:
    """Why the answer is treated differently: the rules behind the new action, or those that no longer hold."""
    after = sorted({cause.rule for cause in decision.reasons if cause.action is decision.action})
    if after:
        return tuple(after)
    return tuple(f"no longer: {rule}" for rule in sorted({cause.rule for cause in record.reasons}))
