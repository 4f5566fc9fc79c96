"""The interface of an API's format: where its events contain text, and how to write events of our own.

One object per answer: it remembers id, model and the like from the first event. `proxy/apis/chat.py` has the one for Chat Completions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, Protocol

from guardrail.errors import UpstreamBroken
from guardrail.types import Outcome
from proxy.wire.calls import CALLS as MOST_CHOICES
from proxy.wire.calls import ToolCall
from proxy.wire.lenient import loads
from proxy.wire.shapes import cannot_read
from proxy.wire.sse import Event

Json = dict[str, object]


class EventPlace(Enum):
    """When an event may go out."""

    NOW = auto()  # it holds no answer text: role, reasoning, tool calls that are not checked, pings
    CALL = auto()  # it tells of a tool call that is checked: at once, or in its turn when the call is judged
    TEXT = auto()  # it holds answer text: at once in `observe`, when released otherwise
    TAIL = auto()  # it belongs behind the text: finish reasons, usage
    LAST = auto()  # it tells how the answer ended: behind our reports, in every mode
    END = auto()  # likewise, and nothing comes after it


class EventReading(NamedTuple):
    """What one event says. `texts`: (choice, text); `stopped`: choices and calls that have said all; `failed`: the error it
    tells; `calls`: (number, more of its arguments) of the calls that are checked.

    `told`: (choice, all that it has said), from an event that repeats it. `unread`: what in the event may be answer text and
    cannot be read; `beside`: what stands beside the answer and is not read. `written`: the event as it may go out where
    text is held, if not as it came; empty: not at all. `again`: it stands before the event, which is to be read once more.
    """

    place: EventPlace
    chunk: Json
    texts: tuple[tuple[int, str], ...] = ()
    stopped: tuple[int, ...] = ()
    failed: str = ""
    calls: tuple[tuple[int, str], ...] = ()
    told: tuple[tuple[int, str], ...] = ()
    unread: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    written: bytes | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of a choice's text: the client has `text`; `stop` replaces the finish reason of a blocked one.

    `logprobs`: those of the model's own words stay although the words changed.
    """

    text: str
    changed: bool = False
    stop: str | None = None
    logprobs: bool = False


class Surface(Protocol):
    """One answer on the wire. `ordered`: an event may not overtake another, as one part is told after the other.

    `strict`: what cannot be read is not passed: `read` raises, or leaves it out of what is `written`.
    `withholds`: words beside the answer are made empty in what is `written`. `keeps_reports`: those of another guardrail.
    """

    ordered: bool
    strict: bool
    withholds: bool
    keeps_reports: bool

    def read(self, event: Event) -> EventReading:
        """Raises UpstreamBroken when the event is not what this API sends."""
        ...

    def mixed(self, chunk: Json) -> bool:
        """The chunk tells more than one choice's text: a role, a tool call, another choice."""
        ...

    def call(self, number: int) -> ToolCall:
        """What was told of a call that `read` has named."""
        ...

    def without_text(self, chunk: Json) -> bytes:
        """What a mixed chunk tells besides the text and the end of a choice; may be empty."""
        ...

    def reword(self, chunk: Json, choice: int, text: str, *, logprobs: bool) -> bytes:
        """An unmixed chunk with other words, with or without the log probabilities of its own."""
        ...

    def words(self, choice: int, text: str) -> bytes:
        """An event of our own with more answer text."""
        ...

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        """Verdicts on the way; empty where the API has no place for them."""
        ...

    def report(self, choice: int, body: bytes, annotations: bytes, *, head: bytes) -> bytes:
        """The report of a choice: `body` beside its text, once; `head`, without the claims, for the answer as a whole."""
        ...

    def tail(self, event: Event, reading: EventReading, delivered: dict[int, Delivered]) -> bytes:
        """An event of `EventPlace.TAIL` or `END` as it must read now that the decision is known."""
        ...

    def error(self, body: bytes) -> bytes:
        """An error in mid-stream."""
        ...

    def numbered(self, data: bytes) -> bytes:
        """Whole events on their way out, counted anew where this API counts them."""
        ...


def parse(event: Event) -> Json:
    """The event's data as an object. Raises UpstreamBroken."""
    try:
        chunk = loads(event.data or b"")
    except ValueError as error:
        raise UpstreamBroken(
            f"the model server sent an event that is not valid JSON: {error}", begun=True
        ) from error
    if type(chunk) is not dict:
        raise UpstreamBroken("the model server sent an event that is not a JSON object", begun=True)
    return chunk


def message_of(error: object) -> str:
    """What an error that a server sends says."""
    return str(error.get("message") if isinstance(error, dict) else error)


def index_of(choice: object, *, strict: bool = False) -> int:
    """A choice's index; 0 where a server forgets it. Raises UpstreamBroken for one that is no index, if `strict`."""
    index = choice.get("index") if isinstance(choice, dict) else None
    if type(index) is float and index.is_integer():
        index = int(index)  # 1.0 is 1, in JSON
    if type(index) is int and 0 <= index < MOST_CHOICES:
        return index
    if strict and index is not None:
        raise cannot_read("a choice with an invalid index")
    return 0


def user_text(messages: object) -> str:
    """What the user said last, in a list of messages whose content is a string or parts with text."""
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("role") == "user":
            content = message.get("content")
            if isinstance(content, list):
                parts = (part.get("text") for part in content if isinstance(part, dict))
                content = "\n".join(part for part in parts if isinstance(part, str))
            return content if isinstance(content, str) else ""
    return ""


def with_message(body: Json, name: str, text: str) -> Json:
    """A request with one more message of the user behind those under `name`."""
    messages = body.get(name)
    return {
        **body,
        name: [*(messages if isinstance(messages, list) else []), {"role": "user", "content": text}],
    }


def json_format(asked: object) -> bool:
    """Whether a format such as `response_format` asks for JSON."""
    return isinstance(asked, dict) and asked.get("type") in ("json_object", "json_schema")


def worst(bodies: list[bytes]) -> bytes:
    """The report, or head of one, that speaks for the answer: the first of those with the worst outcome."""
    told = (b'"outcome":"%s"' % outcome.encode() for outcome in Outcome)
    return next((body for outcome in told for body in bodies if outcome in body), bodies[0])
