"""What a machine must know of an API to guard it: where text stands in its events, and how to write our own.

One object per answer: it remembers id, model and the like from the first event. `chat.py` is the one for Chat Completions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, Protocol

import orjson

from guardrail.errors import UpstreamBroken
from proxy.sse import Event

Json = dict[str, object]


class Place(Enum):
    """When an event may go out."""

    NOW = auto()  # it holds no answer text: role, reasoning, tool calls, pings
    TEXT = auto()  # it holds answer text: at once in `observe`, when released otherwise
    TAIL = auto()  # it belongs behind the text: finish reasons, usage
    END = auto()  # it ends the stream: behind our reports, in every mode


class Reading(NamedTuple):
    """What one event says. `texts`: (choice, text); `stopped`: choices that have said all; `failed`: the error it tells."""

    place: Place
    chunk: Json
    texts: tuple[tuple[int, str], ...] = ()
    stopped: tuple[int, ...] = ()
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of a choice's text: the client has `text`; `stop` replaces the finish reason of a blocked one."""

    text: str
    changed: bool = False
    stop: str | None = None


class Surface(Protocol):
    """One answer on the wire."""

    def read(self, event: Event) -> Reading:
        """Raises UpstreamBroken when the event is not what this API sends."""
        ...

    def mixed(self, chunk: Json) -> bool:
        """The chunk tells more than one choice's text: a role, a tool call, another choice."""
        ...

    def without_text(self, chunk: Json) -> bytes:
        """What a mixed chunk tells besides the text and the end of a choice; may be empty."""
        ...

    def reword(self, chunk: Json, choice: int, text: str) -> bytes:
        """An unmixed chunk with other words; what no longer fits them (logprobs) is dropped."""
        ...

    def words(self, choice: int, text: str) -> bytes:
        """An event of our own with more answer text."""
        ...

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        """Verdicts on the way; empty where the API has no place for them."""
        ...

    def report(self, choice: int, body: bytes, annotations: bytes) -> bytes:
        """The full report of a choice."""
        ...

    def tail(self, event: Event, reading: Reading, delivered: dict[int, Delivered]) -> bytes:
        """An event of `Place.TAIL` or `END` as it must read now that the decision is known."""
        ...

    def stop(self, choice: int, reason: str) -> bytes:
        """An event of our own that ends a choice whose upstream never did."""
        ...

    def error(self, body: bytes) -> bytes:
        """An error in mid-stream."""
        ...


def parse(event: Event) -> Json:
    """The event's data as an object. Raises UpstreamBroken."""
    try:
        chunk = orjson.loads(event.data or b"")
    except orjson.JSONDecodeError as error:
        raise UpstreamBroken(
            f"the model server sent an event that is no JSON: {error}", begun=True
        ) from error
    if type(chunk) is not dict:
        raise UpstreamBroken("the model server sent an event that is no JSON object", begun=True)
    return chunk
