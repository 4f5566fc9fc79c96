"""JSON values in the middle of a text, each with the places of its strings, in time linear in the text.

A value is followed token by token and decoded only when its end has been found, so that what only begins like JSON costs
no more than the tokens that it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from guardrail.evidence.request.windows import Windows
from guardrail.types import Span

__all__ = ["Literals", "Value", "values"]

_OPENING = re.compile(r"(?:(?<=[\n:`>])|\A)[ \t]{0,80}+(?=[\[{])")
_TOKEN = re.compile(
    r"[ \t\n\r]*+"
    r'(?:(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<open>[\[{])|(?P<close>[\]}])'
    r"|[,:]|-?\d{1,400}+(?:\.\d{1,400}+)?+(?:[eE][+-]?\d{1,9}+)?+|true|false|null|NaN|-?Infinity)",
    re.DOTALL,
)
_BLANK = re.compile(r"[ \t\n\r]*+")
_NUMBER = 1000  # characters that a token which is no string has at most
_ATTEMPTS = 50  # places where JSON may begin that are tried
_AGAIN = 4  # times that the text's length is followed, all attempts together
_LONGEST = 4_000_000  # characters of one value: decoding is a call in which no other thread runs
_DEEPEST = 100  # no list of passages is nested deeper
_OFTEN = 4096  # tokens between two looks at the clock


Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Value:
    """A decoded JSON value, its place, and where its strings stand, quotes not counted, in the order of the text."""

    value: object
    span: Span
    strings: Sequence[Place]


def values(windows: Windows) -> Iterator[Value]:
    """The values that begin a line, or follow a colon, a backtick or a tag; those within a value follow it.

    Raises TimeoutError, for a value that is too long to be decoded as well.
    """
    left = _AGAIN * len(windows.text)
    for number, opening in enumerate(windows.matches(_OPENING)):
        if number == _ATTEMPTS or left < 0:
            return
        start = opening.end()
        followed = _followed(windows, start)
        left -= followed.looked - start
        if followed.end is None:
            continue
        try:
            value = json.loads(windows.text[start : followed.end])
        except (ValueError, RecursionError):
            continue
        yield Value(value, Span(start, followed.end), followed.strings)


class _Followed(NamedTuple):
    """The end of a value, None where it has none; its strings; how far the text was looked at."""

    end: int | None
    strings: Sequence[Place]
    looked: int


def _followed(windows: Windows, start: int) -> _Followed:
    text, at, depth = windows.text, start, 0
    limit = min(len(text), start + _LONGEST)
    strings: list[Place] = []
    for number in count():
        if not number % _OFTEN:
            windows.in_time()
        token = _TOKEN.match(text, at, limit)
        if token is None:
            return _Followed(None, strings, _looked(text, at, limit))
        at, kind = token.end(), token.lastgroup
        if kind == "string":
            strings.append((token.start(kind) + 1, at - 1))
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        if not depth:
            return _Followed(at, strings, at)
        if depth > _DEEPEST:
            break
    return _Followed(None, strings, at)


def _looked(text: str, at: int, limit: int) -> int:
    """How far a token was looked for behind `at`: one place, unless it is a string without an end."""
    begins = _BLANK.match(text, at, limit)
    place = begins.end() if begins else at
    unclosed = text.startswith('"', place)
    if limit < len(text) and (unclosed or limit - place < _NUMBER):
        raise TimeoutError("a JSON value in the text is too long to be read")
    return limit if unclosed else place


@dataclass(slots=True)
class Literals:
    """Finds where strings of a value stand, one after the other: each string of the text is looked at once."""

    text: str
    strings: Sequence[Place]
    _next: int = field(default=0, init=False)

    def find(self, wanted: str) -> Span | None:
        """The next one that says `wanted`, as it is or escaped."""
        for number in range(self._next, len(self.strings)):
            start, end = self.strings[number]
            if _says(self.text[start:end], wanted):
                self._next = number + 1
                return Span(start, end)
        self._next = len(self.strings)
        return None


def _says(written: str, wanted: str) -> bool:
    if "\\" not in written:
        return written == wanted
    try:
        return bool(json.loads(f'"{written}"') == wanted)
    except ValueError:
        return False
