"""The log in numbers, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from guardrail.audit.record import Record

__all__ = ["Stats", "stats"]


@dataclass(slots=True)
class Stats:
    """How many answers of which outcome, action, policy, model and so on; claims by label; what was not checked."""

    answers: int = 0
    first: str = ""
    last: str = ""
    kas: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    policies: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[str] = field(default_factory=Counter)
    shadows: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        self.answers += 1
        self.first = min(self.first or record.time, record.time)
        self.last = max(self.last, record.time)
        self.kas += (record.kas - self.kas) / self.answers  # running mean
        self.outcomes[record.outcome] += 1
        self.actions[record.action + (" (shadow)" if record.shadow else "")] += 1
        self.policies[f"{record.policy} {record.policy_hash[:15]}"] += 1
        self.models[record.model] += 1
        self.labels.update(claim.label for claim in record.claims)
        self.reasons.update(claim.reason for claim in record.claims if claim.reason)
        self.rules.update(cause.rule for cause in record.reasons)
        self.unchecked.update(gap.reason for gap in record.unchecked)
        self.shadows.update(f"{shadow.policy}: {shadow.action}" for shadow in record.shadows)

    def tables(self) -> Mapping[str, Counter[str]]:
        """Every count by its name, for printing."""
        return {
            "outcome": self.outcomes,
            "action": self.actions,
            "policy": self.policies,
            "model": self.models,
            "label": self.labels,
            "reason": self.reasons,
            "rule": self.rules,
            "not checked": self.unchecked,
            "shadow policy": self.shadows,
        }


def stats(records: Iterable[Record]) -> Stats:
    """Counts over all records."""
    found = Stats()
    for record in records:
        found.add(record)
    return found
