"""Chat completions and, with `prompt` for `messages`, completions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import zip_longest

import orjson

from proxy.demo.samples import reply
from proxy.demo.speech import Json, Steps, choices_of, last_said, new_id, said, tokens, words_of
from proxy.wire.sse import encode

__all__ = ["Chat", "Completions"]

_DONE = encode(b"[DONE]")


class Chat:
    """POST /v1/chat/completions. Implements `Api`."""

    def whole(self, request: Json) -> Json:
        asked = last_said(request.get("messages"))
        texts = [reply(asked, index) for index in range(choices_of(request))]
        choices = [
            _choice(index, message={"role": "assistant", "content": text, "refusal": None}, end="stop")
            for index, text in enumerate(texts)
        ]
        head = _head("chatcmpl-", "chat.completion", request)
        return {**head, "choices": choices, "usage": _usage([asked], texts)}

    def stream(self, request: Json) -> Steps:
        asked = last_said(request.get("messages"))
        texts = [reply(asked, index) for index in range(choices_of(request))]
        head = _head("chatcmpl-", "chat.completion.chunk", request)
        first: Json = {"role": "assistant", "content": ""}
        yield [_event(head, _choice(index, delta=first)) for index in range(len(texts))]
        for row in _rows(texts):
            yield [_event(head, _choice(index, delta={"content": word})) for index, word in row]
        yield [_event(head, _choice(index, delta={}, end="stop")) for index in range(len(texts))]
        yield _closing(head, request, _usage([asked], texts))


class Completions:
    """POST /v1/completions: several prompts and several answers to each. Implements `Api`."""

    def whole(self, request: Json) -> Json:
        prompts, texts = _prompted(request)
        choices = [_choice(index, text=text, end="stop") for index, text in enumerate(texts)]
        head = _head("cmpl-", "text_completion", request)
        return {**head, "choices": choices, "usage": _usage(prompts, texts)}

    def stream(self, request: Json) -> Steps:
        prompts, texts = _prompted(request)
        head = _head("cmpl-", "text_completion", request)
        for row in _rows(texts):
            yield [_event(head, _choice(index, text=word)) for index, word in row]
        yield [_event(head, _choice(index, text="", end="stop")) for index in range(len(texts))]
        yield _closing(head, request, _usage(prompts, texts))


def _prompted(request: Json) -> tuple[list[str], list[str]]:
    """The prompts, and the answers to each in order."""
    given = request.get("prompt")
    prompts = [said(one) for one in given] if isinstance(given, list) else [said(given)]
    return prompts, [reply(prompt, index) for prompt in prompts for index in range(choices_of(request))]


def _head(prefix: str, kind: str, request: Json) -> Json:
    return {"id": new_id(prefix), "object": kind, "created": int(time.time()), "model": request["model"]}


def _choice(index: int, *, end: str | None = None, **content: object) -> Json:
    return {"index": index, **content, "logprobs": None, "finish_reason": end}


def _event(head: Json, choice: Json) -> bytes:
    return encode(orjson.dumps({**head, "choices": [choice]}))


def _rows(texts: Sequence[str]) -> list[list[tuple[int, str]]]:
    """The next piece of each text that still has one, with the text's place."""
    rows = zip_longest(*map(words_of, texts))
    return [[(index, word) for index, word in enumerate(row) if word is not None] for row in rows]


def _closing(head: Json, request: Json, usage: Json) -> list[bytes]:
    options = request.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        return [encode(orjson.dumps({**head, "choices": [], "usage": usage})), _DONE]
    return [_DONE]


def _usage(asked: Sequence[str], texts: Sequence[str]) -> Json:
    prompt, completion = tokens(*asked), tokens(*texts)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
