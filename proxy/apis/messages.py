"""The format of Anthropic Messages: text is in text blocks, streamed as named events.

A text block is a choice of its own, and so is the use of a tool that is checked. The report stands on the `message_delta` event, on the message and on its text blocks;
no event of ours is sent, as SDKs know theirs by name. What each event holds, `blocks.py` says.
"""

from __future__ import annotations

from typing import Any

import orjson

from proxy.apis.blocks import BlockReader, Joined
from proxy.apis.guarding import StreamGuards, WholeGuards
from proxy.stream.events import Reported
from proxy.wire.calls import CALLS, ToolCall
from proxy.wire.shapes import cannot_read
from proxy.wire.sse import Event, encode
from proxy.wire.surface import (
    Delivered,
    EventPlace,
    EventReading,
    Json,
    json_format,
    message_of,
    parse,
    user_text,
    with_message,
    worst,
)

_STOPS = {"stop": "end_turn", "content_filter": "refusal"}


class MessageStream(StreamGuards):
    """One streamed message."""

    ordered = True

    def __init__(self, *, calls: bool = False) -> None:
        self._check_calls = calls
        self._calls: dict[int, ToolCall] = {}  # by index
        self._used: set[int] = set()  # blocks that are uses of the client's tools, as the server counts them
        self._text_blocks: set[int] = set()
        self._joined = Joined()
        self._reports: dict[int, bytes] = {}
        self._heads: list[bytes] = []

    def read(self, event: Event) -> EventReading:
        told = parse(event)
        self._note_call(told)
        found = BlockReader(
            strict=self.strict, withholds=self.withholds, checks=self._check_calls, calls=self._used
        )
        kept = found.event(told)
        if kept is not None and self.strict:
            if self._joined.waits and not self._joined.continues(kept):
                ended = self._joined.end()
                return self._read(ended, "")._replace(written=_event(ended), again=True)
            kept = self._joined.read(kept, found.text)
        reading = EventReading(EventPlace.NOW, told) if kept is None else self._read(kept, found.text)
        written = b"" if kept is None else None if kept == told else _event(kept)
        return reading._replace(unread=tuple(found.unread), beside=tuple(found.beside), written=written)

    def _note_call(self, chunk: Json) -> None:
        """Keeps in mind which block the client is to use a tool for."""
        block, index = chunk.get("content_block"), chunk.get("index")
        if chunk.get("type") == "content_block_start" and isinstance(index, int):
            self._used.discard(index)
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._used.add(index)

    def _read(self, chunk: Json, text: str) -> EventReading:
        kind, index = chunk.get("type"), chunk.get("index")
        if self._check_calls and (about := self._read_call(kind, chunk, text)):
            return about
        if isinstance(index, int) and (about := self._read_block(kind, chunk, index, text)):
            return about
        if kind == "message_delta":
            return EventReading(EventPlace.LAST, chunk)
        if kind == "message_stop":
            return EventReading(EventPlace.END, chunk)
        if kind == "error":
            return EventReading(EventPlace.END, chunk, failed=message_of(chunk.get("error")))
        return EventReading(EventPlace.NOW, chunk)

    def _read_block(self, kind: object, chunk: Json, index: int, text: str) -> EventReading | None:
        """An event that tells of a block of text; None for any other."""
        if text:
            self._text_blocks.add(index)
            if kind == "content_block_delta":
                return EventReading(EventPlace.TEXT, chunk, ((index, text),))
            if kind == "content_block_start":
                return EventReading(EventPlace.NOW, chunk, told=((index, text),))
        if kind == "content_block_stop" and index in self._text_blocks:
            return EventReading(EventPlace.TAIL, chunk, stopped=(index,))
        return None

    def _read_call(self, kind: object, chunk: Json, text: str) -> EventReading | None:
        """An event that tells of a tool's use; None for any other."""
        index = chunk.get("index")
        if not isinstance(index, int):
            return None
        if kind == "content_block_start":
            return self._begin_call(chunk, index)
        if index not in self._calls:
            return None
        if text and self.strict:
            raise cannot_read("text in a tool_use block")
        delta = chunk.get("delta")
        piece = delta.get("partial_json") if isinstance(delta, dict) else None
        ends = (index,) if kind == "content_block_stop" else ()
        return EventReading(
            EventPlace.CALL, chunk, stopped=ends, calls=((index, piece if isinstance(piece, str) else ""),)
        )

    def _begin_call(self, chunk: Json, index: int) -> EventReading | None:
        block = chunk.get("content_block")
        if not isinstance(block, dict) or block.get("type") != "tool_use":
            return None
        names = (str(block.get("id") or ""), str(block.get("name") or ""))
        self._calls[index] = ToolCall(index, index, index, *names)
        given = block.get("input")
        return EventReading(EventPlace.CALL, chunk, calls=((index, _written(given) if given else ""),))

    def call(self, number: int) -> ToolCall:
        return self._calls[number]

    def mixed(self, chunk: Json) -> bool:
        return False

    def without_text(self, chunk: Json) -> bytes:
        return b""

    def reword(self, chunk: Json, choice: int, text: str, *, logprobs: bool) -> bytes:
        return self.words(choice, text)

    def words(self, choice: int, text: str) -> bytes:
        return _event(
            {"type": "content_block_delta", "index": choice, "delta": {"type": "text_delta", "text": text}}
        )

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        return b""

    def report(self, choice: int, body: bytes, annotations: bytes, *, head: bytes) -> bytes:
        self._reports[choice] = body
        self._heads.append(head)
        return b""

    def tail(self, event: Event, reading: EventReading, delivered: dict[int, Delivered]) -> bytes:
        if not event.raw or reading.place is not EventPlace.LAST or not (self._reports or delivered):
            return event.raw
        chunk = dict(reading.chunk)
        stop = next((one.stop for one in delivered.values() if one.stop), None)
        delta = chunk.get("delta")
        if stop and isinstance(delta, dict):
            chunk["delta"] = {**delta, "stop_reason": _STOPS[stop], "stop_sequence": None}
        if self._reports:
            chunk["guardrail"] = orjson.Fragment(worst(self._heads))
            chunk["guardrail_blocks"] = {str(i): orjson.Fragment(body) for i, body in self._reports.items()}
        elif not stop:
            return event.raw
        return _event(chunk)

    def numbered(self, data: bytes) -> bytes:
        return data

    def error(self, body: bytes) -> bytes:
        return _event({"type": "error", "error": orjson.loads(body)["error"]})


class MessageWhole(WholeGuards):
    """A message that comes as a whole."""

    ordered = True

    def choices(self, body: Json) -> tuple[int, ...]:
        found = BlockReader(strict=self.strict, withholds=self.withholds, checks=self.checks)
        plain = found.message(body)
        if self.strict:
            body.clear()
            body.update(plain)
        self.unread, self.beside = tuple(found.unread), tuple(found.beside)
        return tuple(range(len(_blocks(body))))

    def texts(self, body: Json) -> dict[int, str]:
        return {place: block["text"] for place, block in enumerate(_blocks(body)) if block["text"]}

    def calls(self, body: Json) -> list[tuple[ToolCall, str]]:
        content = body.get("content")
        found = []
        for place, block in enumerate(content if isinstance(content, list) else []):
            if isinstance(block, dict) and block.get("type") == "tool_use":
                names = (str(block.get("id") or ""), str(block.get("name") or ""))
                found.append(
                    (ToolCall(CALLS + place, CALLS + place, place, *names), _written(block.get("input")))
                )
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
            whole: Any = body["content"]
            if report.body:
                whole[choice - CALLS]["guardrail"] = orjson.Fragment(report.body)
            return
        block = _blocks(body)[choice]
        if report.body:
            block["guardrail"] = orjson.Fragment(report.body)
        if text is not None:
            block["text"] = text
        if stop is not None:
            body |= {"stop_reason": _STOPS[stop], "stop_sequence": None}

    def conclude(self, body: Json, head: bytes) -> None:
        body["guardrail"] = orjson.Fragment(head)


class Messages:
    """Anthropic Messages."""

    def question(self, body: Json) -> str:
        return user_text(body.get("messages"))

    def asks_json(self, body: Json) -> bool:
        config = body.get("output_config")
        asked = config.get("format") if isinstance(config, dict) else None
        return json_format(asked or body.get("output_format"))

    def again(self, body: Json, note: str) -> Json:
        return with_message(body, "messages", note)

    def stream(self, *, calls: bool = False) -> MessageStream:
        return MessageStream(calls=calls)

    def whole(self) -> MessageWhole:
        return MessageWhole()


def _event(chunk: Json) -> bytes:
    return encode(orjson.dumps(chunk), name=str(chunk["type"]))


def _written(given: object) -> str:
    """A tool's input, which comes as an object, as the text whose places a report tells."""
    return orjson.dumps(given).decode()


def _blocks(body: Json) -> list[dict[str, Any]]:
    content = body.get("content")
    return [
        block
        for block in (content if isinstance(content, list) else [])
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
