"""Carries out the commands of a state machine: bytes to the client, sentences to the workers, records to the log. Nothing else does.

One `Relay` for each guarded answer. Everything it starts ends with it: the client's leaving is seen at once, closes the
upstream, drops what waits for a worker, and what was judged until then is still put on record.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from guardrail.errors import AuditError, UpstreamBroken, UpstreamError
from guardrail.types import NotChecked
from policies.terms import Mode
from proxy.judging.eager import begin
from proxy.judging.judge import Judge
from proxy.judging.place import CheckPlace
from proxy.judging.strand import Strand
from proxy.relay.throttle import Throttle
from proxy.server.asgi import Receive
from proxy.server.asgi import Send as SendMessage
from proxy.stream.draft import LONGEST
from proxy.stream.events import (
    Again,
    Audit,
    Command,
    Data,
    Drop,
    Ended,
    Event,
    Finish,
    Idle,
    Left,
    Overdue,
    PassOver,
    Read,
    ReadOn,
    Recorded,
    Refuse,
    Send,
    Summarise,
    Verify,
)
from proxy.stream.exchange import Exchange
from proxy.upstream.http import Answer
from proxy.wire.headers import NOSNIFF, Failure, Headers

# Seconds for which a worker goes on with the sentences of one answer. Text that is held waits for each of them, what is
# buffered for all, what is observed for none.
TURN_S = {Mode.HOLD: 0.0, Mode.OBSERVE: 0.02, Mode.BUFFER: 0.1}
STOPPED = Left(UpstreamBroken("the proxy ended this answer before it was complete", begun=True))

log = logging.getLogger(__name__)


class _Over(Exception):
    """The answer has ended before the upstream's did."""


class Machine(Protocol):
    """`GuardedStream` or `GuardedAnswer`."""

    def receive(self, event: Event) -> list[Command]: ...


class Auditor(Protocol):
    """Makes records of exchanges durable."""

    async def record(self, exchange: Exchange, command: Audit) -> None:
        """Returns when it is on the disk. Raises AuditError."""
        ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to an answer: what is asked, the machine that guards it, the upstream's answer and headers for the client."""

    exchange: Exchange
    machine: Machine
    answer: Answer
    headers: Headers


AskAgain = Callable[[Exchange, Again], Awaitable[Attempt]]


@dataclass(frozen=True, slots=True)
class Desk:
    """What all relays share. `place`: finds one for a choice. `keep_alive`: seconds of silence before a comment is sent;
    `grace`: to settle after a hang-up.
    """

    place: Callable[[], CheckPlace]
    auditor: Auditor
    keep_alive: float = 10.0
    grace: float = 5.0


class Relay:
    """Carries one answer from the upstream to the client. `ask_again`: gets another, where the policy wants one."""

    def __init__(
        self, desk: Desk, first: Attempt, *, receive: Receive, send: SendMessage, ask_again: AskAgain
    ) -> None:
        self._desk = desk
        self._exchange = first.exchange
        self._machine = first.machine
        self._answer = first.answer
        self._ask_again = ask_again
        self._again: Again | None = None
        self._receive = receive
        self._send = send
        self._strands: dict[int, tuple[Judge, Strand[Event]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: list[asyncio.TimerHandle] = []
        self._finished = asyncio.Event()
        self._throttle = Throttle(first.exchange, self._waiting)
        self._owner: asyncio.Task[Any] | None = None
        self._gone = self._stopped = False
        self._out: list[bytes] = []  # what is to be sent; `_complete`: that is all
        self._complete = False
        self._turn = asyncio.Lock()
        self._begun = self._ending = False
        # A status without content cannot carry an answer, nor the error that says so.
        self._status = 200 if first.answer.status in (204, 205) else first.answer.status
        self._headers: Headers = first.headers
        self._last = time.monotonic()

    async def run(self) -> None:
        """Returns when the client has all, or has gone and all that is left is on record."""
        self._owner = asyncio.current_task()
        watch = asyncio.create_task(self._watch())
        alive = asyncio.create_task(self._keep_alive()) if self._exchange.stream else None
        try:
            await self._carry()
            while self._again is not None:
                await self._start_over(self._again)
                await self._carry()
        except asyncio.CancelledError:
            self._answer.close()
            await self._settle(STOPPED if self._stopped else Left())
            if self._owner is None or not (self._gone or self._stopped):
                raise
            self._owner.uncancel()
        finally:
            self._answer.close()
            self._drop_work()
            watch.cancel()
            if alive is not None:
                alive.cancel()

    async def _carry(self) -> None:
        await self._pump(self._answer)
        await self._finished.wait()

    async def _start_over(self, command: Again) -> None:
        """The same for a second answer; nothing of the first was sent, and its work is done."""
        self._answer.close()
        self._drop_work()
        self._again = None
        self._finished.clear()
        try:
            second = await self._ask_again(self._exchange, command)
        except asyncio.CancelledError:
            self._finished.set()  # there is nothing to settle
            raise
        self._exchange, self._machine, self._answer = second.exchange, second.machine, second.answer
        self._headers = second.headers

    def _drop_work(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        for _, strand in self._strands.values():
            strand.cancel()
        self._strands.clear()
        for task in self._tasks:
            task.cancel()

    async def _pump(self, answer: Answer) -> None:
        error: UpstreamError | None = None
        try:
            await answer.carry(self._take)
        except _Over:
            return
        except UpstreamError as broken:
            error = broken
        self._exchange.spent("upstream", time.monotonic() - self._exchange.started)
        self._remind(self._exchange.policy.answer_deadline_ms, Overdue())
        await self._feed(Ended(error))

    def _take(self, data: bytes) -> Awaitable[None] | None:
        """A piece of the upstream's answer, without a task's turn as long as the client keeps up."""
        if self._finished.is_set():
            raise _Over
        if not self._exchange.stages_ms:
            self._exchange.spent("first byte", time.monotonic() - self._exchange.started)
        if not self._throttle.at_once(data):
            return begin(self._take_in_turn(data))
        self._perform(self._machine.receive(Data(data)))
        return begin(self._flush()) if self._out or self._complete else None

    async def _take_in_turn(self, data: bytes) -> None:
        """As reading is work, a little at a time."""
        for number, piece in enumerate(self._throttle.pieces(data)):
            if number:
                await asyncio.sleep(0)
            self._perform(self._machine.receive(Data(piece)))
            await self._flush()
            await self._throttle.ease(self._finished)

    def _waiting(self) -> Iterable[int]:
        """Of each choice: not what was passed over while its check runs, nor what was dropped."""
        return (min(judge.waiting, strand.waiting) for judge, strand in self._strands.values())

    def stop(self) -> None:
        """Ends the answer where it is, marked and on record."""
        if self._owner is not None and not self._ending:
            self._stopped = True
            self._owner.cancel()

    async def _watch(self) -> None:
        """Waits for the client to hang up."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        if not self._ending and self._owner is not None:
            self._gone = True
            self._owner.cancel()

    async def _keep_alive(self) -> None:
        while True:
            silent = time.monotonic() - self._last
            if silent >= self._desk.keep_alive:
                await self._feed(Idle())
                silent = 0
            await asyncio.sleep(self._desk.keep_alive - silent)

    async def _settle(self, event: Event) -> None:
        """The client has gone or the server stops: put on record what there is, without further checks."""
        for _, strand in self._strands.values():
            strand.clear()
        await self._feed(event)
        try:
            await asyncio.wait_for(self._finished.wait(), self._desk.grace)
        except TimeoutError:
            log.error("exchange %s left no record within %s s", self._exchange.id, self._desk.grace)

    async def _feed(self, *events: Event) -> None:
        """Hands events to the machine and performs what it asks for.

        What starts work comes first and does not wait; bytes gather in the machine's order, although a slow client may keep
        several callers waiting here.
        """
        for event in events:
            self._perform(self._machine.receive(event))
        self._throttle.tell()
        await self._flush()

    def _perform(self, asked: list[Command]) -> None:
        commands = deque(asked)
        while commands:
            match command := commands.popleft():
                case Send():
                    self._out.append(command.data)
                case Verify() | PassOver() | Drop() | Summarise():
                    commands.extend(self._judging(command))
                case ReadOn():
                    self._start(self._read_on())
                case Audit():
                    self._start(self._audit(command))
                case Refuse():
                    self._refuse(command.failure)
                case Again():
                    self._again = command
                    self._finished.set()
                case Finish():
                    self._complete = True

    def _judging(self, command: Verify | PassOver | Drop | Summarise) -> list[Command]:
        """Hands a choice's judge what is asked of it; what is known at once is a command again."""
        judge, strand = self._strand(command.choice)
        match command:
            case Verify():
                self._verify(command, judge, strand)
            case PassOver():
                return self._machine.receive(judge.overdue(command))
            case Drop():
                strand.clear()
            case Summarise():
                short = functools.partial(judge.unreported, command)
                strand.submit(functools.partial(judge.report, command), kept=True, short=short)
        return []

    def _refuse(self, failure: Failure) -> None:
        self._status, self._out = failure.status, [failure.json()]
        kept = [pair for pair in self._headers if pair[0].startswith(b"x-guardrail-")]
        self._headers = [(b"content-type", b"application/json"), NOSNIFF, *failure.headers(), *kept]

    def _verify(self, command: Verify, judge: Judge, strand: Strand[Event]) -> None:
        policy = self._exchange.policy
        patience = policy.deadline_ms / 1000
        judge.asked += 1
        if self._shed(strand) or command.sentence.span.end > LONGEST:
            strand.submit(functools.partial(judge.pass_over, command, NotChecked.OVERLOAD), quick=True)
            return
        if policy.hold.milliseconds and self._exchange.mode is Mode.HOLD:
            self._remind(policy.hold.milliseconds, Overdue(command.choice, command.sentence))
        now = time.monotonic()
        # Text that waits for its verdict waits in the line, too, so its time begins with its check.
        deadline = now + patience if self._exchange.mode is Mode.OBSERVE else None
        strand.submit(functools.partial(self._judge, judge, command, deadline, now))

    def _shed(self, strand: Strand[Event]) -> bool:
        """What would come too late all the same is not worth a thread's time, nor the loop's."""
        policy = self._exchange.policy
        if self._exchange.mode is Mode.OBSERVE:
            return strand.full or strand.delay > policy.deadline_ms / 1000
        return strand.delay > policy.answer_deadline_ms / 1000

    def _remind(self, milliseconds: int, event: Overdue) -> None:
        """Tells the machine when so much time has passed."""
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(milliseconds / 1000, lambda: self._start(self._late(event))))

    async def _late(self, event: Overdue) -> None:
        if event.sentence is not None:
            await self._feed(event)
            return
        for _, strand in self._strands.values():
            strand.hurry()  # which passes over what waits, in its order and not on the loop

    async def _read_on(self) -> None:
        await asyncio.sleep(0)
        await self._throttle.ease(self._finished)
        await self._feed(Read())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Work that breaks ends the answer: nobody would be told otherwise."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("exchange %s broke", self._exchange.id, exc_info=error)
            self.stop()

    def _judge(self, judge: Judge, command: Verify, deadline: float | None, asked: float) -> Event:
        """In a worker; how long the sentence waited for it is told apart from the check. No deadline: its time begins now."""
        now = time.monotonic()
        self._exchange.spent("queue", now - asked)
        return judge.judge(command, deadline or now + self._exchange.policy.deadline_ms / 1000)

    def _strand(self, choice: int) -> tuple[Judge, Strand[Event]]:
        if choice not in self._strands:
            place = self._desk.place()
            judge = Judge(self._exchange, place.open_session)
            patience = self._exchange.policy.deadline_ms / 1000 + self._desk.grace
            strand: Strand[Event] = Strand(
                place.pool,
                lambda events: self._feed(*events),
                lost=judge.give_up,
                broken=self.stop,
                seconds=TURN_S[self._exchange.mode],
                patience=patience,
            )
            self._strands[choice] = (judge, strand)
        return self._strands[choice]

    async def _audit(self, command: Audit) -> None:
        error: AuditError | None = None
        try:
            await self._desk.auditor.record(self._exchange, command)
        except AuditError as failed:
            log.error("exchange %s is not on record: %s", self._exchange.id, failed)
            error = failed
        await self._feed(Recorded(error))

    async def _flush(self) -> None:
        """Sends what has gathered until its turn has come, whoever asked for it."""
        async with self._turn:
            data, ends = b"".join(self._out), self._complete and not self._ending
            self._out.clear()
            if not data and not ends:
                return
            self._last = time.monotonic()
            if not self._begun:
                self._begun = True
                headers = [*self._headers, *getattr(self._machine, "headers", ())]
                if ends:
                    headers.append((b"content-length", str(len(data)).encode()))
                await self._send({"type": "http.response.start", "status": self._status, "headers": headers})
            self._ending = ends
            await self._send({"type": "http.response.body", "body": data, "more_body": not ends})
            if ends:
                self._finished.set()
