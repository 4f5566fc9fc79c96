"""Opens what checks answers, as the settings say: in threads of this process, or in processes beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from guardrail.config import judging_model
from guardrail.models.place import place
from proxy.judging.place import Checks, InThreads, measures_of, trouble_of
from proxy.judging.pool import Pool
from proxy.server.logs import set_up
from proxy.settings import Settings, cores
from proxy.verifiers.messages import Make, Session, State
from proxy.verifiers.verifiers import Verifiers

if TYPE_CHECKING:
    from guardrail.verifier import Verifier

__all__ = ["open_checks", "open_in_process", "open_verifier", "threads"]

WAITING = 16  # threads that check at least, where a model on a server is waited for


def threads(settings: Settings, *, on_server: bool) -> int:
    """How many check: one that waits for a model on a server checks nothing meanwhile."""
    return max(settings.workers, WAITING) if on_server else settings.workers


def open_verifier(settings: Settings) -> Verifier:
    """The verifier of the server's own process. Where other processes check, it reads and asks no model."""
    if settings.verifiers:
        return _opened(settings, model="embedded")
    verifier = _reviewed(settings, _opened(settings, model=settings.model))
    verifier.warm()
    return verifier


def open_checks(settings: Settings, verifier: Verifier, pool: Pool, make: Make | None = None) -> Checks:
    """`verifier`: of this process, with its threads in `pool`. `make`: opens that of another process; None: as the settings say.

    Raises ConfigError where a process cannot start.
    """
    if not settings.verifiers:
        return InThreads(verifier, pool)
    named = judging_model()[0] if settings.model is None else settings.model
    verifiers = Verifiers(
        settings.verifiers,
        make or partial(open_in_process, settings),
        threads=threads(settings, on_server=place(named).on_server),
    )
    verifiers.wait()
    return verifiers


def open_in_process(settings: Settings) -> InProcess:
    """In a verifier process: what it checks with, ready for its first sentence. Raises GuardrailError."""
    set_up(settings.log_format)
    share = max(1, cores() // settings.verifiers)
    verifier = _reviewed(settings, _opened(settings, model=settings.model, threads=share))
    verifier.warm()
    return InProcess(verifier)


@dataclass(frozen=True, slots=True)
class InProcess:
    """Implements `proxy.verifiers.messages.Verifies`."""

    verifier: Verifier

    def session(self, **given: Any) -> Session:
        return self.verifier.session(**given)

    def state(self) -> State:
        return State(self.verifier.judges(), trouble_of(self.verifier), measures_of(self.verifier))


def _opened(settings: Settings, *, model: str | None, threads: int | None = None) -> Verifier:
    from guardrail.verifier import Verifier  # the largest import of all: not paid where a test brings its own

    return Verifier.open(settings.knowledge, recognizer=settings.recognizer, model=model, threads=threads)


def _reviewed(settings: Settings, verifier: Verifier) -> Verifier:
    if settings.reviewer is None:
        return verifier
    from guardrail.review import open_reviewer

    return verifier.reviewed_by(open_reviewer(settings.reviewer))
