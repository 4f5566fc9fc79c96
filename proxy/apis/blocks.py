"""The events and blocks of an Anthropic message: which parts are answer text, and which are known not to be.

One table for streamed and whole messages.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from proxy.apis.fields import FieldReader, kind_of
from proxy.wire.aside import DELTAS, emptied, withheld
from proxy.wire.shapes import (
    REASONING,
    TOOL_CALLS,
    holds_words,
    joined,
    unfinished,
)
from proxy.wire.surface import Json

__all__ = ["BlockReader", "Joined"]

_EVENT = {
    "message_start": frozenset(("type", "message")),
    "content_block_start": frozenset(("type", "index", "content_block")),
    "content_block_delta": frozenset(("type", "index", "delta")),
    "content_block_stop": frozenset(("type", "index")),
    "message_delta": frozenset(("type", "delta", "usage", "context_management")),
    "message_stop": frozenset(("type",)),
    "ping": frozenset(("type",)),
}
_MESSAGE = frozenset(
    (
        "container",
        "content",
        "context_management",
        "id",
        "model",
        "role",
        "stop_details",
        "stop_reason",
        "stop_sequence",
        "type",
        "usage",
    )
)
_END = frozenset(("container", "stop_details", "stop_reason", "stop_sequence"))
_ASIDE = frozenset(("container", "context_management", "stop_details"))
_TEXT = frozenset(("type", "text", "citations"))
_TOOL = re.compile(r"\w*tool_use|\w*tool_result|container_upload")
_THOUGHT = re.compile(r"(?:redacted_)?thinking|compaction")
# By a delta's type: what it tells of, and what it may hold.
_DELTAS = {
    "text_delta": ("", frozenset(("type", "text"))),
    "citations_delta": ("", frozenset(("type", "citation"))),
    "input_json_delta": (TOOL_CALLS, frozenset(("type", "partial_json"))),
    "thinking_delta": (REASONING, frozenset(("type", "thinking", "estimated_tokens"))),
    "signature_delta": (REASONING, frozenset(("type", "signature"))),
    "compaction_delta": (REASONING, frozenset(("type", "content"))),
}


class BlockReader(FieldReader):
    """Reads one event or message. `strict`: what cannot be read raises UpstreamBroken, or is left out. `withholds`: words
    beside the answer are made empty; `calls`: the numbers of blocks that are the client's tools. `checks`: those are checked, so
    they are not named.

    `text`: what a block begins with, or a delta adds; `unread`, `beside`: as in an `EventReading`.
    """

    def __init__(
        self,
        *,
        strict: bool,
        withholds: bool = False,
        checks: bool = False,
        calls: Collection[object] = (),
    ) -> None:
        super().__init__(strict=strict)
        self._checks = checks
        self._withholds = withholds
        self._calls = calls
        self.text = ""
        self.beside: list[str] = []

    def event(self, chunk: Json) -> Json | None:
        """An event as it may go out where text is held; None: not at all."""
        kind = str(chunk.get("type"))
        if kind not in _EVENT:
            return self._unknown(chunk, kind)
        kept = self._known(chunk, _EVENT[kind], kind)
        if "index" in _EVENT[kind] and not _is_index(chunk.get("index")):
            self._strange("a block without a number")
        elif kind == "content_block_start":
            kept = {**kept, "content_block": self._begun(chunk.get("content_block"))}
        elif kind == "content_block_delta":
            kept = {**kept, "delta": self._delta(chunk.get("delta"), chunk.get("index"))}
        elif kind == "message_start" and isinstance(message := chunk.get("message"), dict):
            self._other(message.get("content"), "text before the first block")
            kept = {**kept, "message": self._around(self._known(message, _MESSAGE, "message", prose=True))}
        elif kind == "message_delta" and isinstance(delta := chunk.get("delta"), dict):
            kept = self._around({**kept, "delta": self._around(self._known(delta, _END, "delta"))})
        return kept

    def _around(self, told: Json) -> Json:
        return withheld(told, _ASIDE) if self._withholds else told

    def _unknown(self, chunk: Json, kind: str) -> Json | None:
        told = {name: value for name, value in chunk.items() if name != "type"}
        if kind == "error" or not holds_words(told):
            return chunk
        if not self._strict:
            self.unread.append(f"an event of type {kind[:60]}")
        return None if self._strict else chunk

    def _begun(self, block: object) -> object:
        kept, self.text = self.block(block)
        return {**kept, "text": ""} if self._strict and isinstance(kept, dict) and self.text else kept

    def block(self, block: object) -> tuple[object, str]:
        """A block of content, and its words if it is text."""
        kind = kind_of(block)
        if isinstance(block, dict) and kind == "text":
            text = self._string(block.get("text"))
            kept = self._known(block, _TEXT, "block")
            return withheld(kept, frozenset(("citations",))) if self._withholds else kept, text
        if _TOOL.fullmatch(kind) or _THOUGHT.fullmatch(kind):
            return self._aside(block, kind), ""
        self._other(
            {**block, "type": None} if isinstance(block, dict) else block, f"a block of type {kind[:60]!r}"
        )
        return block, ""

    def _aside(self, block: object, kind: str) -> object:
        """A block of reasoning or of a tool; the client's own is the answer's."""
        if self._withholds and kind != "tool_use":
            return emptied(block)
        self._note(TOOL_CALLS if _TOOL.fullmatch(kind) else REASONING, call=kind == "tool_use")
        return block

    def _note(self, beside: str, *, call: bool) -> None:
        """Names what is beside the text, if it is; a call of the client's tools is not, where those are checked."""
        if beside and not (self._checks and call):
            self.beside.append(beside)

    def _delta(self, delta: object, index: object) -> object:
        kind = kind_of(delta)
        if not isinstance(delta, dict) or kind not in _DELTAS:
            self._other(delta, f"a delta of type {kind[:60]!r}")
            return delta
        beside, known = _DELTAS[kind]
        call = beside == TOOL_CALLS and index in self._calls
        if self._withholds and kind in DELTAS and not call:
            return withheld(self._known(delta, known, "delta"), frozenset((DELTAS[kind],)))
        self._note(beside, call=call)
        self.text = self._string(delta.get("text") if kind == "text_delta" else None)
        return self._known(delta, known, "delta")

    def message(self, body: Json) -> Json:
        """A whole message."""
        content = body.get("content") or []
        if not isinstance(content, list):
            self._strange("content that is not a list")
            return body
        blocks = [self.block(block)[0] for block in content]
        kept = self._around(self._known(body, _MESSAGE, "message", prose=True))
        return (
            {**kept, "content": [_as_one(one) for one in joined(blocks, _text_of)]}
            if self._strict and "content" in kept
            else kept
        )


class Joined:
    """Text blocks over which one sentence goes are one block, where text is held: half a sentence says nothing.

    Clients put them together when they show them, as those who cite cut their answers so. Later blocks move up.
    """

    def __init__(self) -> None:
        self._text: int | None = None  # the block that is speaking or has just spoken …
        self._said = ""  # … and what
        self.waits = False  # its end came, and may not be told yet
        self._joined = 0

    def read(self, chunk: Json, text: str) -> Json | None:
        """The event with the block's number among those that go out; None: it goes out later, or not at all.

        While it `waits`, call `end` before an event that is not for the block that waits.
        """
        kind = chunk.get("type")
        told = chunk.get("index")
        if not isinstance(told, int):
            return chunk
        index = told - self._joined
        if kind == "content_block_start":
            return self._start(chunk, index, text)
        self._said = (self._said + text)[-100:] if index == self._text else self._said
        if kind == "content_block_stop" and index == self._text and unfinished(self._said):
            self.waits = True
            return None
        return {**chunk, "index": index}

    def _start(self, chunk: Json, index: int, text: str) -> Json | None:
        if self.waits:
            self.waits = False
            self._joined += 1
            self._said += text
            delta = {"type": "text_delta", "text": text}
            return {"type": "content_block_delta", "index": self._text, "delta": delta} if text else None
        block: Any = chunk.get("content_block")
        self._text = index if isinstance(block, dict) and block.get("type") == "text" else None
        self._said = text
        return {**chunk, "index": index}

    def continues(self, chunk: Json) -> bool:
        """The event goes on with the block that waits, or is for no block."""
        block: Any = chunk.get("content_block")
        begins = chunk.get("type") == "content_block_start" and isinstance(block, dict)
        return chunk.get("type") == "ping" or (begins and block.get("type") == "text")

    def end(self) -> Json:
        """The end of the block that waits."""
        self.waits = False
        return {"type": "content_block_stop", "index": self._text}


def _as_one(blocks: list[Any]) -> Any:
    if len(blocks) == 1:
        return blocks[0]
    cited = [one for block in blocks for one in block.get("citations") or ()]
    text = "".join(block["text"] for block in blocks)
    return {**blocks[0], "text": text, **({"citations": cited} if cited else {})}


def _text_of(block: object) -> str | None:
    text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _is_index(value: object) -> bool:
    return type(value) is int and value >= 0
