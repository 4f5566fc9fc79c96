"""Splits the upstream's bytes into events, and into words that need no parsing, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guardrail.errors import UpstreamBroken
from proxy.stream.alike import Alike
from proxy.wire.foreign import event_without_reports
from proxy.wire.lenient import Events
from proxy.wire.sse import Event, EventTooLarge
from proxy.wire.surface import EventReading, Surface
from proxy.wire.usage import Usage

CUT = "the model server ended its answer in the middle"
NO_STREAM = "the model server sent something that is no stream of events"


class Words(NamedTuple):
    """Events that are known to hold nothing else than `text` of `choice`."""

    raw: bytes
    choice: int
    text: str


class Intake:
    """One stream's. `whole`: every event is wanted for itself. `cut`: what to say of an answer that did not end as it must.

    What is no event, such as a gateway's page, is not passed on: an error behind it would be taken for a part of it.
    """

    def __init__(self, surface: Surface, usage: Usage, *, whole: bool) -> None:
        self._whole = whole
        self._keeps_reports = surface.keeps_reports
        self._usage = usage
        self._decoder = Events(reworded=whole)
        self._alike = Alike(surface)
        self.cut = CUT

    def read(self, data: bytes) -> Iterator[Event | Words]:
        """What `data` completes. Raises UpstreamBroken at an event that is too large."""
        while data:
            part, data = data, b""
            if not (self._whole or self._decoder.begun):
                words, at = self._alike.read(part)
                if at:
                    data = part[at:]
                    yield Words(part[:at], self._alike.choice, words)
                    continue
                if self._alike.learns and (end := part.find(b"\n\n") + 2) > 1:
                    part, data = part[:end], part[end:]  # the next may tell the form of those behind it
            try:
                events = self._decoder.decode(part)
            except EventTooLarge as error:
                raise UpstreamBroken(f"the model server sent {error}", begun=True) from error
            yield from self._read(events)

    def learn(self, event: Event, reading: EventReading) -> None:
        """Takes an event that was parsed as the form of those behind it, where it can be one."""
        self._alike.learn(event, reading)

    def flush(self) -> Iterator[Event]:
        """What the end of the stream cut off, where it has data."""
        return (event for event in self._read(self._decoder.flush()) if event.data is not None)

    def _read(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if event.foreign:
                self.cut = NO_STREAM
            else:
                yield self._usage.read_event(event_without_reports(event, keep=self._keeps_reports))
