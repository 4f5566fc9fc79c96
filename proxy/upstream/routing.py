"""Chooses among several model servers: by model pattern, with fallbacks, and a circuit breaker for each.

A model is asked of the servers whose pattern it fits, in the order given, then of those for everything. The next one is asked
only while no byte of an answer has come: when a server cannot be reached, or says that it is overloaded or broken (429, 500,
502, 503, 504).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from guardrail.errors import UpstreamError, UpstreamUnreachable
from proxy.upstream.http import Answer, Call, Refused, Upstream

PASSED_OVER = frozenset((429, 500, 502, 503, 504))


@dataclass(slots=True)
class Breaker:
    """Open after `failures` in a row: for `rest` seconds nobody waits for a server that is down; then one may try."""

    failures: int = 5
    rest: float = 10.0
    clock: Callable[[], float] = time.monotonic
    _failed: int = 0
    _until: float = 0.0

    def admits(self) -> bool:
        """After the rest, one request in each further rest: it finds out for all others."""
        if self._failed < self.failures:
            return True
        if self.clock() < self._until:
            return False
        self._until = self.clock() + self.rest
        return True

    def told(self, *, failed: bool) -> None:
        self._failed = self._failed + 1 if failed else 0
        if self._failed >= self.failures:
            self._until = self.clock() + self.rest


@dataclass(slots=True)
class Route:
    """One server and the models it is for, as shell patterns."""

    patterns: tuple[str, ...]
    upstream: Upstream
    breaker: Breaker = field(default_factory=Breaker)

    def fits(self, model: str) -> bool:
        return any(fnmatchcase(model, pattern) for pattern in self.patterns)

    async def ask(self, call: Call, *, instead: bool) -> Answer:
        """`instead`: another server can answer. Where none can, the server's own errors are better than ours: only silence
        opens the breaker. Raises UpstreamError.
        """
        try:
            answer = await self.upstream.send(call)
        except UpstreamError as failed:
            self.breaker.told(failed=instead or isinstance(failed, UpstreamUnreachable))
            raise
        self.breaker.told(failed=instead and answer.status in PASSED_OVER and answer.status != 429)
        return answer


class Routed:
    """Implements `Upstream` over several."""

    def __init__(self, routes: Sequence[Route]) -> None:
        # Patterns before what is for everything, each in the order given.
        self.routes = sorted(routes, key=lambda route: "*" in route.patterns)

    async def open(self) -> None:
        for route in self.routes:
            await route.upstream.open()

    async def close(self) -> None:
        for route in self.routes:
            await route.upstream.close()

    async def send(self, call: Call) -> Answer:
        fitting = [route for route in self.routes if route.fits(call.model)]
        error: UpstreamError = UpstreamUnreachable(_nobody(fitting))
        passed_over: Answer | None = None
        for route in fitting:
            if call.gone or not route.breaker.admits():
                continue
            if passed_over is not None:
                passed_over.close()
                passed_over = None
            try:
                answer = await route.ask(call, instead=len(fitting) > 1)
            except UpstreamError as failed:
                error = failed
                if _may_be_done(call, failed):
                    break
                continue
            if answer.status not in PASSED_OVER:
                return answer
            passed_over = answer
        if passed_over is not None:
            return passed_over
        raise error


def _nobody(fitting: Sequence[Route]) -> str:
    if fitting:
        return "the model server has failed repeatedly and is given a rest"
    return "no model server is set up for this model"


def _may_be_done(call: Call, failed: UpstreamError) -> bool:
    """Whether the server may have done already what it did not answer, and what must not be done twice."""
    return not (isinstance(failed, Refused) or call.repeatable(kept=True))
