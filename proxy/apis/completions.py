"""The format of legacy Completions: text is in `choices[i].text`; everything else is as in Chat Completions.

Ours are chunks with a choice and no text, the report at top level and on the choice.
"""

from __future__ import annotations

from typing import Any

import orjson

from guardrail.errors import UpstreamBroken
from proxy.apis.guarding import StreamGuards, WholeGuards
from proxy.stream.events import Reported
from proxy.wire import aside
from proxy.wire.calls import ToolCall
from proxy.wire.logprobs import spells_all
from proxy.wire.shapes import BODY, CHOICE, cannot_read, content_of, without_words
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
)

_END = EventReading(EventPlace.END, {})
_CHOICE = CHOICE - {"delta", "message"}
_TEMPLATE = ("id", "object", "created", "model", "system_fingerprint")


class CompletionStream(StreamGuards):
    """One streamed completion."""

    ordered = False

    def __init__(self) -> None:
        self._head: Json = {"id": "", "object": "text_completion", "created": 0, "model": ""}

    def read(self, event: Event) -> EventReading:
        if event.data == b"[DONE]":
            return _END
        told = parse(event)
        if error := told.get("error"):
            return EventReading(EventPlace.END, told, failed=message_of(error))
        self._head |= {name: told[name] for name in _TEMPLATE if told.get(name)}
        return self._read_choices(told)

    def _read_choices(self, told: Json) -> EventReading:
        chunk, unread = _plain(told, strict=self.strict, withholds=self.withholds)
        texts, stopped = [], []
        for choice in _choices(chunk):
            index = index_of(choice, strict=self.strict)
            if text := content_of(choice.get("text")).text:
                texts.append((index, text))
            if choice.get("finish_reason"):
                stopped.append(index)
        written = None if chunk == told else encode(orjson.dumps(chunk))
        place = EventPlace.LAST if chunk.get("usage") else EventPlace.NOW
        if stopped:
            place = EventPlace.TAIL
        if texts:
            place = EventPlace.TEXT
        return EventReading(place, chunk, tuple(texts), tuple(stopped), unread=unread, written=written)

    def call(self, number: int) -> ToolCall:
        raise LookupError(number)  # this API knows no calls, and `read` names none

    def mixed(self, chunk: Json) -> bool:
        return len(_choices(chunk)) != 1 or bool(chunk.get("usage"))

    def without_text(self, chunk: Json) -> bytes:
        return b""

    def reword(self, chunk: Json, choice: int, text: str, *, logprobs: bool) -> bytes:
        (mine,) = _choices(chunk)
        less: Json = {} if logprobs else {"logprobs": None}
        return encode(
            orjson.dumps({**chunk, "choices": [{**mine, **less, "text": text, "finish_reason": None}]})
        )

    def words(self, choice: int, text: str) -> bytes:
        return self._chunk(choice, text)

    def progress(self, choice: int, checked: int, claims: bytes) -> bytes:
        found = {"choice_index": choice, "check_offset": checked, "claims": orjson.Fragment(claims)}
        return self._chunk(choice, "", guardrail=found)

    def report(self, choice: int, body: bytes, annotations: bytes, *, head: bytes) -> bytes:
        return self._chunk(choice, "", guardrail=orjson.Fragment(body))

    def tail(self, event: Event, reading: EventReading, delivered: dict[int, Delivered]) -> bytes:
        stops = {index: delivered[index].stop for index in reading.stopped if index in delivered}
        if not (reading.texts or any(stops.values())):
            return event.raw
        kept: list[Json] = [
            {**choice, "text": "", "logprobs": None, "finish_reason": stops.get(index_of(choice)) or reason}
            for choice in _choices(reading.chunk)
            if (reason := choice.get("finish_reason"))
        ]
        return encode(orjson.dumps({**reading.chunk, "choices": kept}))

    def error(self, body: bytes) -> bytes:
        return encode(body)

    def numbered(self, data: bytes) -> bytes:
        return data

    def _chunk(self, choice: int, text: str, **more: object) -> bytes:
        choices = [{"index": choice, "text": text, "logprobs": None, "finish_reason": None}]
        return encode(orjson.dumps({**self._head, "choices": choices, **more}))


class CompletionWhole(WholeGuards):
    """A completion that comes as a whole."""

    ordered = False

    def choices(self, body: Json) -> tuple[int, ...]:
        plain, self.unread = _plain(body, strict=self.strict, withholds=self.withholds)
        if plain is not body:
            body.clear()
            body.update(plain)
        return tuple(range(len(_choices(body))))

    def texts(self, body: Json) -> dict[int, str]:
        found = {place: content_of(choice.get("text")).text for place, choice in enumerate(_choices(body))}
        return {place: text for place, text in found.items() if text}

    def calls(self, body: Json) -> list[tuple[ToolCall, str]]:
        return []

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
        if report.body:
            mine["guardrail"] = orjson.Fragment(report.body)
        if text is not None:
            mine |= {"text": text} if logprobs else {"text": text, "logprobs": None}
        if stop is not None:
            mine["finish_reason"] = stop

    def conclude(self, body: Json, head: bytes) -> None:
        body["guardrail"] = orjson.Fragment(head)


class Completions:
    """Legacy Completions."""

    def question(self, body: Json) -> str:
        prompt = body.get("prompt")
        return prompt if isinstance(prompt, str) else ""

    def asks_json(self, body: Json) -> bool:
        return json_format(body.get("response_format"))

    def again(self, body: Json, note: str) -> Json:
        prompt = body.get("prompt")
        if not isinstance(prompt, str):
            raise UpstreamBroken("a request with several prompts cannot be repeated", begun=False)
        return {**body, "prompt": f"{prompt}\n\n{note}\n\n"}

    def stream(self, *, calls: bool = False) -> CompletionStream:
        return CompletionStream()

    def whole(self) -> CompletionWhole:
        return CompletionWhole()


def _plain(told: Json, *, strict: bool, withholds: bool = False) -> tuple[Json, tuple[str, ...]]:
    """A chunk or answer whose texts are strings, without what is not known and holds words, if `strict`; and what is unread."""
    kept, strange = without_words(told, BODY, prose=True)
    choices = []
    for choice in _choices(told):
        mine, more = _plain_choice(choice, strict=strict)
        strange = [*strange, *more]
        choices.append(aside.withheld(mine, aside.CHOICE) if withholds else mine)
    if "choices" in told and not isinstance(told["choices"], list | type(None)):
        if strict:
            raise cannot_read("choices that are not a list")
        strange = [*strange, "choices"]
    if not strict:
        return told, tuple(strange)
    kept = aside.withheld(kept, aside.BODY) if withholds else kept
    plain = {**kept, "choices": choices} if choices else kept
    return (told if plain == told else plain), ()


def _plain_choice(choice: Json, *, strict: bool) -> tuple[Json, list[str]]:
    """The same for one choice."""
    content = content_of(choice.get("text"))
    kept, strange = without_words(choice, _CHOICE, prose=False)
    if content.strange:
        if strict:
            raise cannot_read(content.strange)
        strange = [*strange, content.strange]
    probs = choice.get("logprobs")
    if strict and probs and not (content.text and spells_all(probs, content.text)):
        kept = {**kept, "logprobs": None}  # they are words, too
    return kept if choice.get("text") is None else {**kept, "text": content.text}, strange


def _choices(chunk: Json) -> list[dict[str, Any]]:
    choices = chunk.get("choices")
    found = choices if isinstance(choices, list) else []
    if not all(isinstance(choice, dict) for choice in found):
        raise UpstreamBroken("the model server sent a choice that is not a JSON object", begun=True)
    return found
