"""The Responses API on the wire: text stands in `output_text` parts of message items, streamed as typed events.

SDKs refuse event types that they do not know, so nothing of ours is an event: the report stands on the parts and on the
response of the last event (`response.guardrail`), citations among the parts' annotations. A part is a choice of its own,
and so is a call of a tool that is checked: its report stands on the item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from proxy.calls import CALLS, ToolCall
from proxy.events import Reported
from proxy.sse import Event, encode
from proxy.surface import Delivered, Json, Place, Reading, json_format, parse, user_text, with_message, worst

_ENDS = frozenset(("response.completed", "response.incomplete", "response.failed", "error"))
_ITEMS = {"function_call": "arguments", "custom_tool_call": "input"}  # calls, and what holds their arguments
_CALL_DELTAS = frozenset(("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"))
_CALL_ENDS = frozenset(("response.function_call_arguments.done", "response.custom_tool_call_input.done"))
_WHOLE = -1  # in the place of a content index: all of an item
Part = tuple[int, int]  # output index, content index


class ResponseStream:
    """One streamed response."""

    ordered = True
    strict = False

    def __init__(self, *, calls: bool = False) -> None:
        self._check_calls = calls
        self._calls: dict[int, ToolCall] = {}  # by number, those that were begun …
        self._heard: set[int] = set()  # … whose arguments came …
        self._ended: set[int] = set()  # … and that are complete
        self._choices: dict[Part, int] = {}
        self._heads: dict[int, Json] = {}
        self._reports: dict[int, tuple[bytes, bytes]] = {}

    def read(self, event: Event) -> Reading:
        if event.data == b"[DONE]":
            return Reading(Place.END, {})
        chunk = parse(event)
        kind = str(chunk.get("type"))  # a hostile server may send anything
        if kind == "response.output_text.delta" and isinstance(chunk.get("delta"), str) and chunk["delta"]:
            return Reading(Place.TEXT, chunk, ((self._choice(chunk), str(chunk["delta"])),))
        if kind == "response.output_text.done":
            return Reading(Place.TAIL, chunk, stopped=(self._choice(chunk),))
        if self._check_calls and (about := self._read_call(kind, chunk)):
            return about
        if kind in ("response.content_part.done", "response.output_item.done"):
            return Reading(Place.TAIL, chunk)
        if kind in _ENDS:
            return Reading(Place.END, chunk, failed=_failure(chunk))
        return Reading(Place.NOW, chunk)

    def _read_call(self, kind: str, chunk: Json) -> Reading | None:
        """An event that tells of a call; None for any other, and for what comes behind a call's arguments."""
        if kind in _CALL_DELTAS:
            return self._more(chunk, chunk.get("delta"))
        if kind in _CALL_ENDS:
            return self._more(chunk, chunk.get("arguments", chunk.get("input")), ends=True)
        if kind not in ("response.output_item.added", "response.output_item.done"):
            return None
        item = chunk.get("item")
        if not isinstance(item, dict) or str(item.get("type")) not in _ITEMS:
            return None
        self._begin(chunk, item)
        if kind == "response.output_item.added":
            return self._more(chunk, "")
        return self._more(chunk, item.get(_ITEMS[str(item["type"])]), ends=True)

    def _begin(self, chunk: Json, item: Json) -> None:
        place = _number(chunk.get("output_index"))
        number = self._choices.setdefault((place, _WHOLE), len(self._choices))
        names = (str(item.get("call_id") or ""), str(item.get("name") or ""))
        self._calls.setdefault(number, ToolCall(number, number, place, *names))

    def _more(self, chunk: Json, arguments: object, *, ends: bool = False) -> Reading | None:
        """Arguments, as a piece or, at the end, as a whole that only counts where no piece came."""
        self._begin(chunk, {})
        number = self._choices[_number(chunk.get("output_index")), _WHOLE]
        if number in self._ended:
            return None
        text = arguments if isinstance(arguments, str) and not (ends and number in self._heard) else ""
        if text:
            self._heard.add(number)
        if ends:
            self._ended.add(number)
        return Reading(Place.CALL, chunk, stopped=(number,) if ends else (), calls=((number, text),))

    def call(self, number: int) -> ToolCall:
        return self._calls[number]

    def _choice(self, chunk: Json) -> int:
        part = (_number(chunk.get("output_index")), _number(chunk.get("content_index")))
        choice = self._choices.setdefault(part, len(self._choices))
        names = ("item_id", "output_index", "content_index", "sequence_number")
        self._heads[choice] = {name: chunk[name] for name in names if name in chunk}
        return choice

    def mixed(self, chunk: Json) -> bool:
        return False

    def without_text(self, chunk: Json) -> bytes:
        return b""

    def reword(self, chunk: Json, choice: int, text: str, *, logprobs: bool) -> bytes:
        kept = {name: value for name, value in chunk.items() if name != "obfuscation"}
        return _event({**kept, "delta": text, "logprobs": kept.get("logprobs", []) if logprobs else []})

    def words(self, choice: int, text: str) -> bytes:
        return _event(
            {"type": "response.output_text.delta", **self._heads[choice], "delta": text, "logprobs": []}
        )

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        return b""

    def report(self, choice: int, body: bytes, annotations: bytes) -> bytes:
        self._reports[choice] = (body, annotations)
        return b""

    def tail(self, event: Event, reading: Reading, delivered: dict[int, Delivered]) -> bytes:
        chunk = reading.chunk
        kind = chunk.get("type")
        if kind == "response.output_text.done":
            told = delivered.get(self._choice(chunk))
            if not (told and told.changed):
                return event.raw
            kept = chunk.get("logprobs", []) if told.logprobs else []
            return _event({**chunk, "text": told.text, "logprobs": kept})
        if not chunk or (not any(one.changed for one in delivered.values()) and not self._reports):
            return event.raw
        if kind == "response.content_part.done":
            self._rewrite(
                chunk.get("part"),
                (_number(chunk.get("output_index")), _number(chunk.get("content_index"))),
                delivered,
            )
        elif kind == "response.output_item.done":
            self._rewrite_item(chunk.get("item"), _number(chunk.get("output_index")), delivered)
        elif isinstance(response := chunk.get("response"), dict):
            self._rewrite_response(response, delivered)
            if any(one.stop == "content_filter" for one in delivered.values()):
                chunk["type"] = "response.incomplete"
                response |= {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
        return _event(chunk)

    def _rewrite_response(self, response: Json, delivered: dict[int, Delivered]) -> None:
        for place, item in enumerate(_items(response)):
            self._rewrite_item(item, place, delivered)
        if self._reports:
            response["guardrail"] = orjson.Fragment(worst([body for body, _ in self._reports.values()]))

    def _rewrite_item(self, item: object, place: int, delivered: dict[int, Delivered]) -> None:
        called = self._reports.get(self._choices.get((place, _WHOLE), -1))
        if called and isinstance(item, dict):
            item["guardrail"] = orjson.Fragment(called[0])
        content = item.get("content") if isinstance(item, dict) else None
        for number, part in enumerate(content if isinstance(content, list) else []):
            self._rewrite(part, (place, number), delivered)

    def _rewrite(self, part: object, at: Part, delivered: dict[int, Delivered]) -> None:
        choice = self._choices.get(at)
        if not isinstance(part, dict) or choice is None:
            return
        if (told := delivered.get(choice)) and told.changed:
            part["text"] = told.text
            part["logprobs"] = part.get("logprobs", []) if told.logprobs else []
        if choice in self._reports:
            _mark(part, *self._reports[choice])

    def numbered(self, data: bytes) -> bytes:
        return data

    def error(self, body: bytes) -> bytes:
        told = orjson.loads(body)["error"]
        return _event(
            {"type": "error", "code": told["code"], "message": told["message"], "param": None, "error": told}
        )


class ResponseWhole:
    """A response that comes as a whole."""

    strict = False
    unread: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def choices(self, body: Json) -> tuple[int, ...]:
        return tuple(range(len(list(_parts(body)))))

    def texts(self, body: Json) -> dict[int, str]:
        return {place: part["text"] for place, part in enumerate(_parts(body)) if part["text"]}

    def calls(self, body: Json) -> list[tuple[ToolCall, str]]:
        found = []
        for place, item in enumerate(_items(body)):
            held = _ITEMS.get(str(item.get("type")), "") if isinstance(item, dict) else ""
            if held and isinstance(given := item.get(held), str):
                names = (str(item.get("call_id") or ""), str(item.get("name") or ""))
                number = CALLS + place
                found.append((ToolCall(number, number, place, *names), given))
        return found

    def put(
        self,
        body: Json,
        choice: int,
        report: Reported,
        text: str | None,
        stop: str | None,
        *,
        logprobs: bool,
    ) -> None:
        if choice >= CALLS:
            _items(body)[choice - CALLS]["guardrail"] = orjson.Fragment(report.body)
            return
        part = list(_parts(body))[choice]
        _mark(part, report.body, report.annotations)
        if text is not None:
            part["text"] = text
            if part.get("logprobs") and not logprobs:
                part["logprobs"] = []
        if stop == "content_filter":
            body |= {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}

    def conclude(self, body: Json, report: bytes) -> None:
        body["guardrail"] = orjson.Fragment(report)


class Responses:
    """The Responses API."""

    def question(self, body: Json) -> str:
        asked = body.get("input")
        if isinstance(asked, str):
            return asked
        return user_text(asked)

    def asks_json(self, body: Json) -> bool:
        text = body.get("text")
        return isinstance(text, dict) and json_format(text.get("format"))

    def again(self, body: Json, note: str) -> Json:
        given = body.get("input")
        if isinstance(given, str):
            body = {**body, "input": [{"role": "user", "content": given}]}
        return with_message(body, "input", note)

    def stream(self, *, calls: bool = False) -> ResponseStream:
        return ResponseStream(calls=calls)

    def whole(self) -> ResponseWhole:
        return ResponseWhole()


def _event(chunk: Json) -> bytes:
    return encode(orjson.dumps(chunk), name=str(chunk.get("type", "")))


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _items(response: Json) -> list[Any]:
    output = response.get("output")
    return output if isinstance(output, list) else []


def _parts(response: Json) -> Iterator[dict[str, Any]]:
    """The text parts of all message items, in order."""
    for item in _items(response):
        content = item.get("content") if isinstance(item, dict) and item.get("type") == "message" else None
        for part in content if isinstance(content, list) else []:
            if (
                isinstance(part, dict)
                and part.get("type") == "output_text"
                and isinstance(part.get("text"), str)
            ):
                yield part


def _mark(part: dict[str, Any], body: bytes, annotations: bytes) -> None:
    """A report and its citations; in this API a citation's fields stand beside its type."""
    part["guardrail"] = orjson.Fragment(body)
    cited = [{"type": one["type"], **one["url_citation"]} for one in orjson.loads(annotations)]
    if cited:
        own = part.get("annotations")
        part["annotations"] = [*(own if isinstance(own, list) else []), *cited]


def _failure(chunk: Json) -> str:
    if chunk.get("type") == "error":
        return str(chunk.get("message") or "error")
    response = chunk.get("response")
    error = response.get("error") if isinstance(response, dict) else None
    return str(error.get("message")) if isinstance(error, dict) else ""
