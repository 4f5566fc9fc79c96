"""An answer's session that a verifier process has; it goes on in another one when that process dies."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from typing import Protocol

from guardrail.types import Finding, NotChecked, Report, Sentence, Unchecked
from proxy.verifiers.messages import Ask, Known
from proxy.verifiers.process import Away, Died, VerifierProcess

__all__ = ["Processes", "RemoteSession"]

ATTEMPTS = 2  # processes that one sentence may cost
AWAY_S = 10.0  # seconds for which a question without a deadline waits for a process that is being replaced
UNKNOWN = -1  # a process does not know a session

_numbers = itertools.count()


class Processes(Protocol):
    """Where a session finds a process."""

    def process(self, until: float, *, own: bool = False) -> VerifierProcess: ...


class RemoteSession:
    """As `guardrail.verifier.Session`, in a process of `processes`. Not thread-safe.

    `opening`: arguments of `Verifier.session`; nothing is asked before the first sentence.
    """

    def __init__(self, processes: Processes, opening: Mapping[str, object]) -> None:
        self._processes, self._opening = processes, opening
        self._number = next(_numbers)
        self._known: list[Known] = []
        self._process: VerifierProcess | None = None  # the last one that was asked
        self._told = UNKNOWN  # how many of `_known` it has seen

    def __del__(self) -> None:
        if self._process is not None:
            self._process.forget(self._number)

    def check(self, sentence: Sentence, *, deadline: float | None = None) -> tuple[Finding, ...]:
        """As `Session.check`. Raises RuntimeError where the check itself raised."""
        reason, detail = NotChecked.ERROR, "the processes that checked it died"
        for attempt in range(ATTEMPTS):
            try:
                found = self._ask(sentence, deadline, suspect=attempt > 0)
            except Away as away:
                reason, detail = away.reason, "no verifier process"
                break
            except Died:
                if deadline is not None and time.monotonic() > deadline:
                    reason = NotChecked.DEADLINE
                    break
            else:
                assert isinstance(found, tuple)
                self._known.append(Known(sentence, found))
                self._told = len(self._known)
                return found
        lost = (Unchecked(sentence.span, sentence.text, reason, detail),)
        self._known.append(Known(sentence, lost, lost=True))
        return lost

    def report(self, text: str) -> Report:
        """As `Session.report`. Raises RuntimeError, Died or Away where there is none."""
        try:
            found = self._ask(text, None)
        except Died:
            found = self._ask(text, None, suspect=True)
        assert isinstance(found, Report)
        return found

    def _ask(
        self, work: Sentence | str, deadline: float | None, *, suspect: bool = False
    ) -> tuple[Finding, ...] | Report:
        """`suspect`: a process died of it, so that it must not go to one that checks other answers, too."""
        until = time.monotonic() + AWAY_S if deadline is None else deadline
        process = self._process
        if process is None or process.dead:
            process = self._processes.process(until, own=suspect)
        seen = self._told if process is self._process else UNKNOWN
        opening = self._opening if seen == UNKNOWN else None
        self._process, self._told = process, UNKNOWN
        answer = process.ask(
            Ask(self._number, work, deadline, opening, tuple(self._known[max(seen, 0) :])), until
        )
        if answer.found is None:
            raise RuntimeError(f"{answer.error} in a verifier process")
        self._told = len(self._known)
        return answer.found
