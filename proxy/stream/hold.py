"""Decides which judged sentences are released: in order, as far as the window allows, up to one that ends the answer."""

from __future__ import annotations

from policies.decide import Decision
from policies.terms import Mode, Policy
from proxy.stream.choice import Choice
from proxy.stream.events import Judged
from proxy.stream.outbox import Outbox
from proxy.wire.surface import Surface


class Holding:
    """One stream's; `box` is where its text goes."""

    def __init__(self, surface: Surface, policy: Policy, *, mode: Mode, box: Outbox) -> None:
        self._surface = surface
        self._policy = policy
        self._mode = mode
        self._box = box

    def release(self, index: int, choice: Choice) -> Decision | None:
        """In `hold`: everything in the line that is ready, then what belongs to no sentence.

        Returns the decision that ends the answer here, where one does.
        """
        if self._mode is not Mode.HOLD or choice.blocked is not None or choice.call:
            return None
        window = self._policy.hold.sentences
        while not (blocking := choice.blocking(window)) and choice.due(window):
            judged = choice.line.popleft().judged
            edits = () if judged.decision.shadow else judged.edits
            self._box.send(choice.withheld.release(judged.sentence.span.end, edits), text=True)
            self.progress(index, choice, judged)
        if blocking:
            self._box.send(choice.withheld.release(choice.line[0].judged.sentence.span.start))
            return blocking.judged.decision
        if not choice.line:
            self._box.send(choice.withheld.release(choice.draft.checked))
        return None

    def progress(self, index: int, choice: Choice, judged: Judged) -> None:
        """Tells the verdicts on a sentence."""
        if not self._policy.shadow and self._policy.report != "none":
            self._box.send(self._surface.progress(index, choice.draft.checked, judged.claims))
