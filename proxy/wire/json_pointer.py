"""Finds where a string, a number or a literal is in a JSON text, as a JSON Pointer (RFC 6901).

A text that is no JSON is read as far as it looks like some; what lies behind that has no pointer, nor has
what lies so deep that its pointer would be longer than 1,000 characters.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from guardrail.types import Span

__all__ = ["Pointers"]

# Characters of a pointer: one that is longer helps nobody, and each string of a deep text would have one.
_LONGEST = 1000
# A string may lack its end.
_TOKEN = re.compile(
    r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],]|(?<![\w.+-])(?:true|false|null|-?\d[\d.eE+-]*)(?!\w)', re.DOTALL
)


class Pointers:
    """The values of one JSON text that are no objects or arrays."""

    def __init__(self, text: str) -> None:
        self._found = list(_values(text))

    def at(self, offset: int) -> str | None:
        """The pointer of the value that an offset lies in; None where it lies in none."""
        before = bisect_right(self._found, offset, key=lambda one: one[0].start) - 1
        if before < 0:
            return None
        span, pointer = self._found[before]
        return pointer if offset < span.end else None


def _values(text: str) -> Iterator[tuple[Span, str]]:
    """Each value, of a string what is between its quotes, and its pointer. One loop and a stack, as JSON may be nested deep."""
    path = _Path()
    for token in _TOKEN.finditer(text):
        mark, quoted = token[0], token[0][0] == '"'
        if quoted and (len(mark) == 1 or mark[-1] != '"'):
            return
        if quoted and path.key:
            path.name(_said(mark))
        elif mark in "{[":
            path.open(mark)
        elif mark not in ",}]":
            yield from path.pointed(Span(token.start() + quoted, token.end() - quoted))
        elif not path.steps or not path.leave(mark):
            return


@dataclass(slots=True)
class _Path:
    """Where the reader is: in an object the last key, in an array the place. `length`: of the keys. `key`: one comes next."""

    steps: list[str | int] = field(default_factory=list)
    length: int = 0
    key: bool = False

    def pointed(self, span: Span) -> Iterator[tuple[Span, str]]:
        if self.length + len(self.steps) <= _LONGEST:
            yield span, "".join(map(_step, self.steps))

    def name(self, key: str) -> None:
        self.steps[-1], self.key = key, False
        self.length += len(key)

    def open(self, mark: str) -> None:
        self.steps.append("" if mark == "{" else 0)
        self.key = mark == "{"

    def leave(self, mark: str) -> bool:
        """Go on behind a comma or the end of an object or array; whether it is inside of one still."""
        place = self.steps.pop()
        self.length -= len(place) if isinstance(place, str) else 0
        self.key = mark == "," and isinstance(place, str)
        if mark == ",":
            self.steps.append(place + 1 if isinstance(place, int) else "")
        return bool(self.steps)


def _said(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:  # an escape that there is not
        return quoted[1:-1]


def _step(step: str | int) -> str:
    return "/" + str(step).replace("~", "~0").replace("/", "~1")
