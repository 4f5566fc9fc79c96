"""The cases: what a hostile model server answers, what a hostile client asks, what an answer may say in disguise.

They were written by somebody who knew what the product is for and had not seen its code. `sealed.jsonl` is for reports
alone: whoever works on the code looks at its figures, not at its cases.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

HERE = Path(__file__).parent
PARTS = ("open", "sealed")
GROUPS = ("shapes", "paths", "texts", "benign")
PATHS = {
    "chat": "/v1/chat/completions",
    "responses": "/v1/responses",
    "completions": "/v1/completions",
    "messages": "/v1/messages",
}
_QUESTION = "Tell me something about capitals."
_TEXT_ANSWER = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model's server sends: its head's fields as given, `pieces` in one write each. `framed`: no length is added."""

    status: int
    headers: tuple[tuple[str, str], ...]
    pieces: tuple[bytes, ...]
    framed: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One attack. `bad`: what must not be shown unflagged; empty where all is well and `text` must come through.

    `before`: words of the request that a reader sees before the answer. `framed`: the body is sent without a length of ours.
    `flaggable`: shown and flagged is enough under every policy. `debatable`: only unusual clients would show it.
    """

    id: str
    group: str
    idea: str
    kind: str
    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    answer: Answer
    bad: str
    text: str = ""
    before: str = ""
    framed: bool = False
    flaggable: bool = False
    debatable: bool = False


def cases(part: str) -> Iterator[Case]:
    """The cases of "open" or "sealed", in the order of the file."""
    for line in (HERE / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield _READERS[row["group"]](row)


def _shape(row: Mapping[str, Any]) -> Case:
    api, body, more = row["api"], _bytes(row), row.get("request") or {}
    cuts = [0, *sorted(row.get("chunks") or ()), len(body)]
    pieces = tuple(body[start:end] for start, end in pairwise(cuts) if start < end)
    headers = tuple((row.get("headers") or {}).items())
    answer = Answer(row.get("status", 200), headers, pieces, bool(row.get("raw_framing")))
    asked = _asked(api, stream=bool(row.get("stream")), **more)
    found = _case(row, api, PATHS[api], asked, answer)
    return replace(found, before=_last_words(more)) if row.get("needs_request") else found


def _path(row: Mapping[str, Any]) -> Case:
    told = row.get("answer") or _bad_answer(row["path"], row["bad"])
    body = told.encode() if isinstance(told, str) else orjson.dumps(told)
    kind = row.get("answer_type", "application/json")
    return Case(
        id=row["id"],
        group="paths",
        idea=row["idea"],
        kind="path",
        method=row["method"],
        target=row["path"],
        headers=tuple((str(name), str(value)) for name, value in row.get("headers") or ()),
        body=_bytes(row),
        answer=Answer(200, (("content-type", kind),), (body,)),
        bad=row["bad"],
        framed=bool(row.get("raw_framing")),
        flaggable=bool(row.get("flag_ok")),
        debatable=bool(row.get("debatable")),
    )


def _text(row: Mapping[str, Any]) -> Case:
    message = {"role": "assistant", "content": row["text"]}
    told = {**_TEXT_ANSWER, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    answer = Answer(200, (("content-type", "application/json"),), (orjson.dumps(told),))
    more = {"response_format": {"type": "json_object"}} if row.get("json_mode") else {}
    return _case(row, row.get("kind", ""), PATHS["chat"], _asked("chat", stream=False, **more), answer)


def _case(row: Mapping[str, Any], kind: str, target: str, asked: bytes, answer: Answer) -> Case:
    return Case(
        id=row["id"],
        group=row["group"],
        idea=row["idea"],
        kind=kind,
        method="POST",
        target=target,
        headers=(("content-type", "application/json"),),
        body=asked,
        answer=answer,
        bad=row.get("bad", ""),
        text=row.get("text", ""),
        debatable=bool(row.get("debatable")),
    )


_READERS = {"shapes": _shape, "paths": _path, "texts": _text, "benign": _text}


def _bytes(row: Mapping[str, Any]) -> bytes:
    if encoded := row.get("body_b64"):
        return base64.b64decode(encoded)
    body = row.get("body") or ""
    return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else orjson.dumps(body)


def _asked(api: str, *, stream: bool, **more: object) -> bytes:
    words: dict[str, object] = {"model": "m", "stream": stream, **more}
    if api == "responses":
        words["input"] = _QUESTION
    elif api == "completions":
        words["prompt"] = _QUESTION
    else:
        words["messages"] = [{"role": "user", "content": _QUESTION}]
    if api == "messages":
        words["max_tokens"] = 100
    return orjson.dumps(words)


def _last_words(request: Mapping[str, Any]) -> str:
    """What a request begins for the model to go on with."""
    if isinstance(prompt := request.get("prompt"), str):
        return prompt
    messages = request.get("messages") or request.get("input") or ()
    last = messages[-1] if isinstance(messages, list) and messages else messages
    return str(last.get("content") or "") if isinstance(last, dict) else str(last or "")


def _bad_answer(path: str, bad: str) -> dict[str, object]:
    """A well-formed answer of the API that a path names."""
    lower = path.lower()
    if "response" in lower:
        part = {"type": "output_text", "text": bad, "annotations": []}
        item = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
        return {"id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": [item]}
    if "message" in lower:
        said: dict[str, object] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
        return {**said, "content": [{"type": "text", "text": bad}], "stop_reason": "end_turn", "usage": {}}
    if "completions" in lower and "chat" not in lower:
        choice: dict[str, object] = {"index": 0, "text": bad, "finish_reason": "stop"}
        return {"id": "cmpl-1", "object": "text_completion", "created": 1, "model": "m", "choices": [choice]}
    message = {"role": "assistant", "content": bad}
    return {**_TEXT_ANSWER, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
