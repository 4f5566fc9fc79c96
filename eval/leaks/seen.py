"""What a client's eyes get of an answer: every string of it as any SDK might put it together, and what is said of it."""

from __future__ import annotations

import codecs
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import httptools

OURS = "guardrail"
NAMED = frozenset(("flagged", "not_checked", "unconfirmed"))
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"\r\n|\n|\r")  # no other character ends a line of events


@dataclass(frozen=True, slots=True)
class Seen:
    """`texts`: the strings at each place of the answer, put together in order. `outcome`: what the proxy says of it all."""

    status: int
    raw: str
    texts: tuple[str, ...]
    outcome: str

    def shows(self, words: str, *, before: str = "") -> bool:
        """Whether a person could read them, whatever the blanks between. `before`: what stands in front of the answer."""
        wanted = _plain(words)
        return any(wanted in _plain(before + text) for text in (*self.texts, self.raw))

    @property
    def named(self) -> bool:
        """Whether the answer is said to be flagged or not checked."""
        return self.outcome in NAMED


def read(data: bytes) -> Seen:
    """From the bytes of one HTTP answer up to the end of the connection."""
    heard = _Heard()
    parser = httptools.HttpResponseParser(heard)
    with suppress(httptools.HttpParserError):  # what came until then counts
        parser.feed_data(data)
    body = _unpacked(bytes(heard.body), heard.headers.get("content-encoding", ""))
    text = body.decode(heard.charset, "replace")
    places: dict[str, list[str]] = defaultdict(list)
    outcomes: list[str] = []
    for value in _values(text):
        for place, found in _strings(value, ""):
            places[place].append(found)
        outcomes += _outcomes(value)
    status = parser.get_status_code() if data else 0
    joined = ["".join(found) for found in places.values()]
    outcome = outcomes[-1] if outcomes else heard.headers.get("x-guardrail-outcome", "")
    return Seen(status, _without_reports(text), (*joined, "".join(joined)), outcome)


class _Heard:
    """httptools' callbacks."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.body = bytearray()

    @property
    def charset(self) -> str:
        found = re.search(r"charset=\"?([\w-]+)", self.headers.get("content-type", ""))
        try:
            return codecs.lookup(found[1]).name if found else "utf-8"
        except LookupError:
            return "utf-8"

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, data: bytes) -> None:
        self.body += data


def _unpacked(body: bytes, encoding: str) -> bytes:
    if encoding not in ("gzip", "deflate"):
        return body
    try:
        return zlib.decompress(body, 47)
    except zlib.error:
        return body


def _values(text: str) -> Iterator[object]:
    """The JSON values of a whole answer, or of each event of a stream."""
    whole = _json(text)
    if whole is not None:
        yield whole
        return
    for event in re.split(r"\r\n\r\n|\n\n|\r\r", text):
        lines = [line[5:].removeprefix(" ") for line in _LINE_END.split(event) if line.startswith("data:")]
        value = _json("\n".join(lines))
        if value is not None:
            yield value


def _json(text: str) -> object:
    try:
        return json.loads(text.lstrip("\ufeff"))
    except ValueError:
        return None


def _strings(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Each string with its place, without indexes: parts and events of one place are read one after another."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one, place)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name != OURS:
                yield from _strings(one, f"{place}/{name}")


def _outcomes(value: object) -> Iterator[str]:
    """Those of our reports."""
    if isinstance(value, list):
        for one in value:
            yield from _outcomes(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name == OURS and isinstance(one, dict) and isinstance(one.get("outcome"), str):
                yield one["outcome"]
            else:
                yield from _outcomes(one)


def _without_reports(text: str) -> str:
    """The words on the wire; empty where they are JSON, whose strings are read."""
    return "" if any(True for _ in _values(text)) else text


def _plain(text: str) -> str:
    return _SPACE.sub("", text).casefold()
