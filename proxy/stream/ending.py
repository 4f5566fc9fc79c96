"""What follows the text of a stream: events that were held back, reports, notes under the text, or an error in their place.

`machine.GuardedStream` says when; here stands what is written then, and in which order.
"""

from __future__ import annotations

from collections.abc import Mapping

from guardrail.errors import GuardrailError, UpstreamError
from policies.decide import Action, Decision
from policies.terms import Mode, Policy
from proxy.stream.choice import Choice
from proxy.stream.events import Command, Refuse
from proxy.stream.exchange import keeps_tail
from proxy.stream.outbox import Outbox
from proxy.wire.headers import Failure, audit_failed, blocked, upstream_failed
from proxy.wire.sse import Event
from proxy.wire.surface import EventPlace, EventReading, Surface, parse


class Ending:
    """The end of one stream. `with_error`: a block is told as an error, not in words."""

    def __init__(
        self,
        surface: Surface,
        policy: Policy,
        *,
        mode: Mode,
        with_error: bool,
        choices: Mapping[int, Choice],
        box: Outbox,
    ) -> None:
        self._surface = surface
        self._policy = policy
        # Text may have been changed on its way, so what repeats it is rewritten.
        self._withheld = keeps_tail(policy, mode)
        self._with_error = with_error
        self._choices = choices
        self._box = box
        # Parts that are told one after the other are delivered with the event that ends each of them.
        self._by_part = surface.ordered and mode is Mode.BUFFER
        self._at_once = not surface.ordered and mode is Mode.BUFFER
        self._tail: list[tuple[Event, EventReading]] = []

    def late(self, place: EventPlace) -> bool:
        """Whether an event of this place waits for what is said before it."""
        if place is EventPlace.CALL and self._policy.keeps_calls:
            return True
        if place in (EventPlace.NOW, EventPlace.CALL):
            return self._by_part and bool(self._choices)
        return place is not EventPlace.TEXT and (self._withheld or place is not EventPlace.TAIL)

    def keep(self, event: Event, reading: EventReading) -> None:
        """Holds an event back."""
        self._tail.append((event, reading))

    def keep_calls(self, rest: bytes, reading: EventReading) -> None:
        """Holds back what a chunk with text tells of calls as well."""
        event = Event(rest, rest.removeprefix(b"data: ").rstrip())
        self._tail.append((event, EventReading(EventPlace.CALL, parse(event), calls=reading.calls)))

    def conclude(self, *, not_audited: bool) -> None:
        """Sections, reports and held events: the answer ends as it should."""
        self._box.open()
        for choice in () if self._by_part else self._choices.values():
            if not (self._surface.ordered and choice.delivered):
                self._box.send(choice.section(), text=True)
        self.tell_tail()
        for choice in self._choices.values() if self._by_part else ():
            self._deliver_part(choice)  # whose end was never told
        self._report(b',"not_audited":true}' if not_audited else b"}")
        self._tell(self._tail)

    def failure(self, error: GuardrailError | None) -> Failure | None:
        """The error that takes the answer's place, if one does: a block that is told so, or what went wrong."""
        if decision := self._blocked():
            return blocked(self._policy, decision)
        if isinstance(error, UpstreamError):
            return upstream_failed(error)
        return None if error is None else audit_failed()

    def refuse(self, failure: Failure, *, interrupted: bool) -> list[Command]:
        """An error in mid-stream, or the HTTP status as long as the client has nothing.

        `interrupted`: the upstream broke off, so what was found until then is told before.
        """
        if self._box.untouched:
            return [Refuse(failure)]
        if interrupted:
            self._report(b',"interrupted":true}')
        self._box.send(self._surface.error(failure.json()), text=True)
        return []

    def _blocked(self) -> Decision | None:
        """What ended the answer. Parts that are told one after the other learn it from their report only."""
        for choice in self._choices.values():
            if choice.report and choice.ends_all:
                return choice.report.decision
            if choice.blocked and self._with_error:
                return choice.blocked
            if choice.report and choice.report.decision.visible is Action.BLOCK and self._with_error:
                return choice.report.decision
        return None

    def deliver(self) -> None:
        """In `buffer`: the text as the decisions want it, where it does not have to wait for the events between."""
        for choice in self._choices.values() if self._at_once else ():
            self._deliver(choice)

    def tell_tail(self) -> None:
        """Sends the held events that stand behind the text; those behind the reports stay."""
        late = (EventPlace.LAST, EventPlace.END)
        until = next((at for at, pair in enumerate(self._tail) if self._waits(pair[1])), len(self._tail))
        now = [pair for pair in self._tail[:until] if pair[1].place not in late]
        self._tail = [pair for pair in self._tail[:until] if pair[1].place in late] + self._tail[until:]
        self._tell(now)

    def _waits(self, reading: EventReading) -> bool:
        """It tells of a call that is not judged."""
        return any(self._choices[number].report is None for number, _ in reading.calls)

    def _tell(self, events: list[tuple[Event, EventReading]]) -> None:
        for event, reading in events:
            for choice in (self._choices[index] for index in reading.stopped if self._by_part):
                self._deliver_part(choice)
            told = {
                i: c.outcome(self._policy, withheld=self._withheld)
                for i, c in self._choices.items()
                if c.report
            }
            self._box.send(self._surface.tail(event, reading, told))

    def _deliver_part(self, choice: Choice) -> None:
        if not choice.delivered:
            self._deliver(choice)
            self._box.send(choice.section(), text=True)

    def _deliver(self, choice: Choice) -> None:
        if choice.report is not None and not choice.delivered:
            self._box.send(choice.rest(choice.report, with_error=self._with_error), text=True)
            choice.delivered = True

    def _report(self, close: bytes) -> None:
        # Calls first: where an API has no place for their reports they go into that of the choice that makes them.
        for index, choice in sorted(self._choices.items(), key=lambda pair: not pair[1].call):
            if choice.report is not None and choice.report.body and not self._policy.shadow:
                body, head = (one[:-1] + close for one in (choice.report.body, choice.report.head))
                self._box.send(self._surface.report(index, body, choice.report.annotations, head=head))
