"""The format of the Responses API: text is in `output_text` and `refusal` parts of message items, streamed as typed events.

SDKs refuse event types that they do not know, so nothing of ours is an event: the report stands on the parts and on the
response of the last event (`response.guardrail`), citations among the parts' annotations. A part is a choice of its own,
and so is a call of a tool that is checked: its report stands on the item. What each event holds, `parts.py` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import orjson

from guardrail.errors import UpstreamBroken
from proxy.apis.guarding import StreamGuards, WholeGuards
from proxy.apis.item_calls import DIFFERENT, ItemCalls, arguments, called
from proxy.apis.numbering import Numbering
from proxy.apis.parts import BEGINNINGS, ENDS, HOLDS, TEXTS, PartReader, number_of
from proxy.stream.events import Reported
from proxy.wire.aside import CALL_ITEMS
from proxy.wire.calls import CALLS, ToolCall
from proxy.wire.shapes import cannot_read, unfinished
from proxy.wire.sse import Event, encode, typed_event
from proxy.wire.surface import (
    Delivered,
    EventPlace,
    EventReading,
    Json,
    json_format,
    parse,
    user_text,
    with_message,
    worst,
)

_CALL_DELTAS = frozenset(("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"))
_CALL_ENDS = frozenset(("response.function_call_arguments.done", "response.custom_tool_call_input.done"))
_PART_ENDS = frozenset(("response.content_part.done", "response.output_item.done"))
_WHOLE = -1  # in the place of a content index: all of an item
Part = tuple[int, int]  # output index, content index


class ResponseStream(StreamGuards):
    """One streamed response."""

    ordered = True

    def __init__(self, *, calls: bool = False) -> None:
        self._check_calls = calls
        self._calls = ItemCalls()
        self._choices: dict[Part, int] = {}
        self._kinds: dict[int, str] = {}
        self._heads: dict[int, Json] = {}  # of the parts that were begun
        self._stopped: set[int] = set()
        self._said: dict[Part, str] = {}  # the end of what each part has said so far
        self._reports: dict[int, tuple[bytes, bytes]] = {}
        self._report_heads: list[bytes] = []
        self._numbering = Numbering()

    def read(self, event: Event) -> EventReading:
        if event.data == b"[DONE]":
            return EventReading(EventPlace.END, {})
        told = parse(event)
        found = PartReader(strict=self.strict, withholds=self.withholds, checks=self._check_calls)
        kept = found.event(told)
        reading = self._read(told if kept is None else kept, found)
        written = b"" if kept is None else None if kept == told else typed_event(kept)
        return reading._replace(unread=tuple(found.unread), beside=tuple(found.beside), written=written)

    def _read(self, chunk: Json, found: PartReader) -> EventReading:
        kind = str(chunk.get("type"))  # a hostile server may send anything
        if kind in TEXTS:
            return self._read_text(chunk, *TEXTS[kind])
        if self._check_calls and (about := self._read_call(kind, chunk, found)):
            return about
        if kind in BEGINNINGS:
            return self._read_beginning(kind, chunk, found)
        parts = [(self._choice((one.place, one.number), one.kind), one.text) for one in found.texts]
        if kind.endswith(".added"):
            self._read_added(chunk, found)
            return EventReading(EventPlace.NOW, chunk, told=tuple(parts))
        if kind not in ENDS and not kind.endswith(".done"):
            return EventReading(EventPlace.NOW, chunk)
        stopped = self._stop(choice for choice, _ in parts)
        if kind in ENDS:
            calls = self._last_calls(found)
            stopped += tuple(number for number, _ in calls)
            return EventReading(
                EventPlace.END, chunk, stopped=stopped, failed=_failure(chunk), told=tuple(parts), calls=calls
            )
        place = EventPlace.TAIL if kind in _PART_ENDS else EventPlace.NOW
        return EventReading(place, chunk, stopped=stopped, told=tuple(parts))

    def _read_beginning(self, kind: str, chunk: Json, found: PartReader) -> EventReading:
        """A response that has just begun says nothing yet."""
        said = any(one.text for one in found.texts) or any(arguments(item) for _, item in found.calls)
        found.unread += [f"text in {kind}"] if said and not self.strict else []
        return EventReading(EventPlace.NOW, chunk)

    def _read_added(self, chunk: Json, found: PartReader) -> None:
        for one in found.texts:
            self._begun(chunk, one.place, one.number)
            self._says((one.place, one.number), one.text)

    def _read_text(self, chunk: Json, kind: str, name: str) -> EventReading:
        place, number = number_of(chunk.get("output_index")), number_of(chunk.get("content_index"))
        choice = self._choice((place, number), kind)
        self._begun(chunk, place, number)
        given = chunk.get(name)
        text = given if isinstance(given, str) else ""
        self._says((place, number), text if name == "delta" else "")
        if name != "delta":
            return EventReading(EventPlace.TAIL, chunk, stopped=self._stop((choice,)), told=((choice, text),))
        return (
            EventReading(EventPlace.TEXT, chunk, ((choice, text),))
            if text
            else EventReading(EventPlace.NOW, chunk)
        )

    def _says(self, part: Part, text: str) -> None:
        """Notes what a part says. A sentence over several parts would be judged in halves, so it is not passed."""
        place, number = part
        if self.strict and text:
            if part not in self._said and number and unfinished(self._said.get((place, number - 1), "")):
                raise cannot_read("a sentence in several parts")
            self._said[part] = (self._said.get(part, "") + text)[-100:]

    def _stop(self, choices: Iterable[int]) -> tuple[int, ...]:
        """Those that were not known to have ended."""
        new = tuple(choice for choice in dict.fromkeys(choices) if choice not in self._stopped)
        self._stopped.update(new)
        return new

    def _read_call(self, kind: str, chunk: Json, found: PartReader) -> EventReading | None:
        """An event that tells of a call; None for any other, and for what repeats a call's arguments."""
        place = number_of(chunk.get("output_index"))
        if kind in _CALL_DELTAS:
            return self._told_of(self._call_at(place), chunk, chunk.get("delta"), found)
        if kind in _CALL_ENDS:
            given = chunk.get("arguments", chunk.get("input"))
            return self._told_of(self._call_at(place), chunk, given, found, ends=True)
        if not found.calls or kind not in ("response.output_item.added", "response.output_item.done"):
            return None
        ((_, item),) = found.calls
        number, ends = self._call_at(place, item), kind == "response.output_item.done"
        begins = "" if self.strict else arguments(item)  # what is said there is not shown
        return self._told_of(number, chunk, arguments(item) if ends else begins, found, ends=ends)

    def _call_at(self, place: int, item: Mapping[str, Any] = MappingProxyType({})) -> int:
        number = self._choices.setdefault((place, _WHOLE), len(self._choices))
        self._calls.begin(number, place, item)
        return number

    def _told_of(
        self, number: int, chunk: Json, given: object, found: PartReader, *, ends: bool = False
    ) -> EventReading | None:
        """More arguments, as a piece or, at the end, as a whole."""
        ended = self._calls.ended(number)
        text = self._heard_of(number, given if isinstance(given, str) else "", found, ends=ends)
        if ended:
            return None
        return EventReading(
            EventPlace.CALL, chunk, stopped=(number,) if ends else (), calls=((number, text),)
        )

    def _heard_of(self, number: int, text: str, found: PartReader, *, ends: bool) -> str:
        try:
            return self._calls.whole(number, text) if ends else self._calls.piece(number, text)
        except UpstreamBroken:
            if self.strict:
                raise
            found.unread.append(DIFFERENT)
            return ""

    def _last_calls(self, found: PartReader) -> tuple[tuple[int, str], ...]:
        """Of the calls in the whole response those that were not complete, with what of them was not read."""
        told = []
        for place, item in found.calls:
            number = self._call_at(place, item)
            ended = self._calls.ended(number)
            text = self._heard_of(number, arguments(item), found, ends=True)
            told += [] if ended else [(number, text)]
        return tuple(told)

    def call(self, number: int) -> ToolCall:
        return self._calls[number]

    def _choice(self, part: Part, kind: str) -> int:
        choice = self._choices.setdefault(part, len(self._choices))
        self._kinds.setdefault(choice, kind)
        return choice

    def _begun(self, chunk: Json, place: int, number: int) -> None:
        """From now on words of this part may be told as events of our own."""
        item = chunk.get("item")
        identifier = item.get("id") if isinstance(item, dict) else chunk.get("item_id")
        head: Json = {"item_id": identifier, "output_index": place, "content_index": number}
        self._heads.setdefault(self._choices[place, number], head)

    def mixed(self, chunk: Json) -> bool:
        return False

    def without_text(self, chunk: Json) -> bytes:
        return b""

    def reword(self, chunk: Json, choice: int, text: str, *, logprobs: bool) -> bytes:
        kept = {name: value for name, value in chunk.items() if name != "obfuscation"}
        if "logprobs" in kept or chunk["type"] == "response.output_text.delta":
            kept["logprobs"] = kept.get("logprobs", []) if logprobs else []
        return typed_event({**kept, "delta": text})

    def words(self, choice: int, text: str) -> bytes:
        if choice not in self._heads:
            return b""  # clients refuse words of a part that was not begun: it is told as a whole
        if self._kinds[choice] == "refusal":
            return typed_event({"type": "response.refusal.delta", **self._heads[choice], "delta": text})
        return typed_event(
            {"type": "response.output_text.delta", **self._heads[choice], "delta": text, "logprobs": []}
        )

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        return b""

    def report(self, choice: int, body: bytes, annotations: bytes, *, head: bytes) -> bytes:
        self._reports[choice] = (body, annotations)
        self._report_heads.append(head)
        return b""

    def tail(self, event: Event, reading: EventReading, delivered: dict[int, Delivered]) -> bytes:
        chunk, kind = reading.chunk, str(reading.chunk.get("type"))
        if not event.raw or not chunk:
            return event.raw
        before = orjson.dumps(chunk)
        if kind in TEXTS:
            self._rewrite_text(chunk, TEXTS[kind][1], delivered)
        elif kind == "response.content_part.done":
            self._rewrite(
                chunk.get("part"),
                (number_of(chunk.get("output_index")), number_of(chunk.get("content_index"))),
                delivered,
            )
        elif kind == "response.output_item.done":
            self._rewrite_item(chunk.get("item"), number_of(chunk.get("output_index")), delivered)
        elif kind in ENDS and isinstance(response := chunk.get("response"), dict):
            self._rewrite_response(response, delivered)
            if any(one.stop == "content_filter" for one in delivered.values()):
                chunk["type"] = "response.incomplete"
                response |= {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
        after = orjson.dumps(chunk)
        return event.raw if after == before else encode(after, name=str(chunk.get("type", "")))

    def _told(self, choice: int | None, delivered: dict[int, Delivered]) -> Delivered | None:
        """What a repetition of a choice's text has to say instead; None: what it says."""
        told = delivered.get(-1 if choice is None else choice)
        if self.strict:
            return told or Delivered("", changed=True)
        return told if told and told.changed else None

    def _rewrite_text(self, chunk: Json, name: str, delivered: dict[int, Delivered]) -> None:
        at = number_of(chunk.get("output_index")), number_of(chunk.get("content_index"))
        if (told := self._told(self._choices.get(at), delivered)) and told.text != chunk.get(name):
            _say(chunk, name, told)

    def _rewrite_response(self, response: Json, delivered: dict[int, Delivered]) -> None:
        for place, item in enumerate(_items(response)):
            self._rewrite_item(item, place, delivered)
        if self._reports:
            response["guardrail"] = orjson.Fragment(worst(self._report_heads))

    def _rewrite_item(self, item: object, place: int, delivered: dict[int, Delivered]) -> None:
        called = self._reports.get(self._choices.get((place, _WHOLE), -1))
        if called and isinstance(item, dict):
            item["guardrail"] = orjson.Fragment(called[0])
        content = item.get("content") if isinstance(item, dict) else None
        for number, part in enumerate(content if isinstance(content, list) else []):
            self._rewrite(part, (place, number), delivered)

    def _rewrite(self, part: object, at: Part, delivered: dict[int, Delivered]) -> None:
        choice = self._choices.get(at)
        name = HOLDS.get(str(part.get("type"))) if isinstance(part, dict) else None
        if not isinstance(part, dict) or name is None or choice is None:
            return
        if (told := self._told(choice, delivered)) and told.text != (part.get(name) or ""):
            _say(part, name, told)
        if choice in self._reports:
            _mark(part, *self._reports[choice])

    def numbered(self, data: bytes) -> bytes:
        return self._numbering.numbered(data, (body for body, _ in self._reports.values()))

    def error(self, body: bytes) -> bytes:
        told = orjson.loads(body)["error"]
        return typed_event(
            {"type": "error", "code": told["code"], "message": told["message"], "param": None, "error": told}
        )


class ResponseWhole(WholeGuards):
    """A response that comes as a whole."""

    ordered = True

    def choices(self, body: Json) -> tuple[int, ...]:
        found = PartReader(strict=self.strict, withholds=self.withholds, checks=self.checks)
        plain = found.response(body)
        if self.strict and isinstance(plain, dict):
            body.clear()
            body.update(plain)
        self.unread, self.beside = tuple(found.unread), tuple(found.beside)
        return tuple(range(len(list(_parts(body)))))

    def texts(self, body: Json) -> dict[int, str]:
        said = (part[HOLDS[part["type"]]] for part in _parts(body))
        return {place: text for place, text in enumerate(said) if text}

    def calls(self, body: Json) -> list[tuple[ToolCall, str]]:
        items = ((place, one) for place, one in enumerate(_items(body)) if isinstance(one, dict))
        return [
            (called(item, CALLS + place, place), arguments(item))
            for place, item in items
            if item.get("type") in CALL_ITEMS
        ]

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
            if report.body:
                _items(body)[choice - CALLS]["guardrail"] = orjson.Fragment(report.body)
            return
        part = list(_parts(body))[choice]
        if report.body:
            _mark(part, report.body, report.annotations)
        if text is not None:
            part[HOLDS[part["type"]]] = text
            if part.get("logprobs") and not logprobs:
                part["logprobs"] = []
        if stop == "content_filter":
            body |= {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}

    def conclude(self, body: Json, head: bytes) -> None:
        body["guardrail"] = orjson.Fragment(head)


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


def _items(response: Json) -> list[Any]:
    output = response.get("output")
    return output if isinstance(output, list) else []


def _parts(response: Json) -> Iterator[dict[str, Any]]:
    """The text parts of all message items, in order."""
    for item in _items(response):
        content = item.get("content") if isinstance(item, dict) and item.get("type") == "message" else None
        for part in content if isinstance(content, list) else []:
            name = HOLDS.get(str(part.get("type"))) if isinstance(part, dict) else None
            if name and isinstance(part.get(name), str):
                yield part


def _say(held: Json, name: str, told: Delivered) -> None:
    """Puts other words in the place of a text; log probabilities only stay with those of which they are."""
    held[name] = told.text
    if name == "text":
        held["logprobs"] = held.get("logprobs", []) if told.logprobs else []


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
