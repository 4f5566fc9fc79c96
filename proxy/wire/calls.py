"""Tool calls in an answer. A policy may have their arguments checked (`tools: check`).

The arguments of a call are a text of their own, with a report of its own; nothing in them is ever changed. Where an API
numbers its calls within a choice, a call's number here stands above those of all choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from guardrail.types import Outcome, Report
from policies.terms import Action
from proxy.wire.shapes import holds_words

__all__ = ["CALLS", "ToolCall", "chat_calls", "number_of", "strange_call", "unrevised", "with_calls"]

CALLS = 1024  # as many choices at most, and as many calls in each
_LEGACY = CALLS - 1  # the place of a `function_call`, of which there is one


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`number`: its own among those of texts and calls; `choice`: the choice that makes it, else `number`.

    `index`: its place as the API counts; `id` and `name` as far as the model tells them.
    """

    number: int
    choice: int
    index: int
    id: str = ""
    name: str = ""

    def to_dict(self) -> dict[str, object]:
        return {"index": self.index, "id": self.id, "name": self.name}


def number_of(choice: int, index: int) -> int:
    """The number of a choice's call."""
    return CALLS * (choice + 1) + index


def chat_calls(told: Mapping[str, Any], choice: int) -> Iterator[tuple[ToolCall, str]]:
    """The calls of a chat message or delta, each with its arguments, or as much of them as the delta brings."""
    found = told.get("tool_calls")
    for place, call in enumerate(found if isinstance(found, list) else ()):
        if isinstance(call, dict):
            index = call.get("index", place)
            index = index if type(index) is int and 0 <= index < _LEGACY else place % _LEGACY
            inner = call.get("function") or call.get("custom")
            yield _chat_call(choice, index, inner if isinstance(inner, dict) else {}, call.get("id"))
    if isinstance(legacy := told.get("function_call"), dict):
        yield _chat_call(choice, _LEGACY, legacy, None)


def strange_call(told: Mapping[str, Any]) -> bool:
    """Whether a chat message or delta holds a call with words that `chat_calls` does not read."""
    found = told.get("tool_calls")
    calls = [one for one in (found if isinstance(found, list) else ()) if isinstance(one, dict)]
    inner = [
        told.get("function_call"),
        *(call.get(name) for call in calls for name in ("function", "custom")),
    ]
    given = [one.get(name) for one in inner if isinstance(one, dict) for name in ("arguments", "input")]
    rest = [_less(call, ("function", "custom")) for call in calls]
    rest += [_less(one, ("arguments", "input")) if isinstance(one, dict) else {"": one} for one in inner]
    rest += [{"": one} for one in given if not isinstance(one, str)]
    return holds_words([list(one.values()) for one in rest], prose=True)


def _less(told: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in names}


def _chat_call(choice: int, index: int, told: Mapping[str, Any], given: object) -> tuple[ToolCall, str]:
    arguments = told.get("arguments", told.get("input"))
    name, identifier = told.get("name"), given if isinstance(given, str) else ""
    call = ToolCall(
        number_of(choice, index), choice, index, identifier, name if isinstance(name, str) else ""
    )
    return call, arguments if isinstance(arguments, str) else ""


def unrevised(report: Report) -> Report:
    """What a decision on a call is made of: as arguments are never altered, no revision is at hand."""
    return replace(report, verdicts=tuple(replace(one, revisions=()) for one in report.verdicts))


def with_calls(body: bytes, calls: Sequence[bytes], *, listed: bool = True) -> bytes:
    """A choice's report with those of its calls under `tool_calls`; the worst outcome and strongest action speak for it, counts are summed.

    Not `listed`: of the calls nothing more is told.
    """
    if not calls or not body:
        return body
    told, found = orjson.loads(body), [orjson.loads(call) for call in calls]
    both = [told, *found]
    told["outcome"] = min((one["outcome"] for one in both), key=lambda outcome: Outcome(outcome).rank)
    told["counts"] = {name: sum(one["counts"][name] for one in both) for name in told["counts"]}
    told["action"] = max((one["action"] for one in both), key=lambda action: Action(action).strength)
    return orjson.dumps({**told, "tool_calls": found} if listed else told)
