"""All the verifier processes of a server.

An answer's session stays with one process, and a pool of threads of its own asks each process, so that everything about turns,
deadlines and load is as with checks in threads. A process that dies is replaced: its answers go on in another one, from what was
found so far. A sentence at which two processes died is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from multiprocessing.util import Finalize

from guardrail.errors import ConfigError
from guardrail.telemetry import names
from proxy.judging.place import CheckPlace
from proxy.verifiers.bench import Bench
from proxy.verifiers.messages import Make, State

__all__ = ["Verifiers"]

_AWAY = (names.MODEL_AWAY, names.REVIEWER_CACHE_AWAY)  # 1 where it is so for one of the processes
_SHARES = (names.REVIEWER_SAVED,)


class Verifiers:
    """Implements `proxy.judging.place.Checks`: `count` processes, each with what `make` opens. `threads`: that ask each of
    them at a time.
    """

    def __init__(self, count: int, make: Make, *, threads: int = 1) -> None:
        """They begin to start; `wait` for them."""
        self._benches: list[Bench] = []
        self._benches += (Bench(number, make, threads, self._benches) for number in range(count))
        self._next = 0
        # Before multiprocessing waits for its processes at the end of this one, however that comes.
        self.close = Finalize(self, _close, (self._benches,), exitpriority=0)

    def wait(self) -> None:
        """Until all are there. Raises ConfigError with the reason when one of them cannot start, and then ends all."""
        try:
            for bench in self._benches:
                bench.wait()
        except ConfigError:
            self.close()
            raise

    def place(self) -> CheckPlace:
        return self.bench().place

    def bench(self) -> Bench:
        """The one with the least to do among those whose process is there; in turn where several have as little."""
        self._next += 1
        order = [self._benches[(self._next + at) % len(self._benches)] for at in range(len(self._benches))]
        return min(order, key=lambda one: (not one.ready, one.pool.waiting))

    def judges(self) -> Mapping[str, str]:
        """As a process tells them in which something does not work as it should; else as any of them does."""
        states = [bench.state for bench in self._benches]
        return next((one.judges for one in states if any(one.trouble.values())), states[0].judges)

    def trouble(self) -> Mapping[str, str]:
        away = sum(not bench.ready for bench in self._benches)
        told = f"{away} of {len(self._benches)} verifier processes are not running" if away else ""
        found = {"checks": told}
        for state in self._states():
            found |= {what: why for what, why in state.trouble.items() if why}
        return found

    def lost(self) -> str:
        problems = [bench.problem for bench in self._benches]
        return f"no verifier process can start: {problems[0]}" if all(problems) else ""

    def measures(self) -> Mapping[str, float]:
        """What is counted in them, of those that died, too, and how many there are."""
        running = [state.measures for state in self._states()]
        return {
            **_together(running, [bench.past for bench in self._benches]),
            names.VERIFIERS_RUNNING: sum(bench.ready for bench in self._benches),
            names.VERIFIERS_DIED: sum(bench.deaths for bench in self._benches),
        }

    def _states(self) -> list[State]:
        return [bench.state for bench in self._benches if bench.ready]


def _close(benches: Sequence[Bench]) -> None:
    """Ends all processes."""
    for bench in benches:
        bench.leave()
    for bench in benches:
        bench.close()


def _together(
    running: Sequence[Mapping[str, float]], past: Sequence[Mapping[str, float]]
) -> dict[str, float]:
    """Of the processes that run: what is away is so for one of them, a share is their mean. What is counted is the sum of all."""
    found: dict[str, float] = {}
    for name in {name for one in running for name in one}:
        now = [one[name] for one in running if name in one]
        if name in _AWAY:
            found[name] = max(now)
        elif name in _SHARES:
            found[name] = sum(now) / len(now)
        else:
            found[name] = sum(now) + sum(one.get(name, 0.0) for one in past)
    return found
