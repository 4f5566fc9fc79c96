"""The state machine of a stream, without I/O: the upstream's bytes and the verdicts go in, the client's bytes come out.

    state_relaying   the upstream is speaking
    state_settling   it has ended; verdicts and reports are still out
    state_recording  all is known; the audit record is being written
    state_done       nothing more will be sent

`observe` passes every event on as it came and adds chunks of its own between them; `hold` withholds text until its sentence
is judged; `buffer` until the whole answer is. In `hold` a flagged sentence also waits for its audit record, and in every
mode the end of the stream does.
"""

from __future__ import annotations

from collections import deque

from guardrail.errors import GuardrailError, UpstreamBroken, UpstreamError
from guardrail.types import NotChecked
from policies.decide import Action
from policies.terms import Mode, Policy
from proxy.stream.choice import Choice, Step
from proxy.stream.continued import Continued
from proxy.stream.draft import LARGEST, Pace
from proxy.stream.ending import Ending
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
    Judged,
    Left,
    Overdue,
    PassOver,
    Read,
    ReadOn,
    Recorded,
    Reported,
    Send,
    Summarise,
)
from proxy.stream.exchange import keeps_tail, mode_of, prepare
from proxy.stream.hold import Holding
from proxy.stream.intake import Intake, Words
from proxy.stream.outbox import Outbox
from proxy.stream.unread import Unread
from proxy.wire import sse
from proxy.wire.surface import EventPlace, EventReading, Json, Surface
from proxy.wire.usage import Usage

KEEP_ALIVE = sse.comment("checking")


class GuardedStream:
    """One streamed answer. `receive` takes an event and returns what is to be done now, in order."""

    def __init__(
        self, surface: Surface, policy: Policy, *, json: bool = False, usage: Usage | None = None
    ) -> None:
        self._surface, self._policy = surface, policy
        self._json = json
        self._usage = usage or Usage()
        self._mode = mode_of(policy, json=json)
        prepare(surface, policy, json=json)
        self._with_error = policy.block.form == "error" or json  # a message is no JSON
        self._keeps_calls = policy.keeps_calls
        self._keeps_tail = keeps_tail(policy, self._mode)
        # Where events may not overtake each other, those behind a part wait until it is done with.
        self._in_turn = surface.ordered and self._keeps_tail and self._mode is not Mode.BUFFER
        self._turn: int | None = None
        self._deferred: deque[sse.Event] = deque()
        self._intake = Intake(surface, self._usage, whole=self._keeps_tail)
        self._choices: dict[int, Choice] = {}
        self._unread = Unread(calls=policy.tools == "check", ordered=surface.ordered)
        self._continued = Continued(ordered=surface.ordered)
        self._steps: deque[Step] = deque()  # those whose audit record is being written, oldest first
        self._error: GuardrailError | None = None
        self._failed, self._ended, self._upstream_ended = "", False, False  # `ended`: its end mark was read
        # Where a block is to be an HTTP error, nothing goes out before the first text does.
        waits = self._with_error or policy.regenerates or self._keeps_calls
        self._box = Outbox(patient=self._mode is not Mode.OBSERVE and waits)
        self._holding = Holding(surface, policy, mode=self._mode, box=self._box)
        self._ending = Ending(
            surface,
            policy,
            mode=self._mode,
            with_error=self._with_error,
            choices=self._choices,
            box=self._box,
        )
        self._pace, self._commands = Pace(), list[Command]()
        self._state = self.state_relaying

    def receive(self, event: Event) -> list[Command]:
        """The commands that follow from `event`. Sends of one call are one command, and come first."""
        self._commands = []
        self._state(event)
        drafts = (choice.draft for choice in self._choices.values())
        if self._pace.asks(drafts, answered=isinstance(event, Read)):
            self._commands.append(ReadOn())
        if data := self._box.take():
            self._commands.insert(0, Send(self._surface.numbered(data) if self._keeps_tail else data))
        return self._commands

    def state_relaying(self, event: Event) -> None:
        match event:
            case Data(data):
                self._data(data)
            case Ended(error):
                self._end(error)
            case _:
                self._settle(event)

    def state_settling(self, event: Event) -> None:
        if not isinstance(event, Data | Ended):
            self._settle(event)

    def state_recording(self, event: Event) -> None:
        match event:
            case Recorded(error):
                if error is not None and self._policy.audit.on_failure == "closed":
                    self._error = error
                self._close(not_audited=error is not None)
            case Idle():
                self._box.comment(KEEP_ALIVE)

    @staticmethod
    def state_done(event: Event) -> None:
        """Late verdicts change nothing. It is no method, which would keep the ended stream for the garbage collector."""

    def _data(self, data: bytes) -> None:
        try:
            for one in self._intake.read(data):
                self._read(one)
        except UpstreamError as error:
            self._end(error)

    def _read(self, event: sse.Event | Words) -> None:
        if self._ended:
            return  # nothing behind the end mark is ever seen by a client
        if isinstance(event, Words):
            self._box.send(event.raw)
            self._hear(event.choice, self._choice(event.choice), event.text)
        elif self._turn is not None:
            self._deferred.append(event)
        elif event.data is None:
            self._box.send(event.raw)
        else:
            reading = self._surface.read(event)
            self._take(event, reading)
            if reading.again:
                self._read(event)

    def _take(self, event: sse.Event, reading: EventReading) -> None:
        self._unread.note(reading)
        if reading.written is not None and self._keeps_tail:
            event = event._replace(raw=reading.written)
        for index, text in reading.texts:
            self._hear(index, self._choice(index), text)
        for number, text in reading.calls:
            self._hear(number, self._choice(number, call=True), text)
        if reading.place is EventPlace.TEXT and self._keeps_tail:
            self._withhold(event, reading)
        elif self._ending.late(reading.place):
            self._keep(event, reading)
        else:
            self._box.send(event.raw)
            self._intake.learn(event, reading)
        for index, text in reading.told:
            self._repeated(index, self._choice(index), text)
        for index in reading.stopped:
            self._stop(index)

    def _keep(self, event: sse.Event, reading: EventReading) -> None:
        """An event that waits for what is said before it."""
        self._ended = reading.place is EventPlace.END
        self._failed = reading.failed or self._failed
        self._ending.keep(event, reading)
        if self._in_turn and not reading.stopped:
            self._ending.tell_tail()

    def _choice(self, index: int, *, call: bool = False) -> Choice:
        if index not in self._choices:
            made = Choice.begin(index, self._surface, self._policy, json=self._json, call=call)
            self._choices[index] = made
        return self._choices[index]

    def _hear(self, index: int, choice: Choice, text: str) -> None:
        # Where text passes at once, what comes behind its end reaches the client and is a part of it, too.
        if choice.blocked is None and not (choice.draft.ended and (self._keeps_tail or choice.call)):
            heard, found = "" if choice.call else text, choice.draft.add(text)
            self._commands.extend(self._continued.verify(index, found, heard=heard))
        if (limit := self._policy.hold.characters) and self._mode is Mode.HOLD and not choice.call:
            self._hurry(index, choice, len(choice.draft) - limit)
        if len(choice.draft) > LARGEST:
            raise UpstreamBroken("the model server's answer is too large", begun=True)

    def _repeated(self, index: int, choice: Choice, text: str) -> None:
        """An event tells all that a choice has said: what was not heard of it is text like any other."""
        if more := choice.unheard(text, strict=self._mode is not Mode.OBSERVE):
            self._hear(index, choice, more)
            if self._keeps_tail:
                self._hold(choice, more, None, None)

    def _withhold(self, event: sse.Event, reading: EventReading) -> None:
        mixed = self._surface.mixed(reading.chunk)
        rest = self._surface.without_text(reading.chunk) if mixed else b""
        if rest and reading.calls and self._keeps_calls:
            self._ending.keep_calls(rest, reading)
        else:
            self._box.send(rest)
        pure = not mixed and not reading.stopped
        chunk, raw = None if mixed else reading.chunk, event.raw if pure else None
        for index, text in reading.texts:
            self._hold(self._choice(index), text, chunk, raw)
        if reading.stopped:
            self._ending.keep(event, reading)

    def _hold(self, choice: Choice, text: str, chunk: Json | None, raw: bytes | None) -> None:
        if choice.blocked is None:
            choice.withheld.add(text, chunk, raw)
        if self._mode is Mode.OBSERVE:
            self._box.send(choice.withheld.release(len(choice.draft)), text=True)

    def _stop(self, index: int) -> None:
        choice = self._choice(index)
        choice.stopped = True
        if self._in_turn and choice.report is None and (self._keeps_calls or not choice.call):
            self._turn = index
        if not choice.draft.ended:
            self._commands.extend(self._continued.verify(index, choice.draft.end()))
        self._release(index, choice)
        self._ask(index, choice)

    def _end(self, error: UpstreamError | None) -> None:
        """The upstream has ended, well or not."""
        if self._state != self.state_relaying:
            return
        if self._turn is not None and error is None:
            self._upstream_ended = True  # what is deferred has to be read first
            return
        self._state = self.state_settling
        if error is None:
            error = self._flushed()
        complete = self._ended or (self._choices and all(c.stopped for c in self._choices.values()))
        if error is None and not complete:
            error = UpstreamBroken(self._intake.cut, begun=bool(self._choices))
        self._error = error
        self._in_turn = False
        self._tell_of_unread()
        for index in self._choices:
            self._stop(index)
        self._advance()

    def _flushed(self) -> UpstreamError | None:
        """Reads what came without an end; returns what is wrong with it."""
        try:
            for event in self._intake.flush():
                self._read(event)
        except UpstreamError as broken:
            return broken
        return None

    def _tell_of_unread(self) -> None:
        """One more report, where none names what was not read. It is numbered behind all parts of an answer, and where choices are
        answers of their own, behind them.
        """
        texts = [index for index, choice in self._choices.items() if not choice.call]
        if self._unread.lacks_report(coming=any(not self._choices[index].asked for index in texts)):
            self._choice(max(self._choices if self._surface.ordered else texts, default=-1) + 1)

    def _settle(self, event: Event) -> None:
        match event:
            case Judged():
                self._judged(event)
            case Overdue():
                self._overdue(event)
            case Read():
                self._read_on()
            case Recorded(error) if self._steps:
                self._recorded(error)
            case Reported():
                self._choices[event.choice].report = event
                if event.choice == self._turn:
                    self._next_turn(self._choices[event.choice])
            case Idle():
                self._box.comment(KEEP_ALIVE)
            case Left(error):
                self._error = self._error or error
                self._leave()
        self._advance()

    def _read_on(self) -> None:
        for index, choice in self._choices.items():
            self._commands.extend(self._continued.verify(index, choice.draft.read()))
            self._release(index, choice)
            self._ask(index, choice)

    def _next_turn(self, choice: Choice) -> None:
        """A part is done with: its end goes out, then what came behind it is read."""
        self._turn = None
        if choice.ends_all:
            self._leave()
            return
        self._box.send(choice.section())
        self._ending.tell_tail()
        choice.delivered = True
        while self._deferred and self._turn is None and self._state == self.state_relaying:
            try:
                self._read(self._deferred.popleft())
            except UpstreamError as error:
                self._end(error)
        if self._upstream_ended and self._turn is None:
            self._end(None)

    def _overdue(self, event: Overdue) -> None:
        """The first word on a sentence stands: a verdict that comes after this is not heard."""
        for index, choice in self._choices.items():
            if event.sentence is None or index == event.choice:
                self._hurry(index, choice, event.sentence.span.end if event.sentence else len(choice.draft))

    def _hurry(self, index: int, choice: Choice, until: int) -> None:
        """Nothing before `until` waits any longer."""
        choice.overdue = max(until, choice.overdue)
        self._commands += (PassOver(index, one) for one in choice.draft.late(choice.overdue))
        self._release(index, choice)

    def _judged(self, event: Judged) -> None:
        choice = self._choices.get(event.choice)
        if choice is None or not choice.draft.judged(event.sentence):
            return
        if self._mode is Mode.OBSERVE and not choice.call:
            self._holding.progress(event.choice, choice, event)
        elif self._mode is Mode.HOLD and choice.blocked is None and not choice.call:
            # "Nothing flagged reaches a client without its audit record on disk."
            if event.decision.visible is Action.BLOCK:
                # Nothing behind it was judged yet, as sentences are judged in order; nothing behind it will be.
                choice.draft.cut(event.sentence.span.end)
                self._commands.append(Drop(event.choice))
            step = Step(event, ready=not event.decision.reasons)
            choice.line.append(step)
            if not step.ready:
                self._steps.append(step)
                self._commands.append(Audit(part=event, length=len(choice.draft), number=choice.parts))
                choice.parts += 1
            self._release(event.choice, choice)
        self._ask(event.choice, choice)

    def _recorded(self, error: GuardrailError | None) -> None:
        step = self._steps.popleft()
        if error is not None and self._policy.audit.on_failure == "closed":
            self._error = error
            self._leave()
            return
        step.ready = True
        index = step.judged.choice
        self._release(index, self._choices[index])
        self._ask(index, self._choices[index])

    def _release(self, index: int, choice: Choice) -> None:
        if decision := self._holding.release(index, choice):
            self._box.send(choice.block(decision, with_error=self._with_error), text=True)
            if self._with_error:
                self._leave()

    def _ask(self, index: int, choice: Choice) -> None:
        """Asks for the report once all sentences of a choice are settled and released."""
        more = not self._keeps_tail and self._state == self.state_relaying  # may still come
        if choice.draft.settled and not choice.line and not choice.asked and not more:
            self._summarise(index, choice)

    def _summarise(self, index: int, choice: Choice) -> None:
        choice.asked = True
        call = self._surface.call(index) if choice.call else None
        waiting = choice.draft.give_up()  # none, where all is settled
        text, unread = choice.draft.text, () if call else self._unread.beside(choice.draft.text)
        self._commands.append(Summarise(index, text, waiting, NotChecked.CANCELLED, call, unread))

    def _leave(self) -> None:
        """No further work is worth doing: settle with what there is."""
        self._state = self.state_settling
        for index, choice in self._choices.items():
            choice.draft.ended = True
            choice.line.clear()
            if not choice.asked:
                self._summarise(index, choice)

    def _advance(self) -> None:
        if self._state != self.state_settling:
            return
        reports = tuple(choice.report for choice in self._choices.values() if choice.report)
        if len(reports) == len(self._choices) and not self._steps:
            self._state = self.state_recording
            told = self._failed or str(self._error or "")
            self._commands.append(Audit(reports=reports, error=told, tokens=self._usage.tokens))

    def _close(self, *, not_audited: bool) -> None:
        """Everything is known and on record: the rest of the text, the reports, the held tail, the end."""
        self._state = self.state_done
        reports = tuple(choice.report for choice in self._choices.values() if choice.report)
        if self._error is None and any(one.decision.visible is Action.REGENERATE for one in reports):
            self._commands.append(Again(reports, self._usage.told))
            return
        if failure := self._ending.failure(self._error):
            self._commands += self._ending.refuse(failure, interrupted=isinstance(self._error, UpstreamError))
        else:
            self._ending.deliver()
            self._ending.conclude(not_audited=not_audited)
        self._commands.append(Finish())
