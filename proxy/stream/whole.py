"""The state machine of an answer that is not streamed, without I/O: as for a stream, with one piece of text for each choice.

state_reading    the body is coming in
state_settling   verdicts and reports are out
state_recording  the audit record is being written
state_done
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import orjson

from guardrail.errors import AuditError, UpstreamBroken, UpstreamError
from guardrail.types import NotChecked, Sentence
from policies.decide import Action
from policies.edit import apply
from policies.terms import Policy
from proxy.stream.continued import Continued
from proxy.stream.draft import Draft, Pace
from proxy.stream.events import (
    Again,
    Audit,
    Command,
    Data,
    Ended,
    Event,
    Finish,
    Judged,
    Left,
    Overdue,
    PassOver,
    Read,
    ReadOn,
    Recorded,
    Refuse,
    Reported,
    Send,
    Summarise,
)
from proxy.stream.exchange import prepare
from proxy.stream.unread import Unread
from proxy.wire.calls import ToolCall, with_calls
from proxy.wire.foreign import strip
from proxy.wire.headers import Headers, audit_failed, blocked, named, share, upstream_failed
from proxy.wire.lenient import loads
from proxy.wire.usage import Usage

Json = dict[str, object]
MAX_BODY = 64 * 1024 * 1024


class Whole(Protocol):
    """Where text stands in an API's whole answer, and where ours goes. `ordered`: choices are parts of one answer, read in order.

    `checks`: calls of tools are checked, so they are not named. `strict`: what cannot be read is not passed. `withholds`: nor are words beside the answer. `keeps_reports`: those of another guardrail. `unread`, `beside`: as in an `EventReading`, known once `choices` was called.
    """

    ordered: bool
    checks: bool
    strict: bool
    withholds: bool
    keeps_reports: bool
    unread: tuple[str, ...]
    beside: tuple[str, ...]

    def texts(self, body: Json) -> dict[int, str]:
        """The answer text of each choice that has one."""
        ...

    def calls(self, body: Json) -> list[tuple[ToolCall, str]]:
        """The calls of tools, each with its arguments."""
        ...

    def choices(self, body: Json) -> tuple[int, ...]:
        """All choices, those without text included. If `strict`, leaves out of `body` what cannot be read and holds words.

        Raises UpstreamBroken when it is no answer of this API, or not one that can be read.
        """
        ...

    def put(
        self,
        body: Json,
        choice: int,
        report: Reported,
        text: str | None,
        stop: str | None,
        *,
        logprobs: bool,
    ) -> None:
        """Writes a report into `body`, also that of a call that is no part of a choice; `text` replaces the words, `stop` the finish reason, `logprobs`: those stay."""
        ...

    def conclude(self, body: Json, head: bytes) -> None:
        """Writes at top level what the report says of the whole answer."""
        ...


class GuardedAnswer:
    """One answer that comes as a whole."""

    def __init__(
        self, surface: Whole, policy: Policy, *, json: bool = False, usage: Usage | None = None
    ) -> None:
        prepare(surface, policy, json=json)
        surface.checks = policy.tools == "check"
        self._surface = surface
        self._policy = policy
        self._unread, self._continued = Unread(ordered=surface.ordered), Continued(ordered=surface.ordered)
        self._listed: frozenset[int] = frozenset()
        self._json = json
        self._usage = usage or Usage()
        self._with_error = policy.block.form == "error" or json  # a message is no JSON
        self._raw: list[bytes] = []
        self._size = 0
        self._body: Json = {}
        self._stripped = False  # it held reports of another guardrail
        self._drafts: dict[int, Draft] = {}
        self._calls: dict[int, ToolCall] = {}
        self._asked: set[int] = set()
        self._reports: dict[int, Reported] = {}
        self._error: UpstreamError | AuditError | None = None
        self._commands: list[Command] = []
        self._pace = Pace()
        self._state = self.state_reading
        self.headers: Headers = []

    def receive(self, event: Event) -> list[Command]:
        """The commands that follow from `event`."""
        self._commands = []
        self._state(event)
        if self._pace.asks(self._drafts.values(), answered=isinstance(event, Read)):
            self._commands.append(ReadOn())
        return self._commands

    # ── states ────────────────────────────────────────────────────────────────────────────────────────

    def state_reading(self, event: Event) -> None:
        match event:
            case Data(data):
                self._size += len(data)
                self._raw.append(data)
                if self._size > MAX_BODY:
                    self._begin(UpstreamBroken("the model server's answer is too large", begun=True))
            case Ended(error):
                self._begin(error)
            case Left(error):
                self._begin(
                    error
                    or UpstreamBroken("the client disconnected before the answer was complete", begun=True)
                )

    def state_settling(self, event: Event) -> None:
        match event:
            case Judged():
                self._drafts[event.choice].judged(event.sentence)
                self._ask(event.choice)
            case Read():
                for index, draft in self._drafts.items():
                    self._commands.extend(self._continued.verify(index, draft.read()))
                    self._ask(index)
            case Overdue():
                for index, draft in self._drafts.items():
                    self._commands.extend(PassOver(index, one) for one in draft.waiting)
            case Reported():
                self._reports[event.choice] = event
            case Left(error):
                self._error = self._error or error
                self._leave()
        self._advance()

    def state_recording(self, event: Event) -> None:
        if isinstance(event, Recorded):
            self._state = self.state_done
            if event.error is not None and self._policy.audit.on_failure == "closed":
                self._error = event.error
            self._close(not_audited=event.error is not None)

    @staticmethod
    def state_done(event: Event) -> None:
        """Nothing more will be sent. As in `GuardedStream`, no method."""

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────

    def _begin(self, error: UpstreamError | None) -> None:
        self._state = self.state_settling
        self._error = error
        if error is None:
            self._parse()
        for index, draft in self._drafts.items():
            self._commands.extend(self._continued.verify(index, draft.end()))
            self._ask(index)
        self._advance()

    def _parse(self) -> None:
        raw = b"".join(self._raw)
        try:
            body = loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self._error = UpstreamBroken(
                "the model server sent an answer that is not a JSON object", begun=True
            )
            return
        self._stripped = strip(body, keep=self._surface.keeps_reports)
        try:
            choices = self._surface.choices(body)
        except UpstreamBroken as error:
            self._error = error
            return
        self._usage.read(body)
        self._body = body
        self._unread.note(self._surface)
        self._listed = frozenset(choices)
        # Somebody has to tell of what was not read.
        for index in choices or ((0,) if self._unread.anything else ()):
            self._drafts[index] = Draft(json=self._json)
        for index, text in self._surface.texts(body).items():
            found = self._drafts[index].add(text)
            self._commands.extend(self._continued.verify(index, found, heard=text))
        for call, text in self._surface.calls(body) if self._policy.tools == "check" else ():
            self._calls[call.number] = call
            draft = self._drafts[call.number] = Draft(json=True)
            self._commands.extend(self._continued.verify(call.number, draft.add(text)))

    def _ask(self, index: int) -> None:
        draft = self._drafts[index]
        if draft.settled and index not in self._asked:
            self._asked.add(index)
            self._commands.append(self._summary(index, draft))

    def _leave(self) -> None:
        for index, draft in self._drafts.items():
            if index not in self._asked:
                self._asked.add(index)
                self._commands.append(self._summary(index, draft, draft.give_up()))

    def _summary(self, index: int, draft: Draft, waiting: tuple[Sentence, ...] = ()) -> Summarise:
        call = self._calls.get(index)
        beside = () if call else self._unread.beside(draft.text)
        return Summarise(index, draft.text, waiting, NotChecked.CANCELLED, call, beside)

    def _advance(self) -> None:
        if self._state == self.state_settling and len(self._reports) == len(self._drafts):
            self._state = self.state_recording
            self._commands.append(
                Audit(
                    reports=tuple(self._reports.values()),
                    error=str(self._error or ""),
                    tokens=self._usage.tokens,
                )
            )

    def _close(self, *, not_audited: bool) -> None:
        reports = tuple(self._reports.values())
        if self._error is None and any(one.decision.visible is Action.REGENERATE for one in reports):
            self._commands.append(Again(reports, self._usage.told))
            return
        refused = self._refused()
        if self._error is not None:
            failure = (
                upstream_failed(self._error) if isinstance(self._error, UpstreamError) else audit_failed()
            )
            self._commands.append(Refuse(failure))
        elif refused is not None and (self._with_error or refused.call):
            self.headers = self._describe(not_audited=not_audited)
            self._commands.append(Refuse(blocked(self._policy, refused.decision)))
        else:
            self._commands.append(Send(self._written(not_audited=not_audited)))
        self._commands.append(Finish())

    def _refused(self) -> Reported | None:
        blocks = [r for r in self._reports.values() if r.decision.visible is Action.BLOCK]
        # A call that is blocked is always told as an error: no message can stand in its place.
        return min(blocks, key=lambda one: one.call is None, default=None)

    def _written(self, *, not_audited: bool) -> bytes:
        """The body with reports, edits and notes; in shadow, byte for byte as it came."""
        self.headers = self._describe(not_audited=not_audited)
        if self._policy.shadow:
            return orjson.dumps(self._body) if self._stripped else b"".join(self._raw)
        for index, report in self._told().items():
            if index in self._listed or report.call:
                self._put(index, report)
        worst = self._worst(self._told())
        if worst is not None and worst.body:
            head = worst.head[:-1] + b',"not_audited":true}' if not_audited else worst.head
            self._surface.conclude(self._body, head)
        return orjson.dumps(self._body)

    def _put(self, index: int, report: Reported) -> None:
        original, stop = self._drafts[index].text, None
        if report.decision.visible is Action.BLOCK:
            text, stop = report.decision.message, self._policy.block.finish_reason
        else:
            text = apply(original, report.edits) + report.section
        changed = text if text != original else None
        keep = self._policy.logprobs == "keep" and stop is None
        self._surface.put(self._body, index, report, changed, stop, logprobs=keep)

    def _told(self) -> dict[int, Reported]:
        """The reports by where they are written: those of a choice's calls are within that choice's own."""
        within: dict[int, list[Reported]] = {}
        for number, call in self._calls.items():
            if call.choice != number:
                within.setdefault(call.choice, []).append(self._reports[number])
        return {
            number: replace(
                one,
                body=with_calls(one.body, [call.body for call in within.get(number, ())]),
                head=with_calls(one.head, [call.head for call in within.get(number, ())], listed=False),
            )
            for number, one in self._reports.items()
            if one.call is None or one.call.choice == number
        }

    @staticmethod
    def _worst(reports: Mapping[int, Reported]) -> Reported | None:
        """The choice that speaks for the whole response: the strongest action, then the lowest KAS."""
        return min(
            reports.values(),
            key=lambda one: (
                -one.decision.action.strength,
                one.decision.outcome.rank,
                one.report.kas,
            ),
            default=None,
        )

    def _describe(self, *, not_audited: bool) -> Headers:
        worst = self._worst(self._reports)
        if worst is None:
            return named([("action", "pass"), ("outcome", "not_checkable")])
        pairs = [
            ("action", worst.decision.action.value),
            ("kas", f"{worst.report.kas:.3f}"),
            ("outcome", worst.decision.outcome.value),
            ("confirmed", share(one.report.counts for one in self._reports.values())),
        ]
        return named([*pairs, *([("not-audited", "true")] if not_audited else [])])
