"""The demo model: an OpenAI-compatible upstream in this process, so that the proxy can be tried without a key.

It answers its sample questions at a human pace, with planted errors; `verify: <text>` is said back; anything else gets the
list of the questions. Model `demo` speaks as a person reads, `demo-fast` as fast as it can.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import orjson
import yaml

from proxy.sse import encode
from proxy.upstream import Answer, Call
from proxy.wire import Failure, Headers

Json = dict[str, object]
PACE = 0.03  # seconds between two words
MODELS = ("demo", "demo-fast")
MAX_CHOICES = 8
_PIECE = re.compile(r"\s*\S{1,6}")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Sample:
    """A question that the demo model knows. `wrong`: what kind of error its first answer holds."""

    question: str
    answers: tuple[str, ...]
    wrong: str


@cache
def samples() -> tuple[Sample, ...]:
    text = resources.files("proxy").joinpath("demo.yaml").read_text(encoding="utf-8")
    return tuple(Sample(s["question"], tuple(s["answers"]), s["wrong"]) for s in yaml.safe_load(text))


def reply(question: str, choice: int = 0) -> str:
    """What the demo model says to `question`."""
    head, _, text = question.partition(":")
    if head.strip().lower() == "verify" and text.strip():
        return text.strip()
    words = _words(question)
    for sample in samples():
        if _words(sample.question) == words:
            return sample.answers[choice % len(sample.answers)]
    known = "\n".join(f"- {sample.question}" for sample in samples())
    return (
        "I am a demo model and know only a few questions. Ask me one of these, "
        f"or write `verify: ` and a text of your own:\n\n{known}"
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


@dataclass(slots=True)
class _DemoAnswer(Answer):
    pieces: AsyncIterator[bytes]
    status: int = 200
    headers: Headers = field(default_factory=list)
    server: tuple[str, int | None] = ("", None)

    def body(self) -> AsyncIterator[bytes]:
        return self.pieces

    def close(self) -> None:
        pass


class DemoUpstream:
    """Plays the part of a model's server."""

    def __init__(self, *, pace: float = PACE) -> None:
        self._pace = pace

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def send(self, call: Call) -> Answer:
        path = call.target.partition("?")[0]
        if path == "/chat/completions" and call.method == "POST":
            return self._complete(call.body)
        if path == "/models" and call.method == "GET":
            models = [{"id": m, "object": "model", "created": 0, "owned_by": "guardrail"} for m in MODELS]
            return _whole({"object": "list", "data": models})
        message = f"The demo model speaks chat completions only (POST /v1/chat/completions), not {call.method} /v1{path}."
        return _failed(Failure(404, message, code="not_found"))

    def _complete(self, body: bytes) -> Answer:
        request: Json = orjson.loads(body)
        model = request.get("model", MODELS[0])
        if model not in MODELS:
            return _failed(Failure(404, f"The demo model is called {MODELS[0]}.", code="model_not_found"))
        count = request.get("n") or 1
        if not isinstance(count, int) or not 1 <= count <= MAX_CHOICES:
            return _failed(Failure(400, f"n must be from 1 to {MAX_CHOICES}.", param="n"))
        question = _question(request)
        texts = [reply(question, index) for index in range(count)]
        usage = _usage(question, texts)
        head: Json = {"id": f"chatcmpl-{time.time_ns():x}", "created": int(time.time()), "model": model}
        if not request.get("stream"):
            choices = [_choice(index, message=_message(text), end="stop") for index, text in enumerate(texts)]
            return _whole({**head, "object": "chat.completion", "choices": choices, "usage": usage})
        options = request.get("stream_options")
        wanted = isinstance(options, dict) and options.get("include_usage")
        pace = self._pace if model == MODELS[0] else 0.0
        return _DemoAnswer(
            _stream(head, texts, usage if wanted else None, pace),
            headers=[(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")],
        )


async def _stream(head: Json, texts: Sequence[str], usage: Json | None, pace: float) -> AsyncIterator[bytes]:
    chunk = {**head, "object": "chat.completion.chunk"}

    def event(choice: Json) -> bytes:
        return encode(orjson.dumps({**chunk, "choices": [choice]}))

    for index in range(len(texts)):
        yield event(_choice(index, delta={"role": "assistant", "content": ""}))
    pieces = [[*_PIECE.findall(text)] for text in texts]
    for row in range(max(map(len, pieces))):
        await asyncio.sleep(pace)
        for index, words in enumerate(pieces):
            if row < len(words):
                yield event(_choice(index, delta={"content": words[row]}))
    for index in range(len(texts)):
        yield event(_choice(index, delta={}, end="stop"))
    if usage is not None:
        yield encode(orjson.dumps({**chunk, "choices": [], "usage": usage}))
    yield encode(b"[DONE]")


def _choice(index: int, *, end: str | None = None, **content: Json) -> Json:
    return {"index": index, **content, "logprobs": None, "finish_reason": end}


def _message(text: str) -> Json:
    return {"role": "assistant", "content": text, "refusal": None}


def _question(request: Json) -> str:
    messages = request.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else {}
    content = last.get("content", "") if isinstance(last, dict) else ""
    if isinstance(content, list):
        content = "".join(p.get("text", "") for p in content if isinstance(p, dict))
    return str(content)


def _usage(question: str, texts: Sequence[str]) -> Json:
    prompt, completion = len(question) // 4 + 1, sum(len(text) // 4 + 1 for text in texts)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _whole(body: Json) -> Answer:
    return _DemoAnswer(_once(orjson.dumps(body)), headers=[(b"content-type", b"application/json")])


def _failed(failure: Failure) -> Answer:
    return _DemoAnswer(_once(failure.json()), failure.status, [(b"content-type", b"application/json")])


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
