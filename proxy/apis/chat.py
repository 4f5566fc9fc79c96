"""The format of Chat Completions: https://platform.openai.com/docs/api-reference/chat-streaming.

Reads what it must (index, content, refusal, finish_reason) and touches nothing else; what stands elsewhere `plain.py` puts
in its place. Reasoning passes by, and tool calls, too, unless they are to be checked. Ours are chunks with a choice and an
empty delta, which every client tolerates.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson

from proxy.apis.guarding import StreamGuards, WholeGuards
from proxy.apis.plain import CHUNK_CHOICE, SAID, Plain, said, text_of
from proxy.stream.events import Reported
from proxy.wire import aside
from proxy.wire.calls import ToolCall, chat_calls, with_calls
from proxy.wire.shapes import BODY
from proxy.wire.sse import Event, encode
from proxy.wire.surface import (
    Delivered,
    EventPlace,
    EventReading,
    Json,
    index_of,
    json_format,
    message_of,
    parse,
    user_text,
    with_message,
)

_END = EventReading(EventPlace.END, {})
_SIMPLE = frozenset(("content", "role"))
_TEMPLATE = ("id", "object", "created", "model", "system_fingerprint", "service_tier")


class ChatStream(StreamGuards):
    """One streamed chat completion."""

    ordered = False

    def __init__(self, *, calls: bool = False) -> None:
        self._check_calls = calls
        self._calls: dict[int, ToolCall] = {}  # by number, as far as they were told
        self._call_reports: dict[int, list[tuple[bytes, bytes]]] = {}  # by choice, with their heads
        self._head: Json = {"id": "", "object": "chat.completion.chunk", "created": 0, "model": ""}
        self._begun = False
        self._annotated: set[int] = set()
        self._usage: object = None

    def read(self, event: Event) -> EventReading:
        if event.data == b"[DONE]":
            return _END
        chunk = parse(event)
        if not self._begun:
            self._begin(chunk)
        choices = chunk.get("choices")
        if not choices:
            return self._without_choice(chunk)
        choice: Any = choices[0] if type(choices) is list and len(choices) == 1 else None
        if not _is_simple(chunk, choice) or (self.withholds and _shows_more(chunk, choice)):
            return self._read_choices(chunk)
        content = choice["delta"].get("content")
        if not content:
            return EventReading(EventPlace.NOW, chunk)
        return EventReading(EventPlace.TEXT, chunk, ((index_of(choice, strict=self.strict), content),))

    def _begin(self, chunk: Json) -> None:
        """Notes what our own chunks have at their head; a server may begin with one that says nothing of it."""
        self._head |= {name: chunk[name] for name in _TEMPLATE if chunk.get(name)}
        self._begun = bool(chunk.get("id") and chunk.get("model") and chunk.get("choices"))

    def _without_choice(self, chunk: Json) -> EventReading:
        if error := chunk.get("error"):
            return EventReading(EventPlace.END, chunk, failed=message_of(error))
        found = Plain(strict=self.strict, withholds=self.withholds)
        kept = found.body(chunk)
        # SDKs take the usage of the last chunk, so it goes out behind our reports.
        place = EventPlace.LAST if chunk.get("usage") else EventPlace.NOW
        return EventReading(place, kept, unread=tuple(found.unread), written=found.written(kept, chunk))

    def _read_choices(self, told: Json) -> EventReading:
        texts, stopped, calls = [], [], []
        self._usage = told.get("usage")
        found = Plain(strict=self.strict, withholds=self.withholds, checks=self._check_calls)
        chunk = found.chunk(told)
        for choice in _choices(chunk):
            index, delta = index_of(choice, strict=self.strict), choice["delta"]
            if delta.get("annotations"):
                self._annotated.add(index)
            if text := text_of(delta):
                texts.append((index, text))
            if self._check_calls:
                calls += self._hear_calls(delta, index)
            if choice.get("finish_reason"):
                stopped += [call.number for call in self._calls.values() if call.choice == index]
                stopped.append(index)
        place = (
            EventPlace.TEXT
            if texts
            else EventPlace.TAIL
            if stopped
            else EventPlace.CALL
            if calls
            else EventPlace.NOW
        )
        return EventReading(
            place,
            chunk,
            tuple(texts),
            tuple(stopped),
            calls=tuple(calls),
            told=tuple(found.told),
            unread=tuple(found.unread),
            beside=tuple(found.beside),
            written=found.written(chunk, told),
        )

    def _hear_calls(self, delta: Json, choice: int) -> list[tuple[int, str]]:
        heard = []
        for call, arguments in chat_calls(delta, choice):
            known = self._calls.setdefault(call.number, call)
            self._calls[call.number] = replace(known, id=known.id or call.id, name=known.name or call.name)
            heard.append((call.number, arguments))
        return heard

    def call(self, number: int) -> ToolCall:
        return self._calls[number]

    def mixed(self, chunk: Json) -> bool:
        choices = _choices(chunk)
        return len(choices) != 1 or not choices[0].get("delta", {}).keys() <= SAID or bool(chunk.get("usage"))

    def without_text(self, chunk: Json) -> bytes:
        kept = []
        for choice in _choices(chunk):
            delta = {k: v for k, v in (choice.get("delta") or {}).items() if k not in SAID}
            if delta:
                kept.append({"index": index_of(choice), "delta": delta, "finish_reason": None})
        return encode(orjson.dumps({**chunk, "choices": kept})) if kept else b""

    def reword(self, chunk: Json, choice: int, text: str, *, logprobs: bool) -> bytes:
        (mine,) = _choices(chunk)
        changed = {name: value for name, value in mine.items() if logprobs or name != "logprobs"}
        changed |= {"delta": said(mine.get("delta", {}), text), "finish_reason": None}
        return encode(orjson.dumps({**chunk, "choices": [changed]}))

    def words(self, choice: int, text: str) -> bytes:
        return self._chunk(choice, {"content": text})

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        found = {"choice_index": choice, "check_offset": checked, "claims": orjson.Fragment(claims)}
        return self._chunk(choice, {}, guardrail=found)

    def report(self, choice: int, body: bytes, annotations: bytes, *, head: bytes) -> bytes:
        if call := self._calls.get(choice):
            self._call_reports.setdefault(call.choice, []).append((body, head))
            return b""
        calls = self._call_reports.get(choice, ())
        body = with_calls(body, [told for told, _ in calls])
        head = with_calls(head, [told for _, told in calls], listed=False)
        # In full only where the SDKs keep it.
        delta: Json = {"guardrail": orjson.Fragment(body)}
        # SDKs add up a delta key that comes twice, so annotations go out only where the upstream sent none.
        if annotations != b"[]" and choice not in self._annotated:
            delta["annotations"] = orjson.Fragment(annotations)
        # A server that tells usage with the finish reason: it must not be lost behind ours.
        more = {"usage": self._usage} if self._usage else {}
        return self._chunk(choice, delta, guardrail=orjson.Fragment(head), **more)

    def tail(self, event: Event, reading: EventReading, delivered: dict[int, Delivered]) -> bytes:
        if reading.place is EventPlace.CALL:
            return self._told_call(event, reading, delivered)
        stops = {index: delivered[index].stop for index in reading.stopped if index in delivered}
        if not (reading.texts or any(stops.values())):
            return event.raw
        # Its words went out as they were released; only its end is told here.
        kept: list[Json] = [
            {"index": index_of(choice), "delta": {}, "finish_reason": stops.get(index_of(choice)) or reason}
            for choice in _choices(reading.chunk)
            if (reason := choice.get("finish_reason"))
        ]
        return encode(orjson.dumps({**reading.chunk, "choices": kept}))

    @staticmethod
    def _told_call(event: Event, reading: EventReading, delivered: dict[int, Delivered]) -> bytes:
        """A choice whose text was blocked calls nobody."""
        found = _choices(reading.chunk)
        kept = [one for one in found if not ((told := delivered.get(index_of(one))) and told.stop)]
        if len(kept) == len(found):
            return event.raw
        return encode(orjson.dumps({**reading.chunk, "choices": kept})) if kept else b""

    def error(self, body: bytes) -> bytes:
        return encode(body)

    def numbered(self, data: bytes) -> bytes:
        return data

    def _chunk(self, choice: int, delta: Json, **more: object) -> bytes:
        choices = [{"index": choice, "delta": delta, "finish_reason": None}]
        return encode(orjson.dumps({**self._head, "choices": choices, **more}))


def _is_simple(chunk: Json, choice: Any) -> bool:
    """The hot path: a choice with some content and nothing else to remember."""
    delta = choice.get("delta") if type(choice) is dict else None
    return (
        type(delta) is dict
        and delta.keys() <= _SIMPLE
        and delta.get("role", "assistant") == "assistant"
        and type(delta.get("content", "")) in (str, type(None))
        and choice.keys() <= CHUNK_CHOICE
        and chunk.keys() <= BODY
        and choice.get("finish_reason") is None
        and not choice.get("logprobs")
    )


def _shows_more(chunk: Json, choice: Json) -> bool:
    """Words may stand beside the delta."""
    return not (aside.BODY.isdisjoint(chunk) and aside.CHOICE.isdisjoint(choice))


def _choices(chunk: Json) -> list[dict[str, Any]]:
    choices = chunk.get("choices")
    return [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []


class ChatWhole(WholeGuards):
    """A chat completion that comes as a whole."""

    ordered = False

    # Choices are told apart by their place: a server that forgets `index` hides nothing.

    def choices(self, body: Json) -> tuple[int, ...]:
        found = Plain(strict=self.strict, withholds=self.withholds, checks=self.checks)
        found.answer(body)
        self.unread, self.beside = tuple(found.unread), tuple(found.beside)
        return tuple(range(len(_choices(body))))

    def texts(self, body: Json) -> dict[int, str]:
        messages = {place: choice.get("message") for place, choice in enumerate(_choices(body))}
        contents = {place: text_of(told) for place, told in messages.items() if isinstance(told, dict)}
        return {place: text for place, text in contents.items() if text}

    def calls(self, body: Json) -> list[tuple[ToolCall, str]]:
        messages = ((place, choice.get("message")) for place, choice in enumerate(_choices(body)))
        return [one for place, told in messages if isinstance(told, dict) for one in chat_calls(told, place)]

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
        mine = _choices(body)[choice]
        message = mine.get("message")
        if not isinstance(message, dict):
            return
        if report.body:
            message["guardrail"] = orjson.Fragment(report.body)
        if report.annotations != b"[]" and not message.get("annotations"):
            message["annotations"] = orjson.Fragment(report.annotations)
        if text is not None:
            message |= said(message, text)
            if mine.get("logprobs") and not logprobs:
                mine["logprobs"] = None  # they are those of other words
        if stop is not None:
            mine["finish_reason"] = stop
            message.pop("tool_calls", None)
            message.pop("function_call", None)

    def conclude(self, body: Json, head: bytes) -> None:
        body["guardrail"] = orjson.Fragment(head)


class Chat:
    """Chat Completions."""

    def question(self, body: Json) -> str:
        return user_text(body.get("messages"))

    def asks_json(self, body: Json) -> bool:
        return json_format(body.get("response_format"))

    def again(self, body: Json, note: str) -> Json:
        return with_message(body, "messages", note)

    def stream(self, *, calls: bool = False) -> ChatStream:
        return ChatStream(calls=calls)

    def whole(self) -> ChatWhole:
        return ChatWhole()
