"""The process that checks: sentences of many answers in, findings out, for the process that has the event loop.

Questions come over lanes, each answered by a thread of its own. A session belongs to one answer, which asks one thing at a time.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from traceback import format_tb

from guardrail.errors import GuardrailError
from guardrail.types import Finding, NotChecked, Report, Sentence, Unchecked
from proxy.verifiers.messages import Answer, Ask, Known, Make, Session, State, Verifies

__all__ = ["Answering", "serve"]

UNFIT = 2  # the exit code of a process that cannot start
BEAT_S = 0.25  # between two looks whether the state has changed

log = logging.getLogger(__name__)


def serve(make: Make, lanes: Sequence[Connection], control: Connection) -> None:
    """The life of the process: says over `control` that it is ready (empty) or why it is not, then its state whenever that
    changes, and ends when something is said to it there, or nobody is left to say it.
    """
    # A signal for the whole group is for the process that leads: answers are still checked while it ends them.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()
    try:
        verifier = make()
    except Exception as error:  # whatever it is, who starts this process is told
        if not isinstance(error, GuardrailError):
            log.exception("a verifier process cannot start")
        with suppress(OSError):
            control.send(str(error) or type(error).__name__)
        os._exit(UNFIT)
    gc.collect()
    gc.freeze()  # what is loaded is never looked through again
    answering = Answering(verifier)
    for lane in lanes:
        threading.Thread(target=answering.along, args=(lane,), daemon=True).start()
    with suppress(OSError):
        _tell(verifier, control)
    os._exit(0)


def _follow() -> None:
    """Ends this process when the one that leads is gone, even while this one still starts."""
    if (leader := multiprocessing.parent_process()) is not None:
        leader.join()
        os._exit(0)


def _tell(verifier: Verifies, control: Connection) -> None:
    """Until something comes over `control`. Raises OSError when its other end is gone."""
    control.send("")
    told: State | None = None
    while told is None or not control.poll(BEAT_S):
        if (now := verifier.state()) != told:
            control.send(now)
            told = now


@dataclass(slots=True)
class _Open:
    """A session, and the sentences that it has to go through before the next one."""

    session: Session
    behind: deque[Known] = field(default_factory=deque)

    def check(self, sentence: Sentence, deadline: float | None) -> tuple[Finding, ...]:
        if self._caught_up(deadline):
            return self.session.check(sentence, deadline=deadline)
        late = (Unchecked(sentence.span, sentence.text, NotChecked.DEADLINE),)
        self.behind.append(Known(sentence, late))
        return late

    def report(self, text: str) -> Report:
        self._caught_up(None)
        return self.session.report(text)

    def _caught_up(self, deadline: float | None) -> bool:
        while self.behind:
            if deadline is not None and time.monotonic() > deadline:
                return False
            self._go_on(self.behind.popleft())
        return True

    def _go_on(self, known: Known) -> None:
        if not known.lost:
            self.session.resume(known.sentence, known.findings)
            return
        for one in known.findings:
            if isinstance(one, Unchecked):
                self.session.skip(known.sentence, one.reason, one.detail)


class Answering:
    """The sessions of this process."""

    def __init__(self, verifier: Verifies) -> None:
        self._verifier = verifier
        self._sessions: dict[int, _Open] = {}

    def along(self, lane: Connection) -> None:
        with suppress(EOFError, OSError):  # whoever asks has gone, and this process ends
            while True:
                lane.send(self._answer(lane.recv()))

    def _answer(self, asked: Ask) -> Answer:
        for number in asked.closed:
            self._sessions.pop(number, None)
        try:
            return Answer(self._found(asked))
        except Exception as error:  # noqa: BLE001 - whatever breaks in a check, the answer goes on and says so
            # Without the error's message, which may quote the answer.
            log.error("a check broke:\n%s", "".join(format_tb(error.__traceback__)))
            return Answer(None, type(error).__name__)

    def _found(self, asked: Ask) -> tuple[Finding, ...] | Report:
        if asked.opening is not None:
            self._sessions[asked.session] = _Open(self._verifier.session(**asked.opening))
        one = self._sessions[asked.session]
        one.behind.extend(asked.known)
        if isinstance(asked.work, str):
            return one.report(asked.work)
        return one.check(asked.work, asked.deadline)
