"""The place of one verifier process: there is always one in it, and a pool of threads asks it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

from guardrail.errors import ConfigError
from guardrail.types import NotChecked
from proxy.judging.place import CheckPlace, session_options
from proxy.judging.pool import SPARE, Pool
from proxy.verifiers.messages import Make, State
from proxy.verifiers.process import LEAVE_S, Away, VerifierProcess
from proxy.verifiers.session import RemoteSession

__all__ = ["Bench"]

YOUNG_S = 5.0  # a process that dies younger is replaced only after a pause
REST_S = 1.0
LONGEST_REST_S = 30.0  # between two attempts to start one that cannot start

log = logging.getLogger(__name__)


class Bench:
    """`threads`: that ask the process at a time. `benches`: all of them, this one included.

    `deaths`: processes that died here; `past`: what they had measured, added up. `problem`: why none can be started; empty:
    one is there, or is being started. `state`: that of the process, or of the last one while there is none.
    """

    def __init__(self, number: int, make: Make, threads: int, benches: Sequence[Bench] = ()) -> None:
        self._number, self._make, self._lanes = number, make, threads + SPARE
        self._benches = benches
        self._changed = threading.Condition()
        self._process: VerifierProcess | None = None
        self._newest: VerifierProcess | None = None
        self._ended = threading.Event()
        self.deaths = 0
        self.past: dict[str, float] = {}
        self.state = State({}, {}, {})
        self.problem = ""
        self.pool: Pool = _Hands(self, threads)
        self.place = CheckPlace(self.pool, lambda exchange: RemoteSession(self, session_options(exchange)))
        self._keeper = threading.Thread(target=self._keep, name=f"verifier_{number}", daemon=True)
        self._keeper.start()

    @property
    def running(self) -> VerifierProcess | None:
        """The process that is there to be asked."""
        return process if (process := self._process) is not None and not process.dead else None

    @property
    def ready(self) -> bool:
        return self.running is not None

    def wait(self) -> None:
        """Until the first process is there. Raises ConfigError where it cannot start."""
        with self._changed:
            self._changed.wait_for(lambda: self.ready or self.problem)
        if self.problem:
            raise ConfigError(f"a verifier process cannot start: {self.problem}")

    def process(self, until: float, *, own: bool = False) -> VerifierProcess:
        """The one that is there now, or by `until` (monotonic); while there is none that of another bench, unless it is to be
        its `own`. Raises Away.
        """
        known = (self,) if own else (self, *self._benches)
        if found := next((process for bench in known if (process := bench.running)), None):
            return found
        with self._changed:
            self._changed.wait_for(lambda: self.ready or self._given_up, max(0.0, until - time.monotonic()))
        if found := self.running:
            return found
        raise Away(NotChecked.ERROR if self._given_up else NotChecked.DEADLINE)

    @property
    def _given_up(self) -> bool:
        """No process is to be waited for."""
        return bool(self.problem) or self._ended.is_set()

    def kill(self) -> None:
        """What the process does takes too long: another takes its place, and all that asked this one goes on there."""
        if (process := self._process) is not None:
            process.kill()

    def leave(self) -> None:
        """Tells the process to end."""
        with self._changed:
            self._ended.set()
            self._changed.notify_all()
            if self._newest is not None:
                self._newest.leave()

    def close(self) -> None:
        """Returns when the process has ended."""
        self.leave()
        self._keeper.join(LEAVE_S)
        if self._keeper.is_alive() and self._newest is not None:
            self._newest.kill()  # it has not even started
            self._keeper.join(LEAVE_S)
        self.pool.close()

    def _keep(self) -> None:
        """In a thread of its own: there is always a process here."""
        pause = REST_S
        while not self._ended.is_set():
            born = time.monotonic()
            try:
                problem = self._live()
            except OSError as error:  # the machine has no room for another process
                problem = error.strerror or str(error)
                self._take(None, problem)
            pause = min(2 * pause, LONGEST_REST_S) if problem else REST_S
            if problem or time.monotonic() - born < YOUNG_S:
                self._ended.wait(pause)

    def _live(self) -> str:
        """A process from its start to its end; why it could not start."""
        process = self._newest = VerifierProcess(self._make, self._lanes)
        if self._ended.is_set():
            process.leave()
        problem = process.began()
        self._take(None if problem else process, problem)
        if not problem:
            for self.state in process.states():
                pass
            self._take(None, "")
        process.end()
        if not problem and not self._ended.is_set():
            self._died()
        return problem

    def _died(self) -> None:
        log.error("verifier process %d died; a new one is started", self._number)
        self.deaths += 1
        for name, value in self.state.measures.items():
            self.past[name] = self.past.get(name, 0.0) + value

    def _take(self, process: VerifierProcess | None, problem: str) -> None:
        if problem and not self._ended.is_set():
            log.error("verifier process %d cannot start: %s", self._number, problem)
        with self._changed:
            self._process, self.problem = process, problem
            self._changed.notify_all()


class _Hands(Pool):
    """The threads that ask a process. They compute little, so they need not give way to the event loop."""

    def __init__(self, bench: Bench, threads: int) -> None:
        super().__init__(threads)
        self._bench = bench

    def give_way(self) -> None:
        return

    def replace(self) -> None:
        self._bench.kill()
        super().replace()
