"""What the APIs of the demo model have in common."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import orjson

from proxy.wire.headers import Failure

__all__ = [
    "MAX_CHOICES",
    "Api",
    "Json",
    "Mistake",
    "Steps",
    "choices_of",
    "last_said",
    "named_event",
    "new_id",
    "said",
    "tokens",
    "words_of",
]

Json = dict[str, object]
Steps = Iterator[list[bytes]]
"""The events of a stream; between two steps the model takes its time."""

MAX_CHOICES = 8
_PIECE = re.compile(r"\s*\S{1,6}")


@dataclass(frozen=True, slots=True)
class Mistake(Exception):
    """A request that the demo model cannot answer."""

    failure: Failure


class Api(Protocol):
    """One of the ways to ask the demo model. Both raise Mistake."""

    def whole(self, request: Json) -> Json: ...

    def stream(self, request: Json) -> Steps: ...


def new_id(prefix: str) -> str:
    return f"{prefix}{time.time_ns():x}"


def tokens(*texts: str) -> int:
    """About as many as a model would count."""
    return sum(len(text) // 4 + 1 for text in texts)


def words_of(text: str) -> list[str]:
    """The pieces in which a text is streamed."""
    return _PIECE.findall(text)


def choices_of(request: Json) -> int:
    """How many answers are wanted. Raises Mistake."""
    count = request.get("n") or 1
    if not isinstance(count, int) or not 1 <= count <= MAX_CHOICES:
        raise Mistake(Failure(400, f"n must be from 1 to {MAX_CHOICES}.", param="n"))
    return count


def said(content: object) -> str:
    """The words of a message's content: a string, or a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def last_said(messages: object) -> str:
    """The words of the last message."""
    last = messages[-1] if isinstance(messages, list) and messages else {}
    return said(last.get("content")) if isinstance(last, dict) else said(last)


def named_event(event: Json) -> bytes:
    """A server-sent event named by its `type`."""
    return b"event: %s\ndata: %s\n\n" % (str(event["type"]).encode(), orjson.dumps(event))
