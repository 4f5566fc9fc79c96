"""Finds where a string value is in a JSON text, as a JSON Pointer (RFC 6901).

A text that is no JSON is read as far as it looks like some; what lies behind that has no pointer, nor has
what lies so deep that its pointer would be longer than 1,000 characters.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

from guardrail.types import Span

__all__ = ["Pointers"]

# Characters of a pointer: one that is longer helps nobody, and each string of a deep text would have one.
_LONGEST = 1000
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],]', re.DOTALL)  # a string may lack its end


class Pointers:
    """The string values of one JSON text."""

    def __init__(self, text: str) -> None:
        self._found = list(_strings(text))

    def at(self, offset: int) -> str | None:
        """The pointer of the string value that an offset lies in; None where it lies in none."""
        before = bisect_right(self._found, offset, key=lambda one: one[0].start) - 1
        if before < 0:
            return None
        span, pointer = self._found[before]
        return pointer if offset < span.end else None


def _strings(text: str) -> Iterator[tuple[Span, str]]:
    """Each string value: what is between its quotes, and its pointer. One loop and a stack, as JSON may be nested deep."""
    path = _Path()
    key = False
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark[0] == '"':
            if len(mark) == 1 or mark[-1] != '"':
                return
            if key:
                path.named(_said(mark))
                key = False
            elif not path.too_long:
                yield Span(token.start() + 1, token.end() - 1), str(path)
        elif mark in "{[":
            path.opened(mark)
            key = mark == "{"
        elif not path.steps:
            return
        else:
            key = path.following() if mark == "," else path.closed()


class _Path:
    """The steps that lead to what is read: in an object the last key, in an array the place."""

    def __init__(self) -> None:
        self.steps: list[str | int] = []
        self._length = 0  # of the keys

    def __str__(self) -> str:
        return "".join(map(_step, self.steps))

    @property
    def too_long(self) -> bool:
        return self._length + len(self.steps) > _LONGEST

    def opened(self, mark: str) -> None:
        self.steps.append("" if mark == "{" else 0)

    def named(self, key: str) -> None:
        self.steps[-1] = key
        self._length += len(key)

    def following(self) -> bool:
        """Goes on to the next value; whether a key stands before it."""
        place = self._left()
        self.steps.append(place + 1 if isinstance(place, int) else "")
        return isinstance(place, str)

    def closed(self) -> bool:
        """Goes on behind an object or array, where no key stands."""
        self._left()
        return False

    def _left(self) -> str | int:
        place = self.steps.pop()
        self._length -= len(place) if isinstance(place, str) else 0
        return place


def _said(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:  # an escape that there is not
        return quoted[1:-1]


def _step(step: str | int) -> str:
    return "/" + str(step).replace("~", "~0").replace("/", "~1")
