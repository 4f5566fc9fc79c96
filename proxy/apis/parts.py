"""The events, items and parts of a response: which parts are answer text, and which are known not to be.

One table for streamed and whole responses. A part is found wherever it is told: when it begins, when it is done, with its
item, and with the whole response.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from proxy.apis.fields import FieldReader, kind_of
from proxy.apis.item_calls import arguments
from proxy.wire.aside import CALL_EVENT, CALL_ITEMS, emptied, withheld
from proxy.wire.logprobs import spells
from proxy.wire.shapes import (
    REASONING,
    TOOL_CALLS,
    holds_words,
    joined,
    unfinished,
)
from proxy.wire.surface import Json

__all__ = ["BEGINNINGS", "ENDS", "HOLDS", "TEXTS", "PartReader", "PartText", "number_of"]

# Events that tell of a text part: its type and what holds its words.
TEXTS = {
    "response.output_text.delta": ("output_text", "delta"),
    "response.output_text.done": ("output_text", "text"),
    "response.refusal.delta": ("refusal", "delta"),
    "response.refusal.done": ("refusal", "refusal"),
}
HOLDS = {
    "output_text": "text",
    "text": "text",
    "refusal": "refusal",
}  # by a part's type, what holds its words
ENDS = frozenset(
    ("response.completed", "response.incomplete", "response.failed", "response.cancelled", "error")
)
BEGINNINGS = frozenset(("response.created", "response.queued", "response.in_progress"))
_WHOLE = (ENDS | BEGINNINGS) - {"error"}
_PLACES = frozenset(
    ("type", "sequence_number", "item_id", "output_index", "content_index", "summary_index", "obfuscation")
)
_STATE = re.compile(r"response\.\w+\.(?:in_progress|searching|interpreting|generating|completed|failed)")
_TOOL = re.compile(
    r"response\.(?:function_call_arguments|custom_tool_call_input|mcp_call_arguments|mcp_call\.arguments"
    r"|code_interpreter_call_code|code_interpreter_call\.code|image_generation_call)\.\w+"
)
_THOUGHT = re.compile(r"response\.reasoning\w*\.\w+")
_PART = frozenset(("type", "text", "refusal", "annotations", "logprobs"))
_MESSAGE = frozenset(("id", "type", "role", "status", "content", "phase"))
_TOOL_ITEM = re.compile(r"\w+_call|\w+_output|mcp_\w+|additional_tools|compaction|program")
_RESPONSE = frozenset(
    (
        "background",
        "conversation",
        "error",
        "id",
        "incomplete_details",
        "instructions",
        "max_output_tokens",
        "metadata",
        "model",
        "object",
        "output",
        "prompt",
        "reasoning",
        "safety_identifier",
        "status",
        "text",
        "tool_choice",
        "tools",
        "truncation",
        "usage",
        "user",
    )
)


class PartText(NamedTuple):
    """The words of one part, at its item's place and its own within it."""

    place: int
    number: int
    kind: str
    text: str


class PartReader(FieldReader):
    """Reads one event or response. `strict`: what cannot be read raises UpstreamBroken, or is left out. `withholds`: words
    beside the answer are made empty. `checks`: calls that the client is to carry out are checked, so they are not named.

    `texts`: the parts with their words; `calls`: those calls, by place; `unread`, `beside`: as in an `EventReading`.
    """

    def __init__(self, *, strict: bool, withholds: bool = False, checks: bool = False) -> None:
        super().__init__(strict=strict)
        self._checks = checks
        self._withholds = withholds
        self._blank = False
        self.texts: list[PartText] = []
        self.calls: list[tuple[int, Json]] = []
        self.beside: list[str] = []

    def event(self, chunk: Json) -> Json | None:
        """An event as it may go out where text is held; None: not at all."""
        kind, place = str(chunk.get("type")), number_of(chunk.get("output_index"))
        self._blank = self._strict and (kind.endswith(".added") or kind in BEGINNINGS)
        if kind in TEXTS:
            return self._text(chunk, *TEXTS[kind])
        if kind.startswith("response.content_part."):
            return self._with(
                chunk, "part", self.part(chunk.get("part"), place, number_of(chunk.get("content_index")))
            )
        if kind.startswith("response.output_item."):
            return self._with(chunk, "item", self.item(chunk.get("item"), place))
        if kind == "error":
            return chunk
        if kind in _WHOLE:
            return self._with(chunk, "response", self.response(chunk.get("response")))
        if _THOUGHT.fullmatch(kind) or _TOOL.fullmatch(kind):
            return self._aside(chunk, kind)
        return self._beside_text(chunk, kind)

    def _beside_text(self, chunk: Json, kind: str) -> Json | None:
        """What tells of an annotation or of the state of something; and what is not known."""
        if kind == "response.output_text.annotation.added":
            kept = self._known(chunk, _PLACES | {"annotation", "annotation_index"}, kind)
            return withheld(kept, frozenset(("annotation",))) if self._withholds else kept
        if _STATE.fullmatch(kind) or not holds_words({n: v for n, v in chunk.items() if n not in _PLACES}):
            return self._known(chunk, _PLACES, kind)
        if not self._strict:
            self.unread.append(f"an event of type {kind[:60]}")
        return None if self._strict else chunk

    def _aside(self, chunk: Json, kind: str) -> Json:
        """What tells of reasoning or of a tool."""
        if self._withholds and not CALL_EVENT.fullmatch(kind):
            return {name: told if name in _PLACES else emptied(told, name) for name, told in chunk.items()}
        if not (self._checks and CALL_EVENT.fullmatch(kind)):
            self.beside.append(REASONING if _THOUGHT.fullmatch(kind) else TOOL_CALLS)
        return chunk

    def _text(self, chunk: Json, kind: str, name: str) -> Json:
        self._string(chunk.get(name))
        kept = self._known(chunk, _PLACES | {name, "logprobs"}, str(chunk["type"]))
        return self._spelled(kept, chunk.get(name))

    def _spelled(self, told: Json, text: object) -> Json:
        """Without log probabilities that are not those of the words, if `strict`."""
        probs = told.get("logprobs")
        if not self._strict or not probs or (isinstance(text, str) and text and spells(probs, text)):
            return told
        return {**told, "logprobs": []}  # they are words, too

    def _with(self, chunk: Json, name: str, held: object) -> Json:
        kept = self._known(chunk, _PLACES | {name}, str(chunk["type"]))
        return {**kept, name: held} if name in chunk else kept

    def response(self, response: object) -> object:
        """A response with its items."""
        if not isinstance(response, dict):
            if response is not None:
                self._strange("a response that is not a JSON object")
            return response
        items = [self.item(item, place) for place, item in enumerate(self._output(response))]
        joined = response.get("output_text")
        if joined and joined != "".join(one.text for one in self.texts if one.kind != "refusal"):
            self._strange("text outside of the output")
        kept = self._known(response, _RESPONSE | {"output_text"}, "response", prose=True)
        if not self._strict:
            return response
        kept = {
            name: value for name, value in kept.items() if name != "output_text"
        }  # SDKs write it themselves
        return {**kept, "output": items} if "output" in kept else kept

    def _output(self, response: Json) -> list[Any]:
        output = response.get("output") or []
        if not isinstance(output, list):
            self._strange("output that is not a list")
            return []
        return _over_items(output) if self._strict else output

    def item(self, item: object, place: int) -> object:
        """An item of the output."""
        if not isinstance(item, dict):
            self._strange("an output item that is not a JSON object")
            return item
        kind = str(item.get("type"))
        if kind == "reasoning" or _TOOL_ITEM.fullmatch(kind):
            return self._tool(item, kind, place)
        if kind != "message":
            told = {name: value for name, value in item.items() if name not in ("type", "id", "status")}
            self._other(told, f"an output item of type {kind[:60]!r}")
            return item
        return self._message(item, place)

    def _message(self, item: Json, place: int) -> object:
        content = item.get("content") or []
        if not isinstance(content, list):
            self._strange("content that is not a list")
            return item
        told = [_as_one(one) for one in joined(content, _text_of)] if self._strict else content
        parts = [self.part(part, place, number) for number, part in enumerate(told)]
        kept = self._known(item, _MESSAGE, "item")
        return {**kept, "content": parts} if self._strict and "content" in kept else kept

    def _tool(self, item: Json, kind: str, place: int) -> object:
        """An item of reasoning or of a tool."""
        if self._checks and kind in CALL_ITEMS:
            self.calls.append((place, item))
            return emptied(item) if self._blank and arguments(item) else item
        if self._withholds and kind not in CALL_ITEMS:
            return emptied(item)
        self.beside.append(REASONING if kind == "reasoning" else TOOL_CALLS)
        return item

    def part(self, part: object, place: int, number: int) -> object:
        """A part of a message, or of reasoning."""
        kind = kind_of(part)
        if kind in ("reasoning_text", "summary_text"):
            if self._withholds:
                return emptied(part)
            self.beside.append(REASONING)
            return part
        if not isinstance(part, dict) or kind not in HOLDS:
            self._other(part, f"a part of type {kind[:60]!r}")
            return part
        name = HOLDS[kind]
        text = part.get(name)
        self._string(text)
        if isinstance(text, str):
            self.texts.append(PartText(place, number, kind, text))
        other = _PART - ({"text", "refusal"} - {name})
        kept = self._spelled(self._known(part, other, "part"), text)
        kept = withheld(kept, frozenset(("annotations",))) if self._withholds else kept
        blank = {name: "", "logprobs": []} if "logprobs" in kept else {name: ""}
        return {**kept, **blank} if self._blank and text else kept


def _over_items(output: list[Any]) -> list[Any]:
    """Items in which a sentence that goes on in the next message stands in the first one, as SDKs put them together."""
    told = list(output)
    last: list[Any] = []
    for place, item in enumerate(told):
        content = item.get("content") if kind_of(item) == "message" else None
        if not isinstance(content, list) or not content:
            continue
        parts = [_as_one(one) for one in joined(content, _text_of)]
        said = _text_of(last[-1]) if last else None
        if said is not None and unfinished(said) and _text_of(parts[0]) is not None:
            last[-1] = _as_one([last[-1], parts.pop(0)])
        told[place] = {**item, "content": parts}
        last = parts or last
    return told


def _as_one(parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    length, cited = 0, []
    for part in parts:
        cited += [_moved(one, length) for one in part.get("annotations") or ()]
        length += len(part["text"])
    text = "".join(part["text"] for part in parts)
    return {**parts[0], "text": text, "annotations": cited, "logprobs": []}


def _text_of(part: object) -> str | None:
    text = part.get("text") if isinstance(part, dict) and part.get("type") == "output_text" else None
    return text if isinstance(text, str) else None


def _moved(annotation: Any, by: int) -> Any:
    if not isinstance(annotation, dict):
        return annotation
    places = {name: annotation.get(name) for name in ("start_index", "end_index")}
    return {**annotation, **{name: at + by for name, at in places.items() if isinstance(at, int)}}


def number_of(value: object) -> int:
    """An index as it is told; 0 where it is none."""
    return value if isinstance(value, int) else 0
