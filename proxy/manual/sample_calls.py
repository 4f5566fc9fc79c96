"""Calls of the API with their answers, from `sample_calls.yaml`: the examples of the OpenAPI document and of the manual."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import yaml

__all__ = ["ANYTHING", "Call", "fits", "sample_calls"]

ANYTHING = "…"
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Call:
    """`operation`: as "POST /guardrail/verify". `path`: with the query; names in braces stand for what earlier answers gave.

    `type`: of the body; a body that is text is sent as it is. `keep`: where in the answer a name for later calls is found.
    """

    operation: str
    status: int
    answer: Any
    title: str = ""
    path: str = ""
    type: str = _JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    keep: Mapping[str, str] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return self.operation.partition(" ")[0]

    @property
    def target(self) -> str:
        return self.path or self.operation.partition(" ")[2]

    @property
    def answer_type(self) -> str:
        """The media type of the answer."""
        if not isinstance(self.answer, str):
            return _JSON
        return "text/event-stream" if self.answer.startswith("data:") else "application/x-ndjson"


@cache
def sample_calls() -> tuple[Call, ...]:
    """All of them, in an order in which they can be made."""
    text = resources.files("proxy.manual").joinpath("sample_calls.yaml").read_text("utf-8")
    return tuple(Call(**one) for one in yaml.safe_load(text))


def fits(found: object, shown: object) -> bool:
    """Whether an answer is as it is shown, where `…` leaves something out and numbers may differ a little."""
    if isinstance(shown, str) and isinstance(found, str):
        pattern = ".*".join(map(re.escape, shown.strip().split(ANYTHING)))
        return re.fullmatch(pattern, found.strip(), re.DOTALL) is not None
    if isinstance(shown, Mapping):
        return isinstance(found, Mapping) and _fields_fit(found, shown)
    if isinstance(shown, list):
        return isinstance(found, list) and _entries_fit(found, shown)
    if isinstance(shown, float):
        return isinstance(found, int | float) and abs(found - shown) < 0.1
    return type(found) is type(shown) and found == shown


def _fields_fit(found: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    named = shown.keys() - {ANYTHING}
    complete = named == found.keys() if ANYTHING not in shown else named <= found.keys()
    return complete and all(fits(found[name], shown[name]) for name in named)


def _entries_fit(found: Sequence[Any], shown: Sequence[Any]) -> bool:
    if shown and shown[-1] == ANYTHING:
        shown = shown[:-1]
        found = found[: len(shown)]
    return len(found) == len(shown) and all(map(fits, found, shown))
