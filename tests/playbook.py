"""Tests of the machines without I/O: events in, commands out, written one under the other.

    book = Playbook(machine)
    book >> Data(b"…")          an event goes in …
    book << Send(b"…")          … and this is what comes out, in this order and nothing else
    book.done()

`drive` plays a whole exchange instead: it performs the commands with a real `Judge`, in an order that a seed chooses.
"""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from guardrail.errors import AuditError
from policies.terms import Mode, Policy, Request
from proxy.judging.judge import Judge
from proxy.relay.loop import Machine
from proxy.stream.events import (
    Audit,
    Command,
    Data,
    Drop,
    Ended,
    Event,
    Finish,
    Left,
    PassOver,
    Read,
    ReadOn,
    Recorded,
    Refuse,
    Send,
    Summarise,
    Verify,
)
from proxy.stream.exchange import Exchange, mode_of
from tests.fakes import FakeVerifier


class Playbook:
    """`>>` hands in an event, `<<` names the next command; a function in a command's place is asked about it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.pending: deque[Command] = deque()

    def __rshift__(self, event: Event) -> Playbook:
        assert not self.pending, f"not expected: {list(self.pending)}"
        self.pending.extend(self.machine.receive(event))
        return self

    def __lshift__(self, expected: Command | Callable[[Command], bool]) -> Playbook:
        assert self.pending, f"nothing came; expected {expected}"
        command = self.pending.popleft()
        if callable(expected):
            assert expected(command), f"unexpected: {command}"
        else:
            assert command == expected
        return self

    def take(self) -> Command:
        """The next command, to be looked at."""
        return self.pending.popleft()

    def done(self) -> None:
        assert not self.pending, f"not expected: {list(self.pending)}"


@dataclass
class Played:
    """What came of an exchange: the bytes sent, in pieces; refusals; records asked for; whether it was finished."""

    sent: list[bytes] = field(default_factory=list)
    refused: list[Refuse] = field(default_factory=list)
    audits: list[Audit] = field(default_factory=list)
    finished: int = 0
    before_record: list[int] = field(
        default_factory=list
    )  # bytes sent when a record was asked for, and became durable

    def note(self, command: Command) -> None:
        match command:
            case Send(data):
                self.sent.append(data)
            case Refuse():
                self.refused.append(command)
            case Finish():
                self.finished += 1
            case Audit():
                self.audits.append(command)

    @property
    def wire(self) -> bytes:
        return b"".join(self.sent)


def drive(
    machine: Machine,
    events: Iterable[Event],
    policy: Policy,
    *,
    stream: bool = True,
    json: bool = False,
    seed: int = 0,
    verifier: FakeVerifier | None = None,
    audit_fails: bool = False,
) -> Played:
    """Plays an exchange: what comes in and what workers finish are mixed by `seed`; each choice's jobs stay in order."""
    mode = mode_of(policy, json=json) if stream else Mode.BUFFER
    exchange = Exchange(policy=policy, request=Request(), mode=mode, stream=stream, json=json)
    model = verifier or FakeVerifier()
    dice, played = random.Random(seed), Played()
    incoming = deque(events)
    strands: dict[int, deque[Callable[[], Event]]] = {}
    judges: dict[int, Judge] = {}
    records: deque[Event] = deque()
    error = AuditError("the disk is full") if audit_fails else None

    def perform(commands: list[Command]) -> None:
        for command in commands:
            played.note(command)
            match command:
                case Audit():
                    records.append(Recorded(error))
                case PassOver():
                    perform(machine.receive(judges[command.choice].overdue(command)))
                case ReadOn():
                    perform(machine.receive(Read()))
                case Drop():
                    strands[command.choice].clear()
                case Verify() | Summarise():
                    judge = judges.setdefault(command.choice, Judge(exchange, lambda _: model.session()))
                    strands.setdefault(command.choice, deque()).append(_job(judge, command))

    while incoming or any(strands.values()) or records:
        ready = [queue for queue in (incoming, records, *strands.values()) if queue]
        queue = dice.choice(ready)
        item = queue.popleft()
        event = item() if callable(item) else item
        if isinstance(event, Left):
            for jobs in strands.values():
                jobs.clear()
        perform(machine.receive(event))
    return played


def _job(judge: Judge, command: Verify | Summarise) -> Callable[[], Event]:
    if isinstance(command, Verify):
        return lambda: judge.judge(command, float("inf"))
    return lambda: judge.report(command)


def cut(wire: bytes, edges: Iterable[int]) -> list[Event]:
    """The bytes as Data events, cut at `edges`, and the end."""
    marks = sorted({0, len(wire), *(edge for edge in edges if 0 < edge < len(wire))})
    return [*(Data(wire[a:b]) for a, b in itertools.pairwise(marks)), Ended()]
