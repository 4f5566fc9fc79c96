"""Reads events without parsing them if they differ from a parsed event only in their words.

A server that streams writes one event again and again with other words in it. Once such an event was parsed, those behind it
that are the same byte for byte, but for that one string, can say nothing else than those words. What is written in any other
way (an escape, a further field, an end) does not fit and is parsed as ever.
"""

from __future__ import annotations

import re

from proxy.wire.sse import Decoder, Event
from proxy.wire.surface import EventPlace, EventReading, Surface

_WORDS = re.compile(rb'[^"\\\x00-\x1f]+')  # of a JSON string without an escape: it says what it holds
_USAGE = re.compile(rb'"usage"\s*:\s*(?!null)\S')  # what it tells is added up, event by event
_PROBE = "words"
_LONGEST_PAUSE = 64  # events that are let pass before it is tried again with a server whose events never fit


class Alike:
    """What the events of one stream look like at present: `before`, the words of `choice`, `after`."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._before = self._after = b""
        self._fitted = True
        self._pause = self._waits = 0
        self.choice = 0

    @property
    def learns(self) -> bool:
        """It takes the next event as a form, if it can be one."""
        return not self._waits

    def read(self, data: bytes) -> tuple[str, int]:
        """The words of `choice` in those events at the beginning of `data` that fit, and where the next one begins.

        `data` begins with an event.
        """
        before, after = self._before, self._after
        words, at = [], 0
        try:
            while before and data.startswith(before, at):
                found = _WORDS.match(data, at + len(before))
                if found is None or not data.startswith(after, found.end()):
                    break
                words.append(found[0].decode())
                at = found.end() + len(after)
        except UnicodeDecodeError:  # it is no JSON, which a parser says better
            return "", 0
        self._fitted = self._fitted or at > 0
        return "".join(words), at

    def learn(self, event: Event, reading: EventReading) -> None:
        """Takes an event that was parsed as the form of those behind it, where it can be one."""
        if reading.place is not EventPlace.TEXT:
            self._before = b""  # it may have changed what the words belong to
        elif self._waits:
            self._waits -= 1
        elif not (self._before and event.raw.startswith(self._before) and event.raw.endswith(self._after)):
            if not self._fitted:
                self._waits = self._pause = min(2 * self._pause + 1, _LONGEST_PAUSE)
            self._fitted = False
            self._before, self._after = self._form(event, reading)

    def _form(self, event: Event, reading: EventReading) -> tuple[bytes, bytes]:
        only = len(reading.texts) == 1 and not (reading.stopped or reading.calls)
        if only and not _USAGE.search(event.raw):
            ((self.choice, text),) = reading.texts
            before, *after = event.raw.split(b'"%b"' % text.encode())
            # Proof that the words stand there and nowhere else: with others in their place, it reads as those.
            probe = Decoder().decode(b'%b"%b"%b' % (before, _PROBE.encode(), b"".join(after)))
            if len(after) == len(probe) == 1 and self._says(probe[0], _PROBE):
                return before + b'"', b'"' + after[0]
        return b"", b""

    def _says(self, event: Event, text: str) -> bool:
        return event.raw.endswith(b"\n\n") and self._surface.read(event).texts == ((self.choice, text),)
