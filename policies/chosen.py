"""Which policy is for which request, and how the files behind them may change while the server runs.

`PolicySet` is frozen: the policies of one or several files in order. The first that matches a request and is no shadow is
the active one; shadow policies that match stand beside it, decide on the same reports and are recorded apart.
`Watched` gives the current set; a file that has become broken never replaces a good one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from guardrail.errors import GuardrailError, KnowledgeError, PolicyError
from policies.classes import Classes
from policies.languages import tags
from policies.policy import PRESETS, load_all
from policies.terms import Policy, Request

__all__ = ["PolicySet", "Watched", "joined", "load_set"]


@dataclass(frozen=True, slots=True)
class PolicySet:
    """Policies in the order in which they are tried."""

    policies: tuple[Policy, ...]

    def active(self, request: Request) -> Policy | None:
        """The policy that is carried out: the first match that is no shadow, or else the first match; None: no match.

        A request that accepts several languages is first seen as one in the language that it wants most.
        """
        matching = [
            policy for one in _by_language(request) for policy in self.policies if one in policy.match
        ]
        return next((policy for policy in matching if not policy.shadow), matching[0] if matching else None)

    def possible(self, request: Request) -> tuple[Policy, ...]:
        """Those of which one would be active if it were known for which model and at which path it asks; in order."""
        found = []
        for one, policy in ((one, policy) for one in _by_language(request) for policy in self.policies):
            known = replace(policy.match, model=(), route=())
            if one in known and not policy.shadow:
                found.append(policy)
                if known == policy.match:
                    return tuple(found)
        active = self.active(request)
        return tuple(found) if found or active is None else (active,)

    def beside(self, request: Request) -> tuple[Policy, ...]:
        """The shadow policies that only watch this request."""
        active = self.active(request)
        return tuple(p for p in self.policies if p.shadow and p is not active and request in p.match)

    @property
    def open_ended(self) -> str:
        """What is to be known where a request may match none of the policies; empty where there is one for every request."""
        if any(policy.match.everything for policy in self.policies):
            return ""
        return "a request that matches no policy is not checked and leaves no record; a last policy without `match` would take it"

    def named(self, name: str) -> Policy | None:
        return next((policy for policy in self.policies if policy.name == name), None)


def _by_language(request: Request) -> list[Request]:
    """The request as one in each of the languages that it accepts, the most wanted first."""
    return [replace(request, language=tag) for tag in tags(request.language)]


def load_set(sources: Iterable[str | Path], classes: Classes | None = None) -> PolicySet:
    """The policies of presets and files, in order. Raises PolicyError.

    Names are unique over all sources, and no policy may stand behind one that takes every request from it.
    """
    return joined((str(source), load_all(source, classes)) for source in sources)


def joined(parts: Iterable[tuple[str, Sequence[Policy]]]) -> PolicySet:
    """Policies by the name of where they come from, in order, as one set. Raises PolicyError as `load_set`."""
    found: list[Policy] = []
    for source, policies in parts:
        for policy in policies:
            if any(policy.name == other.name for other in found):
                raise PolicyError(f"a second policy `{policy.name}`", file=source, key="name")
            catcher = next((o.name for o in found if o.match.everything and not o.shadow), None)
            if catcher and not policy.shadow:
                raise PolicyError(
                    f"`{policy.name}` is never reached: `{catcher}` before it has no `match` and takes every request",
                    file=source,
                    key="match",
                )
            found.append(policy)
    return PolicySet(tuple(found))


class Watched:
    """The policies of some files, read again when one of them changes. Thread-safe.

    `current` looks at the files at most every `interval` seconds, by time stamp and size; it costs a few microseconds
    otherwise. `problem` tells why the last change was not taken up, empty when it was.
    """

    def __init__(
        self,
        sources: Sequence[str | Path],
        *,
        classes: Classes | None = None,
        interval: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[PolicySet], None] = lambda _: None,
        on_problem: Callable[[GuardrailError], None] = lambda _: None,
    ) -> None:
        """Raises PolicyError: a server does not start on a broken policy. KnowledgeError where its classes cannot be asked for."""
        self._sources, self._interval, self._clock = tuple(sources), interval, clock
        self._classes = classes
        self._on_change, self._on_problem = on_change, on_problem
        self._lock = threading.Lock()
        self._seen = self._stamps()
        self._set = load_set(self._sources, self._classes)
        self._next = clock() + interval
        self.problem = ""

    @property
    def current(self) -> PolicySet:
        """The last good set."""
        if self._clock() >= self._next and self._lock.acquire(blocking=False):
            try:
                self._next = self._clock() + self._interval
                self._look()
            finally:
                self._lock.release()
        return self._set

    def _look(self) -> None:
        stamps = self._stamps()
        if stamps == self._seen:
            return
        self._seen = stamps
        try:
            fresh = load_set(self._sources, self._classes)
        except (PolicyError, KnowledgeError) as error:
            self.problem = str(error)
            self._on_problem(error)
            return
        self.problem = ""
        if fresh != self._set:
            self._set = fresh
            self._on_change(fresh)

    def _stamps(self) -> tuple[tuple[int, int, int] | None, ...]:
        return tuple(_stamp(Path(source)) for source in self._sources if source not in PRESETS)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
