"""Parses JSON as leniently as clients do: it accepts NaN and Infinity, half a surrogate pair, a byte order mark.

orjson reads what is right. Only where it cannot is the text mended, so that whatever follows can write it again: what no
text can hold becomes U+FFFD, and a number that is none becomes null. Mending is slow, so there is a size to it.
"""

from __future__ import annotations

import json
import re

import orjson

from proxy.wire import sse
from proxy.wire.sse import Event

# A backslash that stands for itself; a pair; half of one.
_ESCAPES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_PLACE = (
    "type",
    "index",
    "output_index",
    "content_index",
    "item_id",
)  # by these an event names the text it goes on with
_MOST = 1024  # texts of a stream that may end in half a pair at a time
LARGEST = 2 << 20  # bytes that are mended: some 50 ms

Key = tuple[object, ...]


def loads(raw: bytes) -> object:
    """Raises ValueError where no client could read it."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if len(raw) > LARGEST:
            raise
        text = _ESCAPES.sub(lambda found: "\\ufffd" if found[1] else found[0], _text(raw))
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            return _patient(text, error)


def _text(raw: bytes) -> str:
    return raw.decode(json.detect_encoding(raw), "replace")


def _patient(text: str, error: orjson.JSONDecodeError) -> object:
    """Raises `error`, which says where, for what cannot be read so either."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        raise error from None


class Events:
    """The events of one stream, in which no character is cut in two: half of a pair waits for the event that has the other.

    `reworded`: the bytes of such an event are not passed on as they came, but written anew.
    """

    def __init__(self, *, reworded: bool) -> None:
        self._decoder = sse.Decoder()
        self._reworded = reworded
        self._halves: dict[Key, str] = {}

    @property
    def begun(self) -> bool:
        """An event, or a character, has come in part."""
        return self._decoder.begun or bool(self._halves)

    def decode(self, data: bytes) -> list[Event]:
        """The events that `data` completes, in order. Raises EventTooLarge."""
        return [self._whole(event) for event in self._decoder.decode(data)]

    def flush(self) -> list[Event]:
        """The event that the end of the stream cut off, if there is one."""
        return [self._whole(event) for event in self._decoder.flush()]

    def _whole(self, event: Event) -> Event:
        data = event.data
        if data is None or not self._may_be_cut(data) or len(data) > LARGEST:
            return event
        text = _text(data)
        if not (self._halves or any(found[1] for found in _ESCAPES.finditer(text))):
            return event
        try:
            told = json.loads(text, parse_constant=lambda _: None)
            mended = self._joined(told, ())
        except (ValueError, RecursionError):
            return event  # whoever reads it will say so
        if mended == told:
            return event
        data = orjson.dumps(mended)
        return Event(sse.encode(data, name=event.name) if self._reworded else event.raw, data, event.name)

    def _may_be_cut(self, data: bytes) -> bool:
        """Whether a character may have been cut in two, here or before."""
        return bool(self._halves) or b"\\ud" in data or b"\\uD" in data

    def _joined(self, told: object, key: Key) -> object:
        if isinstance(told, dict):
            key = (*key, *((name, told[name]) for name in _PLACE if isinstance(told.get(name), str | int)))
            return {_filled(name): self._joined(value, (*key, name)) for name, value in told.items()}
        if isinstance(told, list):
            return [self._joined(value, key) for value in told]
        return self._text_of(told, key) if isinstance(told, str) else told

    def _text_of(self, text: str, key: Key) -> str:
        if text:
            text = self._halves.pop(key, "") + text
        if "\ud800" <= text[-1:] <= "\udbff" and len(self._halves) < _MOST:
            text, self._halves[key] = text[:-1], text[-1]
        return _filled(text)


def _filled(text: str) -> str:
    """Halves that stand beside each other are one character; others are none that anybody knows."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
