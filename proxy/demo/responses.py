"""OpenAI's Responses."""

from __future__ import annotations

import time
from itertools import count

from proxy.demo.samples import reply
from proxy.demo.speech import Json, Steps, last_said, named_event, new_id, tokens, words_of

__all__ = ["Responses"]


class Responses:
    """POST /v1/responses. Nothing is stored. Implements `Api`."""

    def whole(self, request: Json) -> Json:
        asked = _asked(request)
        text = reply(asked)
        return _response(request, [_message(new_id("msg_"), text)], _usage(asked, text))

    def stream(self, request: Json) -> Steps:
        asked = _asked(request)
        text, message, numbers = reply(asked), new_id("msg_"), count()
        begun = _response(request, [], None)
        at: Json = {"item_id": message, "output_index": 0, "content_index": 0}

        def event(kind: str, **fields: object) -> bytes:
            return named_event({"type": f"response.{kind}", "sequence_number": next(numbers), **fields})

        item = _message(message, None)
        yield [
            event("created", response=begun),
            event("in_progress", response=begun),
            event("output_item.added", output_index=0, item=item),
            event("content_part.added", **at, part=_part("")),
        ]
        for word in words_of(text):
            yield [event("output_text.delta", **at, delta=word, logprobs=[])]
        done = _message(message, text)
        whole = {**begun, "status": "completed", "output": [done], "usage": _usage(asked, text)}
        yield [
            event("output_text.done", **at, text=text, logprobs=[]),
            event("content_part.done", **at, part=_part(text)),
            event("output_item.done", output_index=0, item=done),
            event("completed", response=whole),
        ]


def _asked(request: Json) -> str:
    given = request.get("input")
    return given if isinstance(given, str) else last_said(given)


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _message(name: str, text: str | None) -> Json:
    """A message of the answer; without `text` one that has only begun."""
    status, content = ("in_progress", []) if text is None else ("completed", [_part(text)])
    return {"id": name, "type": "message", "role": "assistant", "status": status, "content": content}


def _response(request: Json, output: list[Json], usage: Json | None) -> Json:
    return {
        "id": new_id("resp_"),
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed" if output else "in_progress",
        "model": request["model"],
        "output": output,
        "usage": usage,
        "error": None,
        "incomplete_details": None,
        "instructions": request.get("instructions"),
        "metadata": request.get("metadata") or {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "tool_choice": "auto",
        "tools": [],
    }


def _usage(asked: str, text: str) -> Json:
    read, written = tokens(asked), tokens(text)
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }
