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
    path: list[str | int] = []  # of what is read: in an object the last key, in an array the place
    length = 0  # of the steps that lead to it, about
    key = False
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark[0] == '"' and (len(mark) == 1 or mark[-1] != '"'):
            return
        if key and mark[0] == '"':
            said, key = _said(mark), False
            path[-1] = said
            length += len(said)
        elif mark[0] == '"':
            if length + len(path) <= _LONGEST:
                yield Span(token.start() + 1, token.end() - 1), "".join(map(_step, path))
        elif mark in "{[":
            path.append("" if mark == "{" else 0)
            key = mark == "{"
        elif not path:
            return
        elif mark == ",":
            place = path[-1]
            length -= len(place) if isinstance(place, str) else 0
            path[-1], key = (place + 1, False) if isinstance(place, int) else ("", True)
        else:
            place = path.pop()
            length -= len(place) if isinstance(place, str) else 0
            key = False


def _said(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:  # an escape that there is not
        return quoted[1:-1]


def _step(step: str | int) -> str:
    return "/" + str(step).replace("~", "~0").replace("/", "~1")
