"""One request and everything that belongs to it, as a single object."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Protocol

from guardrail.telemetry import Begun
from guardrail.types import Passage, Setting, Source, Triplet
from policies.terms import Action, Mode, Policy, Request


def new_id() -> str:
    return f"grd_{secrets.token_hex(12)}"


def mode_of(policy: Policy, *, json: bool = False) -> Mode:
    """How a stream is let go. Half a JSON text is none, so where a block may cut it off it waits for the whole."""
    if policy.shadow:
        return Mode.OBSERVE
    cut = json and policy.mode is Mode.HOLD and policy.strongest is Action.BLOCK
    return Mode.BUFFER if cut else policy.mode


def keeps_tail(policy: Policy, mode: Mode) -> bool:
    """Whether what follows the text waits. Footnotes stand before the finish reason, so where they may come even `observe` keeps
    that back.
    """
    return mode is not Mode.OBSERVE or policy.strongest is Action.ATTACH


class Guarded(Protocol):
    """What of a surface depends on the policy."""

    strict: bool
    withholds: bool
    keeps_reports: bool


def prepare(surface: Guarded, policy: Policy, *, json: bool = False) -> None:
    """Tells a surface what to do about what cannot be read, and about words beside the answer.

    Reports of another guardrail hold words of the answer: where text is held they are not kept, whatever the server is told.
    """
    surface.strict = mode_of(policy, json=json) is not Mode.OBSERVE
    surface.withholds = surface.strict and policy.withholds_beside
    surface.keeps_reports = surface.keeps_reports and not surface.strict


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request: what was asked, the evidence that came with it, and the policy that it runs under."""

    policy: Policy
    request: Request  # what policies are chosen by
    mode: Mode  # how the answer is let go; a whole answer is always `buffer`
    stream: bool = False  # it was asked to come in events
    json: bool = False  # it was asked to be JSON
    attempt: int = 1  # 2 when the model was asked once more
    server: tuple[str, int | None] = ("", None)  # host and port of the upstream that answered
    begun: Begun | None = field(default=None, compare=False)  # the open span of the call
    question: str = ""  # the last words of the user
    references: tuple[Passage, ...] = ()
    triplets: tuple[Triplet, ...] = ()
    sources: tuple[Source, ...] | None = (
        None  # those that the request wants used; None: all that the policy allows
    )
    setting: Setting | None = None  # what it says its references are; None: what their number shows
    unread: str = ""  # what of the request's own documents was not read, and why; empty: all were
    user: str = ""
    beside: tuple[Policy, ...] = ()  # shadow policies that decide, too, and are recorded apart
    traceparent: str = ""  # the client's W3C trace context
    id: str = field(default_factory=new_id)
    started: float = field(default_factory=time.monotonic)
    # Milliseconds by stage, filled while it is answered: first byte, upstream, queue.
    stages_ms: dict[str, float] = field(default_factory=dict, compare=False)

    def spent(self, stage: str, seconds: float) -> None:
        """Adds to where the time of this answer went."""
        self.stages_ms[stage] = self.stages_ms.get(stage, 0.0) + seconds * 1e3
