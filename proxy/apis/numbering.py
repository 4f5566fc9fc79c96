"""Numbers the events of a stream anew, if the server numbers them, so that they have no gaps after the proxy's changes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from proxy.wire.sse import Decoder, Event, typed_event
from proxy.wire.surface import parse

LARGE = 20_000  # bytes of JSON of ours that are not read again only to write a number beside them
NAME = "sequence_number"


class Numbering:
    """One stream's."""

    def __init__(self) -> None:
        self._counts: bool | None = None  # whether the server numbers its events, from the first on …
        self._next = 0  # … and the number of the next one
        self._mark = secrets.token_hex(12)  # no server can know it

    def numbered(self, data: bytes, reports: Iterable[bytes] = ()) -> bytes:
        """Whole events on their way out. What of them is one of `reports` is not read, however often it comes."""
        large = [body for body in reports if len(body) > LARGE]
        marks = [b'"%s-%d"' % (self._mark.encode(), number) for number in range(len(large))]
        for mark, body in zip(marks, large, strict=True):
            data = data.replace(body, mark)
        decoder = Decoder()
        data = b"".join(map(self._counted, [*decoder.decode(data), *decoder.flush()]))
        for mark, body in zip(marks, large, strict=True):
            data = data.replace(mark, body)
        return data

    def _counted(self, event: Event) -> bytes:
        if event.data is None or event.data == b"[DONE]":
            return event.raw
        chunk = parse(event)
        told, mine = chunk.get(NAME), self._next
        if self._counts is None:
            self._counts = isinstance(told, int)
            mine = told if isinstance(told, int) else 0
        if not self._counts:
            return event.raw
        self._next = mine + 1
        return event.raw if told == mine else typed_event({**chunk, NAME: mine})
