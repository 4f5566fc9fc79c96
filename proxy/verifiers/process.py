"""One verifier process, as the server sees it."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from queue import Empty, SimpleQueue

from guardrail.types import NotChecked
from proxy.verifiers.child import serve
from proxy.verifiers.messages import Answer, Ask, Make, State

__all__ = ["Away", "Died", "VerifierProcess"]

LEAVE_S = 2.0  # seconds for a process to end by itself

_context = multiprocessing.get_context("spawn")
_starting = threading.Lock()  # multiprocessing keeps a list of the processes that it has started


class Died(Exception):
    """The process ended before it answered."""


class Away(Exception):
    """No process is there to ask; `reason`: what that makes of a sentence."""

    def __init__(self, reason: NotChecked) -> None:
        super().__init__(reason.value)
        self.reason = reason


class VerifierProcess:
    """`lanes`: questions that it answers at a time. Raises OSError where it cannot be made."""

    def __init__(self, make: Make, lanes: int) -> None:
        pairs = [_context.Pipe() for _ in range(lanes)]
        self._control, control = _context.Pipe()
        theirs = [there for _, there in pairs]
        self._process = _context.Process(target=serve, args=(make, theirs, control), daemon=True)
        with _starting:
            self._process.start()
        for one in (*theirs, control):
            one.close()
        self._lanes: SimpleQueue[Connection] = SimpleQueue()
        for here, _ in pairs:
            self._lanes.put(here)
        self._closed: deque[int] = deque()
        self.dead = False  # as far as anybody has noticed

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def began(self) -> str:
        """Waits until it is ready; otherwise the reason why it is not."""
        try:
            return str(self._control.recv())
        except (EOFError, OSError):
            return "it ended while it started"

    def states(self) -> Iterator[State]:
        """Each state that it tells, until it has ended."""
        with suppress(EOFError, OSError):
            while True:
                yield self._control.recv()
        wait([self._process.sentinel])
        self.dead = True

    def ask(self, asked: Ask, until: float) -> Answer:
        """Raises Died, and Away when all lanes are taken until then (monotonic)."""
        try:
            lane = self._lanes.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            raise Away(NotChecked.DEADLINE) from None
        try:
            lane.send(asked._replace(closed=self._forgotten()))
            answer: Answer = lane.recv()
        except (EOFError, OSError) as error:
            self.dead = True
            raise Died from error
        finally:
            self._lanes.put(lane)
        return answer

    def forget(self, session: int) -> None:
        """Tells the process with the next question that a session is over."""
        self._closed.append(session)

    def _forgotten(self) -> tuple[int, ...]:
        found = []
        with suppress(IndexError):
            while True:
                found.append(self._closed.popleft())
        return tuple(found)

    def kill(self) -> None:
        self._process.kill()

    def leave(self) -> None:
        """Asks it to end, which it does at once."""
        with suppress(OSError):
            self._control.send(None)

    def end(self) -> None:
        self.leave()
        if not wait([self._process.sentinel], LEAVE_S):
            self._process.kill()
        with _starting:
            self._process.join()
