"""What a stream knows of one choice: its text, what is withheld of it, and the verdicts on their way to the client."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from policies.decide import Action, Decision
from policies.terms import Policy
from proxy.draft import Draft
from proxy.events import Judged, Reported
from proxy.release import Withheld
from proxy.surface import Delivered


@dataclass(slots=True)
class Step:
    """A judged sentence on its way to the client; `ready` when its audit record is durable or not needed."""

    judged: Judged
    ready: bool


@dataclass(slots=True)
class Choice:
    """`line`: judged sentences that are not released yet. `parts`: how many of them needed a record of their own.

    `stopped`: the upstream has said all of it. `asked`: its report was asked for. `delivered`: the client has its end.
    """

    draft: Draft
    withheld: Withheld
    line: deque[Step] = field(default_factory=deque)
    parts: int = 0
    stopped: bool = False
    asked: bool = False
    delivered: bool = False
    blocked: Decision | None = None
    report: Reported | None = None

    def block(self, decision: Decision, *, with_error: bool) -> bytes:
        """Nothing more of the text will be shown; gives the words that take its place, if any."""
        self.blocked = decision
        self.line.clear()
        self.withheld.drop()
        return b"" if with_error else self.withheld.say(decision.message)

    def rest(self, report: Reported, *, with_error: bool) -> bytes:
        """In `buffer`: the text as the decision on the whole wants it."""
        if report.decision.visible is Action.BLOCK:
            return self.block(report.decision, with_error=with_error)
        return self.withheld.release(len(self.draft), report.edits)

    def section(self) -> bytes:
        """What the decision writes under the text."""
        report = self.report
        if report and report.section and self.blocked is None and not report.decision.shadow:
            return self.withheld.say(report.section)
        return b""

    def outcome(self, policy: Policy, *, withheld: bool) -> Delivered:
        """What became of the text, for the events behind it."""
        text = "".join(self.withheld.delivered) if withheld else self.draft.text
        stop = policy.block.finish_reason if self.blocked else None
        return Delivered(text, text != self.draft.text, stop)
