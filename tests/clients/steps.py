"""What every client of the matrix is asked to do, and what must come of it.

A step goes to a driver as JSON: `{name, how, model, policy, tools?, n?, json?, retries?}`; a line comes back:
`{name, texts, finish, usage, tools, report, error?}`. `how` is the client's own way of asking; one that a client does not have
is left out for it. `model` is `SCRIPT.STEP`, see `model.answer`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.clients.model import ARGUMENTS, FIRST, OTHER, REVISED, TEXT, USAGE, VALUES

Told = Mapping[str, Any]
WAYS = ("whole", "stream", "helper", "responses", "responses_stream", "responses_helper")
STREAMED = ("stream", "helper", "responses_stream", "responses_helper")
# The policies of the run, beside the presets. The last one takes every request that names none.
POLICIES = """\
name: refuse
extends: block
block: {with: error, status: 403}
match: {model: asked-by-header}
---
name: halt
extends: block
mode: hold
answer: []
match: {model: asked-by-header}
---
name: halt-with-error
extends: block
mode: hold
answer: []
block: {with: error}
match: {model: asked-by-header}
---
name: live
extends: annotate
"""
COLUMNS = (
    "whole",
    "stream",
    "stream helper",
    "tools",
    "n=2",
    "JSON mode",
    "blocked before",
    "blocked in mid-stream",
    "revised",
    "upstream fault",
    "Responses",
)


@dataclass(frozen=True, slots=True)
class Step:
    """`column`: where it counts in the table. `right`: says what is wrong with what a client tells, "" if nothing.

    `asks`: how often the model's server may be asked.
    """

    column: str
    how: str
    script: str
    policy: str
    right: Callable[[Told], str]
    more: tuple[tuple[str, object], ...] = ()
    asks: int = 1

    @property
    def name(self) -> str:
        return f"{self.column}: {self.script} by {self.how} under {self.policy}"

    def told(self, number: int) -> dict[str, object]:
        head = {"name": self.name, "how": self.how, "policy": self.policy}
        return {**head, "model": f"{self.script}.{number}", **dict(self.more)}


def steps() -> tuple[Step, ...]:
    return (*_plain(), *_tools(), *_several(), *_values(), *_blocked(), *_revised(), *_faults())


# ── what is right ─────────────────────────────────────────────────────────────────────────────────────


def says(*texts: str, finish: str = "stop", report: str = "flagged") -> Callable[[Told], str]:
    """An answer in these words, with its end, the provider's usage and, where a client keeps it, our report."""

    def right(told: Told) -> str:
        found = {name: told.get(name) for name in ("texts", "usage", "error")}
        wanted = {"texts": list(texts), "usage": USAGE, "error": None}
        ends = [finish if end != "completed" else end for end in told.get("finish", ())]
        if found != wanted:
            return f"{found} instead of {wanted}"
        if ends not in ([finish] * len(texts), ["completed"] * len(texts)):
            return f"ends with {told.get('finish')}"
        return "" if told.get("report", report) == report else f"the report is {told.get('report')}"

    return right


def calls(told: Told) -> str:
    """The tool call as the model made it."""
    made = [(name, json.loads(arguments)) for name, arguments in told.get("tools", ())]
    if made != [("look", json.loads(ARGUMENTS))]:
        return f"tool calls {told.get('tools')}"
    return "" if not any(told.get("texts", ())) else f"words beside the call: {told.get('texts')}"


def call_withheld(told: Told) -> str:
    """The call says something wrong: an error stands in its place."""
    if told.get("tools"):
        return f"tool calls {told['tools']}"
    return "" if told.get("error") else f"no error but {told}"


def holds_values(*answers: str) -> Callable[[Told], str]:
    """The text is JSON with the values of the model, or with verified ones."""

    def right(told: Told) -> str:
        (text,) = told.get("texts") or [""]
        try:
            found = json.loads(text)
        except ValueError:
            return f"no JSON: {text!r}"
        wanted = [{**json.loads(VALUES), "answer": answer} for answer in answers]
        return "" if found in wanted else f"{found} is none of {wanted}"

    return right


def hides(told: Told) -> str:
    """A block that is a message: not a word of what is wrong, and the usage of the upstream."""
    (text,) = told.get("texts") or [""]
    if "wrong" in text or not text or told.get("error"):
        return f"{text!r} {told.get('error')}"
    return "" if told.get("usage") == USAGE else f"usage {told.get('usage')}"


def stops_after(first: str) -> Callable[[Told], str]:
    """A block in mid-stream that is a message behind what was right."""

    def right(told: Told) -> str:
        (text,) = told.get("texts") or [""]
        return hides(told) if text.startswith(first) and len(text) > len(first) else f"{text!r}"

    return right


def fails(*statuses: int | None, code: str | None = None) -> Callable[[Told], str]:
    """An error of the client's own kind. A client that drops the code of an error is not asked for it."""

    def right(told: Told) -> str:
        error = told.get("error")
        if error is None or told.get("crash"):
            return f"no error of the client's: {dict(told)}"
        if "wrong" in "".join(told.get("texts", ())):
            return f"shows what was blocked: {told['texts']}"
        known = error["status"] in (*statuses, None) and error["code"] in (code, None, *map(str, statuses))
        return "" if known or code is None else f"{error}"

    return right


def breaks_off(told: Told) -> str:
    """An answer that broke off is never told as a whole one."""
    return "" if told.get("error") else f"no error: {dict(told)}"


# ── the steps ─────────────────────────────────────────────────────────────────────────────────────────


def _plain() -> Iterator[Step]:
    columns = dict(zip(WAYS, ("whole", "stream", "stream helper", *["Responses"] * 3), strict=True))
    for how in WAYS:
        yield Step(columns[how], how, "plain", "live", says(TEXT))
        yield Step(columns[how], how, "plain", "shadow", _without_report)


def _without_report(told: Told) -> str:
    return says(TEXT)({**told, "report": "flagged"}) or (
        "" if not told.get("report") else "there is a report"
    )


def _tools() -> Iterator[Step]:
    for how in WAYS:
        for policy in ("live", "revise"):
            yield Step("tools", how, "tools", policy, calls, (("tools", True),))
        yield Step("tools", how, "tools", "block", call_withheld, (("tools", True),))


def _several() -> Iterator[Step]:
    for how in ("whole", "stream"):
        yield Step("n=2", how, "two", "live", says(TEXT, OTHER), (("n", 2),))
        yield Step("n=2", how, "two", "revise", says(REVISED, OTHER), (("n", 2),))


def _values() -> Iterator[Step]:
    right = "It is right."
    for how in WAYS:
        for policy in ("live", "attach", "revise"):
            answers = ("It is wrong.", right) if policy == "revise" else ("It is wrong.",)
            yield Step("JSON mode", how, "json", policy, holds_values(*answers), (("json", True),))


def _blocked() -> Iterator[Step]:
    for how in WAYS:
        yield Step("blocked before", how, "plain", "block", hides)
        refused = fails(403, code="content_blocked")
        yield Step("blocked before", how, "plain", "refuse", refused, (("retries", 2),))
        if how in STREAMED:
            yield Step("blocked in mid-stream", how, "plain", "halt", stops_after(FIRST))
            broken = fails(200, 500, code="content_blocked")
            yield Step("blocked in mid-stream", how, "plain", "halt-with-error", broken, (("retries", 2),))


def _revised() -> Iterator[Step]:
    for how in WAYS:
        yield Step("revised", how, "plain", "revise", says(REVISED))


def _faults() -> Iterator[Step]:
    for how in WAYS:
        for policy in ("live", "revise"):
            yield Step("upstream fault", how, "down", policy, fails(500, code=""))
            yield Step("upstream fault", how, "cut", policy, breaks_off)
