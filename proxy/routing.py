"""Several model servers behind one: by model pattern, with others to fall back on, and a breaker before each.

`--upstream https://a/v1 --upstream 'gpt-*=https://b/v1' --upstream 'gpt-*=https://c/v1'`: a model is asked of the servers whose
pattern it fits, in the order given, then of those without a pattern. The next one is asked only while no byte of an answer has
come: when a server cannot be reached, or says that it is overloaded or broken (429, 500, 502, 503, 504).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from guardrail.errors import UpstreamError, UpstreamUnreachable
from proxy.upstream import Answer, Call, Upstream

PASSED_OVER = frozenset((429, 500, 502, 503, 504))


@dataclass(slots=True)
class Breaker:
    """Open after `failures` in a row: for `rest` seconds nobody waits for a server that is down; then one may try."""

    failures: int = 5
    rest: float = 10.0
    clock: Callable[[], float] = time.monotonic
    _failed: int = 0
    _until: float = 0.0

    @property
    def open(self) -> bool:
        return self._failed >= self.failures and self.clock() < self._until

    def told(self, *, failed: bool) -> None:
        self._failed = self._failed + 1 if failed else 0
        if self._failed >= self.failures:
            self._until = self.clock() + self.rest


@dataclass(slots=True)
class Route:
    """One server and the models it is for."""

    pattern: str
    upstream: Upstream
    breaker: Breaker = field(default_factory=Breaker)


class Routed:
    """Implements `Upstream` over several."""

    def __init__(self, routes: Sequence[Route]) -> None:
        # Patterns before what is for everything, each in the order given.
        self._routes = sorted(routes, key=lambda route: route.pattern == "*")

    async def open(self) -> None:
        for route in self._routes:
            await route.upstream.open()

    async def close(self) -> None:
        for route in self._routes:
            await route.upstream.close()

    async def send(self, call: Call) -> Answer:
        fitting = [route for route in self._routes if fnmatchcase(call.model, route.pattern)]
        ready = [route for route in fitting if not route.breaker.open]
        error: UpstreamError = UpstreamUnreachable(
            "the model server has failed repeatedly and is given a rest"
            if fitting
            else "no model server is set up for this model"
        )
        for route in ready:
            try:
                answer = await route.upstream.send(call)
            except UpstreamError as failed:
                route.breaker.told(failed=True)
                error = failed
                continue
            failed_status = answer.status in PASSED_OVER
            route.breaker.told(failed=failed_status and answer.status != 429)
            if failed_status and route is not ready[-1]:
                answer.close()
                continue
            return answer
        raise error


def split(option: str) -> tuple[str, str]:
    """`PATTERN=URL` or `URL` as (pattern, URL); a URL's own `=` stands behind its `://`."""
    head, equals, url = option.partition("=")
    return (head, url) if equals and "://" not in head else ("*", option)
