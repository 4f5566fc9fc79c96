"""The state of one choice of a stream: its text, what is held back of it, and the verdicts on their way to the client."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from policies.decide import Action, Decision
from policies.terms import Policy
from proxy.stream.draft import Draft
from proxy.stream.events import Judged, Reported
from proxy.stream.release import Withheld
from proxy.wire.surface import Delivered, Surface


@dataclass(slots=True)
class Step:
    """A judged sentence on its way to the client; `ready` when its audit record is durable or not needed."""

    judged: Judged
    ready: bool


class Line:
    """Judged sentences in the order of the text. `block`: the place of the first that ends the answer."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque()
        self.block: int | None = None

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, place: int) -> Step:
        return self._steps[place]

    def append(self, step: Step) -> None:
        if self.block is None and _blocks(step):
            self.block = len(self._steps)
        self._steps.append(step)

    def popleft(self) -> Step:
        step = self._steps.popleft()
        if self.block:
            self.block -= 1
        elif self.block == 0:
            self.block = next((at for at, one in enumerate(self._steps) if _blocks(one)), None)
        return step

    def clear(self) -> None:
        self._steps.clear()
        self.block = None


def _blocks(step: Step) -> bool:
    return step.judged.decision.visible is Action.BLOCK


@dataclass(slots=True)
class Choice:
    """`line`: judged sentences that are not released yet. `parts`: how many of them needed a record of their own.

    `overdue`: before this offset nothing may wait any longer.

    `call`: it is no text, but the arguments of a tool call.

    `told`: what an event has last told all of it to be.

    `stopped`: the upstream has said all of it. `asked`: its report was asked for. `delivered`: the client has its end.
    """

    draft: Draft
    withheld: Withheld
    call: bool = False
    line: Line = field(default_factory=Line)
    parts: int = 0
    overdue: int = 0
    told: str = ""
    stopped: bool = False
    asked: bool = False
    delivered: bool = False
    blocked: Decision | None = None
    report: Reported | None = None

    @classmethod
    def begin(
        cls, index: int, surface: Surface, policy: Policy, *, json: bool = False, call: bool = False
    ) -> Choice:
        """Nothing of it was heard yet. `json`: the text is to be JSON, as arguments always are."""
        withheld = Withheld(index, surface, logprobs=policy.logprobs == "keep")
        return cls(Draft(json=json or call), withheld, call)

    def unheard(self, text: str, *, strict: bool) -> str:
        """What is new in an event that tells all of `text`; `strict`: the event will be rewritten where it differs."""
        if not text or text == self.told:
            return ""
        self.told = text
        # What was heard is put together only for an event that is as long itself.
        if len(text) >= len(self.draft) and text.startswith(heard := self.draft.text):
            return text[len(heard) :]
        return "" if strict else f"\n\n{text}"

    @property
    def ends_all(self) -> bool:
        """A call that is blocked: the answer is told as an error, as no message can stand in its place."""
        return self.call and self.report is not None and self.report.decision.visible is Action.BLOCK

    def due(self, window: int) -> bool:
        """The first in line may go: it needs no record any more, and so many behind it are judged, or none will come."""
        if not self.line or not self.line[0].ready:
            return False
        if (end := self.line.block) is not None:
            return end >= window
        late = self.line[0].judged.sentence.span.start < self.overdue
        return late or len(self.line) >= window or self.draft.settled

    def blocking(self, window: int) -> Step | None:
        """The judged sentence that ends the answer here: the first in line stands in one window with it."""
        end = self.line.block
        return self.line[end] if end is not None and end < window and self.line[end].ready else None

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
        if self.call:
            return Delivered(self.draft.text)
        text = "".join(self.withheld.delivered) if withheld else self.draft.text
        stop = policy.block.finish_reason if self.blocked else None
        keep = self.withheld.logprobs and stop is None
        return Delivered(text, text != self.draft.text, stop, keep)
