"""Tool calls among the items of a response that the client has to carry out: what is read of each, and when.

What a call holds is told up to four times: by the item when it begins, in pieces, when it is done, and with the whole response.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from proxy.wire.calls import ToolCall
from proxy.wire.shapes import cannot_read, holds_words

__all__ = ["DIFFERENT", "ItemCalls", "arguments", "called"]

DIFFERENT = "a tool call with two different arguments"
# By an item's type, what holds its arguments as one string. Of others all is read that is no name, as JSON.
_HOLDS = {"custom_tool_call": "input", "function_call": "arguments", "mcp_approval_request": "arguments"}
_NAMES = frozenset(
    (
        "approval_request_id",
        "call_id",
        "created_by",
        "id",
        "name",
        "namespace",
        "server_label",
        "status",
        "type",
    )
)


def arguments(item: Mapping[str, Any]) -> str:
    """The text that is checked of a call; empty where it holds no words."""
    held = _HOLDS.get(str(item.get("type")), "")
    rest = {name: value for name, value in item.items() if name not in _NAMES and name != held}
    given = item.get(held)
    if isinstance(given, str) and not holds_words(rest, prose=True):
        return given
    told = rest if given is None else {**rest, held: given}
    return orjson.dumps(told).decode() if holds_words(told) else ""


def called(item: Mapping[str, Any], number: int, place: int) -> ToolCall:
    """The call that an item at a place of the output tells of."""
    return ToolCall(number, number, place, str(item.get("call_id") or ""), str(item.get("name") or ""))


class ItemCalls:
    """Those of one streamed response, by number. `strict`: what differs from what was read is not passed."""

    def __init__(self) -> None:
        self._calls: dict[int, ToolCall] = {}
        self._heard: dict[int, list[str]] = {}
        self._length: dict[int, int] = {}
        self._ended: set[int] = set()

    def __getitem__(self, number: int) -> ToolCall:
        return self._calls[number]

    def begin(self, number: int, place: int, item: Mapping[str, Any]) -> None:
        """Notes a call; the first word on its names stands."""
        self._calls.setdefault(number, called(item, number, place))
        self._heard.setdefault(number, [])

    def ended(self, number: int) -> bool:
        """All of it was told."""
        return number in self._ended

    def piece(self, number: int, text: str) -> str:
        """Takes a piece; returns what of it is to be read. Raises UpstreamBroken behind the end."""
        if text and self.ended(number):
            raise cannot_read(DIFFERENT)
        if text:
            self._heard[number].append(text)
            self._length[number] = self._length.get(number, 0) + len(text)
        return text

    def whole(self, number: int, text: str) -> str:
        """Takes all of a call; returns what of it was not read yet. Raises UpstreamBroken where it is not what was read."""
        heard, ended = self._heard[number], self.ended(number)
        self._ended.add(number)
        if not heard and not ended:
            heard.append(text)
            self._length[number] = len(text)
            return text
        if text and (len(text) != self._length.get(number, 0) or text != "".join(heard)):
            raise cannot_read(DIFFERENT)
        return ""
