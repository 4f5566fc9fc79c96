"""What the server and a verifier process say to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from guardrail.types import Finding, NotChecked, Report, Sentence, Unchecked

__all__ = ["Answer", "Ask", "Known", "Make", "Session", "State", "Verifies"]


class Session(Protocol):
    """`guardrail.verifier.Session`."""

    def check(self, sentence: Sentence, *, deadline: float | None = None) -> tuple[Finding, ...]: ...

    def skip(self, sentence: Sentence, reason: NotChecked, detail: str = "") -> Unchecked: ...

    def resume(self, sentence: Sentence, findings: Sequence[Finding]) -> None: ...

    def report(self, text: str) -> Report: ...


class State(NamedTuple):
    """Of a verifier process: the versions of what judges, what does not work as it should (with the reason), and what it
    measures, by metric name.
    """

    judges: Mapping[str, str]
    trouble: Mapping[str, str]
    measures: Mapping[str, float]


class Verifies(Protocol):
    """What a verifier process opens."""

    def session(self, **given: Any) -> Session: ...

    def state(self) -> State: ...


Make = Callable[[], Verifies]  # opens the verifier in its process; must be picklable


class Known(NamedTuple):
    """A sentence of an answer that was dealt with before. `lost`: no process could check it, so none looks at it again."""

    sentence: Sentence
    findings: tuple[Finding, ...]
    lost: bool = False


class Ask(NamedTuple):
    """What is asked of an answer's session: to check a sentence by `deadline` (monotonic), or to report on a text.

    `opening`: arguments of `Verifier.session`, where this process does not know the session. `known`: the sentences before
    this one, in order, that it has not seen. `closed`: sessions that are over.
    """

    session: int
    work: Sentence | str
    deadline: float | None = None
    opening: Mapping[str, object] | None = None
    known: tuple[Known, ...] = ()
    closed: tuple[int, ...] = ()


class Answer(NamedTuple):
    """`found`: findings or report; None where the check broke, with the kind of error."""

    found: tuple[Finding, ...] | Report | None
    error: str = ""
