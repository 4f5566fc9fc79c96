"""A guarded stream, without I/O: the upstream's bytes and the verdicts go in, the client's bytes come out.

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
from dataclasses import dataclass, field

from guardrail.errors import GuardrailError, UpstreamBroken, UpstreamError
from guardrail.types import NotChecked
from policies.decide import Action, Decision
from policies.terms import Mode, Policy
from proxy import sse
from proxy.draft import Draft
from proxy.events import (
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
    Recorded,
    Refuse,
    Reported,
    Send,
    Summarise,
    Verify,
)
from proxy.release import Withheld
from proxy.surface import Delivered, Place, Reading, Surface
from proxy.wire import audit_failed, blocked, upstream_failed

KEEP_ALIVE = sse.comment("checking")


@dataclass(slots=True)
class _Step:
    """A judged sentence on its way to the client; `ready` when its audit record is durable or not needed."""

    judged: Judged
    ready: bool


@dataclass(slots=True)
class _Choice:
    """What the stream knows of one choice."""

    draft: Draft
    withheld: Withheld
    line: deque[_Step] = field(default_factory=deque)
    parts: int = 0
    stopped: bool = False
    blocked: Decision | None = None
    asked: bool = False
    report: Reported | None = None


class GuardedStream:
    """One streamed answer. `receive` takes an event and returns what is to be done now, in order."""

    def __init__(self, surface: Surface, policy: Policy, *, hold_limit: int = 400) -> None:
        self._surface = surface
        self._policy = policy
        self._mode = Mode.OBSERVE if policy.shadow else policy.mode
        # Footnotes stand before the finish reason, so where they may come even `observe` keeps that back.
        self._keeps_tail = self._mode is not Mode.OBSERVE or policy.strongest is Action.ATTACH
        self._hold_limit = hold_limit
        self._decoder = sse.Decoder()
        self._choices: dict[int, _Choice] = {}
        self._tail: list[tuple[sse.Event, Reading]] = []
        self._steps: deque[_Step] = deque()  # those whose audit record is being written, oldest first
        self._error: GuardrailError | None = None
        self._failed = ""
        self._ended = False  # the upstream's end mark was read
        # Where a block is to be an HTTP error, nothing goes out before the first text does.
        self._may_refuse = self._mode is not Mode.OBSERVE and policy.block.form == "error"
        self._early: list[bytes] = []
        self._sent = False
        self._out: list[bytes] = []
        self._commands: list[Command] = []
        self._state = self.state_relaying

    def receive(self, event: Event) -> list[Command]:
        """The commands that follow from `event`. Sends of one call are one command, and come first."""
        self._out, self._commands = [], []
        self._state(event)
        if self._out:
            self._sent = True
            self._commands.insert(0, Send(b"".join(self._out)))
        return self._commands

    # ── states ────────────────────────────────────────────────────────────────────────────────────────

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
                self._keep_alive()
            case _:
                pass

    def state_done(self, event: Event) -> None:
        """Late verdicts change nothing."""

    # ── from the upstream ─────────────────────────────────────────────────────────────────────────────

    def _data(self, data: bytes) -> None:
        try:
            events = self._decoder.decode(data)
            for event in events:
                self._read(event)
        except sse.EventTooLarge as error:
            self._end(UpstreamBroken(f"the model server sent {error}", begun=True))
        except UpstreamError as error:
            self._end(error)

    def _read(self, event: sse.Event) -> None:
        if self._ended:
            return  # nothing behind the end mark is ever seen by a client
        if event.data is None:
            self._send(event.raw)
            return
        reading = self._surface.read(event)
        for index, text in reading.texts:
            self._hear(index, text)
        if reading.place is Place.TEXT and self._keeps_tail:
            self._withhold(event, reading)
        elif reading.place is Place.END:
            self._ended = True
            self._failed = reading.failed
            self._tail.append((event, reading))
        elif reading.place is Place.TAIL and self._keeps_tail:
            self._tail.append((event, reading))
        else:
            self._send(event.raw)
        for index in reading.stopped:
            self._stop(index)

    def _choice(self, index: int) -> _Choice:
        if index not in self._choices:
            self._choices[index] = _Choice(Draft(self._hold_limit), Withheld(index, self._surface))
        return self._choices[index]

    def _hear(self, index: int, text: str) -> None:
        choice = self._choice(index)
        if choice.blocked is None and not choice.draft.ended:
            self._commands.extend(Verify(index, sentence) for sentence in choice.draft.add(text))

    def _withhold(self, event: sse.Event, reading: Reading) -> None:
        mixed = self._surface.mixed(reading.chunk)
        if mixed and (rest := self._surface.without_text(reading.chunk)):
            self._send(rest)
        for index, text in reading.texts:
            choice = self._choice(index)
            if choice.blocked is None:
                pure = not mixed and not reading.stopped
                choice.withheld.add(text, None if mixed else reading.chunk, event.raw if pure else None)
            if self._mode is Mode.OBSERVE:
                self._send(choice.withheld.release(len(choice.draft)), text=True)
        if reading.stopped:
            self._tail.append((event, reading))

    def _stop(self, index: int) -> None:
        choice = self._choice(index)
        choice.stopped = True
        if not choice.draft.ended:
            self._commands.extend(Verify(index, sentence) for sentence in choice.draft.end())
        self._release(index, choice)
        self._ask(index, choice)

    def _end(self, error: UpstreamError | None) -> None:
        """The upstream has ended, well or not."""
        if self._state != self.state_relaying:
            return
        self._state = self.state_settling
        if error is None:
            try:
                for event in self._decoder.flush():
                    self._read(event)
            except UpstreamError as broken:
                error = broken
        if (
            error is None
            and not self._ended
            and not (self._choices and all(c.stopped for c in self._choices.values()))
        ):
            error = UpstreamBroken(
                "the model server ended its answer in the middle", begun=bool(self._choices)
            )
        self._error = error
        for index, choice in self._choices.items():
            if not choice.stopped:
                self._stop(index)
        self._advance()

    # ── verdicts ──────────────────────────────────────────────────────────────────────────────────────

    def _settle(self, event: Event) -> None:
        match event:
            case Judged():
                self._judged(event)
            case Recorded(error):
                self._recorded(error)
            case Reported():
                self._choices[event.choice].report = event
            case Idle():
                self._keep_alive()
            case Left(error):
                self._error = self._error or error
                self._leave()
            case _:
                pass
        self._advance()

    def _judged(self, event: Judged) -> None:
        choice = self._choices.get(event.choice)
        if choice is None or not choice.draft.judged(event.sentence):
            return
        if self._mode is Mode.OBSERVE:
            self._progress(event.choice, choice, event)
        elif self._mode is Mode.HOLD and choice.blocked is None:
            # "Nothing flagged reaches a client without its audit record on disk."
            if event.decision.visible is Action.BLOCK:
                # Nothing behind it was judged yet, as sentences are judged in order; nothing behind it will be.
                choice.draft.cut(event.sentence.span.end)
                self._commands.append(Drop(event.choice))
            step = _Step(event, ready=not event.decision.reasons)
            choice.line.append(step)
            if not step.ready:
                self._steps.append(step)
                self._commands.append(Audit(part=event, text=choice.draft.text, number=choice.parts))
                choice.parts += 1
            self._release(event.choice, choice)
        self._ask(event.choice, choice)

    def _recorded(self, error: GuardrailError | None) -> None:
        if not self._steps:
            return
        step = self._steps.popleft()
        if error is not None and self._policy.audit.on_failure == "closed":
            self._error = error
            self._leave()
            return
        step.ready = True
        index = step.judged.choice
        self._release(index, self._choices[index])
        self._ask(index, self._choices[index])

    def _release(self, index: int, choice: _Choice) -> None:
        """In `hold`: everything in the line that is ready, in order, then what belongs to no sentence."""
        if self._mode is not Mode.HOLD or choice.blocked is not None:
            return
        while choice.line and choice.line[0].ready:
            step = choice.line.popleft()
            decision = step.judged.decision
            if decision.visible is Action.BLOCK:
                self._block(index, choice, decision)
                return
            edits = () if decision.shadow else step.judged.edits
            self._send(choice.withheld.release(step.judged.sentence.span.end, edits), text=True)
            self._progress(index, choice, step.judged)
        if not choice.line:
            self._send(choice.withheld.release(choice.draft.checked), text=True)

    def _progress(self, index: int, choice: _Choice, event: Judged) -> None:
        if not self._policy.shadow:
            self._send(self._surface.progress(index, choice.draft.checked, event.claims))

    def _block(self, index: int, choice: _Choice, decision: Decision) -> None:
        choice.blocked = decision
        choice.line.clear()
        choice.withheld.drop()
        if self._policy.block.form == "message":
            self._send(choice.withheld.say(decision.message), text=True)
        else:
            self._leave()

    def _ask(self, index: int, choice: _Choice) -> None:
        """Asks for the report once all sentences of a choice are settled and released."""
        if choice.draft.settled and not choice.line and not choice.asked:
            choice.asked = True
            self._commands.append(Summarise(index, choice.draft.text))

    def _leave(self) -> None:
        """No further work is worth doing: settle with what there is."""
        self._state = self.state_settling
        for index, choice in self._choices.items():
            choice.draft.ended = True
            choice.line.clear()
            if not choice.asked:
                choice.asked = True
                waiting = choice.draft.give_up()
                self._commands.append(Summarise(index, choice.draft.text, waiting, NotChecked.CANCELLED))

    def _advance(self) -> None:
        if self._state != self.state_settling:
            return
        reports = tuple(choice.report for choice in self._choices.values() if choice.report)
        if len(reports) == len(self._choices) and not self._steps:
            self._state = self.state_recording
            self._commands.append(Audit(reports=reports, error=self._failed or str(self._error or "")))

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────

    def _close(self, *, not_audited: bool) -> None:
        """Everything is known and on record: the rest of the text, the reports, the held tail, the end."""
        self._state = self.state_done
        if self._mode is Mode.BUFFER and self._error is None:
            for index, choice in self._choices.items():
                self._deliver(index, choice)
        refused = next((c.blocked for c in self._choices.values() if c.blocked), None)
        if refused and self._policy.block.form == "error":
            self._refuse(refused)
        elif self._error is not None:
            self._fail(self._error)
        else:
            self._conclude(not_audited=not_audited)
        self._commands.append(Finish())

    def _deliver(self, index: int, choice: _Choice) -> None:
        """In `buffer`: the text as the decision on the whole wants it."""
        if choice.report is None:
            return
        decision = choice.report.decision
        if decision.visible is Action.BLOCK:
            choice.blocked = decision
            choice.withheld.drop()
            if self._policy.block.form == "message":
                self._send(choice.withheld.say(decision.message), text=True)
            return
        self._send(choice.withheld.release(len(choice.draft), choice.report.edits), text=True)

    def _conclude(self, *, not_audited: bool) -> None:
        delivered = {}
        for index, choice in self._choices.items():
            if choice.report is None:
                continue
            self._append(choice, choice.report)
            stop = self._policy.block.finish_reason if choice.blocked else None
            text = "".join(choice.withheld.delivered) if self._keeps_tail else choice.draft.text
            delivered[index] = Delivered(text, text != choice.draft.text, stop)
        for event, reading in self._tail:
            if reading.place is not Place.END:
                self._send(self._surface.tail(event, reading, delivered))
        for index, choice in self._choices.items():
            if choice.report is not None and not self._policy.shadow:
                body = choice.report.body
                body = body[:-1] + b',"not_audited":true}' if not_audited else body
                self._send(self._surface.report(index, body, choice.report.annotations))
        for event, reading in self._tail:
            if reading.place is Place.END:
                self._send(self._surface.tail(event, reading, delivered))

    def _append(self, choice: _Choice, report: Reported) -> None:
        """What the decision writes under the text."""
        if report.section and choice.blocked is None and not report.decision.shadow:
            self._send(choice.withheld.say(report.section), text=True)

    def _fail(self, error: GuardrailError) -> None:
        failure = upstream_failed(error) if isinstance(error, UpstreamError) else audit_failed()
        if not self._sent and not self._out:
            self._commands.append(Refuse(failure))
            return
        for index, choice in self._choices.items():
            if choice.report is not None and not self._policy.shadow and isinstance(error, UpstreamError):
                body = choice.report.body[:-1] + b',"interrupted":true}'
                self._send(self._surface.report(index, body, choice.report.annotations))
        self._send(self._surface.error(failure.json()), text=True)

    def _refuse(self, decision: Decision) -> None:
        body = blocked(self._policy, decision)
        if self._sent or self._out:
            self._send(self._surface.error(body.json()), text=True)
        else:
            self._commands.append(Refuse(body))

    def _keep_alive(self) -> None:
        self._send(KEEP_ALIVE, text=True)

    def _send(self, data: bytes, *, text: bool = False) -> None:
        """`text` False: it may wait until text is let go, where a block can still become the answer's status."""
        if not data:
            return
        if self._may_refuse and not text and not self._sent and not self._out:
            self._early.append(data)
            return
        self._out += [*self._early, data]
        self._early.clear()
