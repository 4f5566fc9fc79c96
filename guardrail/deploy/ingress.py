"""The HTTP doors in front of the replicas.

    POST /guardrail/verify     {text, question?, references?, triplets?, sources?, setting?} → the report; as NDJSON a line for a line
    POST /predict, GET /info   the classifier, as text-embeddings-inference speaks: `--model tei+http://…` of another guardrail
    GET  /healthz, /readyz

There are no policies, keys or records here: those are the proxy's.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from guardrail.deploy.serving import Told
from guardrail.models.labels import ORDER
from guardrail.models.nli import Pair

__all__ = ["Doors", "Engine", "Lost", "Overloaded"]

NDJSON = "application/x-ndjson"
AT_ONCE = 32  # lines of one request that are checked at the same time
LONGEST_BODY = 20 << 20  # bytes


class Lost(Exception):
    """No replica could do it: they died, or the application is not whole."""


class Overloaded(Exception):
    """Too much waits already."""


class Engine(Protocol):
    """The replicas. Each method raises Lost or Overloaded."""

    async def verify(self, given: Mapping[str, Any]) -> Told: ...

    async def predict(self, pairs: Sequence[Pair]) -> Told: ...

    async def info(self) -> Told: ...

    async def state(self) -> Told: ...


class Doors:
    """Answers a request. `max_text`: characters of a text."""

    def __init__(self, engine: Engine, *, max_text: int) -> None:
        self._engine, self._max_text = engine, max_text
        self._doors: Mapping[tuple[str, str], Callable[[Request], Awaitable[Response]]] = {
            ("POST", "/guardrail/verify"): self._verify,
            ("POST", "/predict"): self._predict,
            ("GET", "/info"): self._info,
            ("GET", "/healthz"): self._healthz,
            ("GET", "/readyz"): self._readyz,
        }

    async def answer(self, request: Request) -> Response:
        """Never raises Lost or Overloaded: what could not be checked is an error, and no report."""
        path = request.url.path.removeprefix(request.scope.get("root_path", "")) or "/"
        door = self._doors.get((request.method, path))
        if door is None:
            return _refused(404, f"There is nothing at {request.method} {path}.", "not_found")
        try:
            return await door(request)
        except Overloaded:
            return _refused(429, "Too many requests are waiting.", "overloaded", retry=True)
        except Lost:
            return _refused(
                503, "The text was not checked: no replica is available.", "not_checked", retry=True
            )

    async def _verify(self, request: Request) -> Response:
        raw = await request.body()
        if len(raw) > LONGEST_BODY:
            return _refused(413, f"the body has more than {LONGEST_BODY} bytes", "body_too_long")
        if request.headers.get("content-type", "").startswith(NDJSON):
            return StreamingResponse(self._lines(raw.split(b"\n")), media_type=NDJSON)
        found = await self._checked(raw)
        if "report" in found:
            return JSONResponse(found["report"])
        return _refused(found.get("status", 400), found["error"], "invalid_request")

    async def _checked(self, raw: bytes) -> Told:
        try:
            given = json.loads(raw)
        except (ValueError, RecursionError):
            return {"error": "the request is not JSON"}
        if not isinstance(given, dict):
            return {"error": "the request must be a JSON object"}
        if isinstance(given.get("text"), str) and len(given["text"]) > self._max_text:
            return {
                "error": f"the text has more than the {self._max_text} characters checked at once",
                "status": 413,
            }
        return await self._engine.verify(given)

    async def _lines(self, lines: Sequence[bytes]) -> AsyncIterator[bytes]:
        """In the order of the lines, each with the number of its own."""
        waiting: deque[asyncio.Task[bytes]] = deque()
        try:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    waiting.append(asyncio.create_task(self._line(number, line)))
                if len(waiting) >= AT_ONCE:
                    yield await waiting.popleft()
            while waiting:
                yield await waiting.popleft()
        finally:
            for task in waiting:
                task.cancel()

    async def _line(self, number: int, line: bytes) -> bytes:
        try:
            found = await self._checked(line)
        except (Lost, Overloaded) as error:
            found = {"error": f"not checked: {type(error).__name__.lower()}"}
        body = found["report"] if "report" in found else {"error": found["error"]}
        return json.dumps({"line": number, **body}, ensure_ascii=False).encode() + b"\n"

    async def _predict(self, request: Request) -> Response:
        try:
            pairs, single = _pairs((await request.json())["inputs"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return _invalid("inputs must be a pair of strings or a list of pairs")
        try:
            found = await self._engine.predict(pairs)
        except Overloaded:
            return JSONResponse({"error": "Model is overloaded", "error_type": "Overloaded"}, 429)
        if "rows" not in found:
            return _invalid(found["error"])
        told = [_scores(row) for row in found["rows"]]
        return JSONResponse(told[0] if single else told)

    async def _info(self, request: Request) -> Response:
        return JSONResponse(await self._engine.info())

    async def _healthz(self, request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def _readyz(self, request: Request) -> Response:
        """503 where no verifier answers."""
        try:
            state = await self._engine.state()
        except (Lost, Overloaded):
            return JSONResponse({"status": "not ready"}, 503)
        return JSONResponse({"status": "degraded" if state["degraded"] else "ready", **state})


def _pairs(inputs: Any) -> tuple[list[Pair], bool]:
    """The pairs, and whether it is a single one. Raises ValueError, TypeError."""
    single = bool(inputs) and isinstance(inputs[0], str)
    pairs = [(premise, claim) for premise, claim in ([inputs] if single else inputs)]
    if not pairs or not all(isinstance(text, str) for pair in pairs for text in pair):
        raise ValueError
    return pairs, single


def _scores(row: Sequence[float]) -> list[Told]:
    told = [{"label": label.value, "score": score} for label, score in zip(ORDER, row, strict=True)]
    return sorted(told, key=lambda one: -float(str(one["score"])))


def _invalid(message: str) -> Response:
    return JSONResponse({"error": message, "error_type": "Validation"}, 422)


def _refused(status: int, message: str, code: str, *, retry: bool = False) -> Response:
    """An error in OpenAI's shape."""
    kind = "invalid_request_error" if status < 429 else "server_error"
    error = {"message": message, "type": kind, "param": None, "code": code}
    return JSONResponse({"error": error}, status, {"retry-after": "1"} if retry else None)
