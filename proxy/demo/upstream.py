"""The demo model as a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import orjson

from proxy.demo.chat import Chat, Completions
from proxy.demo.embeddings import embeddings
from proxy.demo.messages import Messages
from proxy.demo.responses import Responses
from proxy.demo.speech import Api, Json, Mistake, Steps
from proxy.upstream.http import Answer, Call
from proxy.wire.headers import Failure, Headers

__all__ = ["MODELS", "PACE", "DemoUpstream"]

PACE = 0.03  # seconds between two words
MODELS = ("demo", "demo-fast")
_APIS: Final[Mapping[str, Api]] = {
    "/chat/completions": Chat(),
    "/completions": Completions(),
    "/responses": Responses(),
    "/messages": Messages(),
}
_JSON = (b"content-type", b"application/json")
_STREAM = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")]


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
    """Plays the part of a model's server. `pace`: seconds between two words of model `demo`."""

    def __init__(self, *, pace: float = PACE) -> None:
        self._pace = pace

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def send(self, call: Call) -> Answer:
        try:
            return await self._answered(call.method, call.target.partition("?")[0], call.body)
        except Mistake as mistake:
            return _failed(mistake.failure)

    async def _answered(self, method: str, path: str, body: bytes) -> Answer:
        if (method, path) == ("GET", "/models"):
            return _whole({"object": "list", "data": [_model(name) for name in MODELS]})
        if method == "GET" and path.removeprefix("/models/") in MODELS:
            return _whole(_model(path.removeprefix("/models/")))
        if method == "POST" and path == "/embeddings":
            return _whole(await asyncio.to_thread(embeddings, _read(body)))
        if method == "POST" and path in _APIS:
            return self._said(_APIS[path], _read(body))
        known = ", ".join(f"/v1{one}" for one in (*_APIS, "/embeddings", "/models"))
        message = f"The demo model answers {known}, not {method} /v1{path}."
        raise Mistake(Failure(404, message, code="not_found"))

    def _said(self, api: Api, request: Json) -> Answer:
        if not request.get("stream"):
            return _whole(api.whole(request))
        steps = api.stream(request)
        first = next(steps)  # what is wrong with the request is said before the stream begins
        pace = self._pace if request["model"] == MODELS[0] else 0.0
        return _DemoAnswer(_spoken(first, steps, pace), headers=_STREAM)


def _read(body: bytes) -> Json:
    """The request, its model filled in. Raises Mistake for a body that is no JSON object or asks for another model."""
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Mistake(Failure(400, f"The body is not JSON: {error}.")) from error
    if not isinstance(request, dict):
        raise Mistake(Failure(400, "The body must be a JSON object."))
    if request.setdefault("model", MODELS[0]) not in MODELS:
        raise Mistake(Failure(404, f"The demo model is called {MODELS[0]}.", code="model_not_found"))
    return request


def _model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 0, "owned_by": "guardrail"}


async def _spoken(first: list[bytes], steps: Steps, pace: float) -> AsyncIterator[bytes]:
    for event in first:
        yield event
    for step in steps:
        await asyncio.sleep(pace)
        for event in step:
            yield event


def _whole(body: Json) -> Answer:
    return _DemoAnswer(_once(orjson.dumps(body)), headers=[_JSON])


def _failed(failure: Failure) -> Answer:
    return _DemoAnswer(_once(failure.json()), failure.status, [_JSON])


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
