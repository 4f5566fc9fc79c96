"""Parses server-sent events incrementally: bytes in, whole events out, however the bytes were cut.

`Event.raw` is the event exactly as it came, with its blank line, so that passing it on is byte-faithful. Line ends may be
LF, CRLF or CR; comments and unknown fields stay in `raw`. The grammar is that of the HTML standard, section 9.2.6, but for
one thing: an event that the end of the stream cut off before its blank line is given out too, as all SDKs do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import orjson

__all__ = ["Decoder", "Event", "EventTooLarge", "comment", "encode", "typed_event"]

_LINE_END = re.compile(rb"\r\n|\n|\r")
_EVENT_END = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))")
_FIELD = re.compile(rb"(?:\A|[\r\n])(?::|(?:event|id|retry)(?:[:\r\n]|\Z))")
_BOM = b"\xef\xbb\xbf"
_END = b"[DONE]"


class EventTooLarge(ValueError):
    """No blank line came within the limit."""


class Event(NamedTuple):
    """`data` is None when the event has no data line (a comment, a lone `event:` or `retry:`)."""

    raw: bytes
    data: bytes | None
    name: str = ""

    @property
    def foreign(self) -> bool:
        """It has words, but no line that an event or a comment may have: a part of another kind of document."""
        return self.data is None and bool(self.raw.strip()) and not _FIELD.search(self.raw.removeprefix(_BOM))


class Decoder:
    """One stream. `limit`: the largest event in bytes; a larger one raises EventTooLarge."""

    def __init__(self, limit: int = 16 * 1024 * 1024) -> None:
        self._buffer = bytearray()
        self._limit = limit

    @property
    def begun(self) -> bool:
        """An event has come in part."""
        return bool(self._buffer)

    def decode(self, data: bytes) -> list[Event]:
        """The events that `data` completes, in order."""
        buffer = self._buffer
        seen = max(0, len(buffer) - 3)
        buffer += data
        if b"\r" in buffer:
            return self._checked(self._decode_any(seen))
        if buffer.find(b"\n\n", seen) < 0:
            return self._checked([])
        # The hot path: one split for all that has come.
        parts = bytes(buffer).split(b"\n\n")
        self._buffer = bytearray(parts.pop())
        return self._checked([_event(part + b"\n\n") for part in parts])

    def flush(self) -> list[Event]:
        """The event that the end of the stream cut off, if there is one."""
        events = self._decode_any(0, final=True)
        if rest := bytes(self._buffer):
            self._buffer.clear()
            events.append(_event(rest))
        return events

    def _decode_any(self, start: int, *, final: bool = False) -> list[Event]:
        # A CR at the very end may be half of a CRLF: it waits for the next bytes.
        end = len(self._buffer) if final or not self._buffer.endswith(b"\r") else len(self._buffer) - 1
        events, at = [], 0
        while found := _EVENT_END.search(self._buffer, max(at, start), end):
            events.append(_event(bytes(self._buffer[at : found.end()])))
            at = found.end()
        del self._buffer[:at]
        return events

    def _checked(self, events: list[Event]) -> list[Event]:
        if len(self._buffer) > self._limit:
            raise EventTooLarge(f"an event of more than {self._limit} bytes")
        return events


def _event(raw: bytes) -> Event:
    if raw.startswith(b"data: ") and raw.find(b"\n") == len(raw) - 2 and b"\r" not in raw:
        return Event(raw, _marked(raw[6:-2]))
    data: list[bytes] = []
    name = ""
    for line in _LINE_END.split(raw.removeprefix(_BOM)):
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            data.append(value)
        elif field == b"event":
            name = value.decode("utf-8", "replace")
    return Event(raw, _marked(b"\n".join(data)) if data else None, name)


def _marked(data: bytes) -> bytes:
    """The mark of the end as it should be: SDKs take all that begins so for it."""
    return _END if data.startswith((_END, b" ")) and data.strip().startswith(_END) else data


def encode(data: bytes, *, name: str = "") -> bytes:
    """One event with one line of data."""
    head = b"event: " + name.encode() + b"\n" if name else b""
    return head + b"data: " + data + b"\n\n"


def comment(text: str) -> bytes:
    """A line that every client skips: keeps a connection alive while text is held."""
    return b": " + text.encode() + b"\n\n"


def typed_event(chunk: Mapping[str, object]) -> bytes:
    """An event of an API whose events are named by the `type` in them."""
    return encode(orjson.dumps(chunk), name=str(chunk.get("type", "")))
