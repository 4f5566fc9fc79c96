"""Many texts at once: `POST /guardrail/verify` with NDJSON in and out, one line for each.

Lines are answered in their order, each as soon as it and those before it are done; a line that is wrong is answered by an
error in its place. A few lines are checked at a time, and the request is read only as fast as its answers are taken.
"""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

import orjson

from guardrail.errors import BadRequest, GuardrailError
from proxy.access import key_of
from proxy.asgi import Receive, Scope, Send, header
from proxy.doors import asked, check, given_exchange
from proxy.events import Audit
from proxy.guard import asked_of
from proxy.services import Services
from proxy.wire import bad_request

KIND = "application/x-ndjson"
AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Batch:
    """The ASGI app for a stream of texts."""

    services: Services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", KIND.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        open_lines: deque[asyncio.Task[bytes]] = deque()
        try:
            with self.services.permits:
                async for line in lines(receive, limit=self.services.settings.max_body):
                    open_lines.append(asyncio.create_task(self._line(scope, line)))
                    if len(open_lines) >= AT_ONCE:
                        await self._tell(send, await open_lines.popleft())
                while open_lines:
                    await self._tell(send, await open_lines.popleft())
            await send({"type": "http.response.body", "body": b""})
        finally:
            for task in open_lines:
                task.cancel()

    @staticmethod
    async def _tell(send: Send, answer: bytes) -> None:
        await send({"type": "http.response.body", "body": answer + b"\n", "more_body": True})

    async def _line(self, scope: Scope, line: bytes) -> bytes:
        try:
            body = asked(line)
            request = asked_of(scope, body)
            name = header(scope, b"x-guardrail-policy") or body.get("policy")
            chosen = self.services.policy(request, name, key=key_of(scope))
            policy = chosen or self.services.allowed["annotate"]
            exchange = given_exchange(policy, request, body)
            reported = await self.services.pool.run(
                functools.partial(check, self.services, exchange, body["text"])
            )
            await self.services.recorder.record(exchange, Audit(reports=(reported,)))
        except BadRequest as error:
            return bad_request(error).json()
        except GuardrailError as error:
            return orjson.dumps(
                {"error": {"message": str(error), "type": "api_error", "param": None, "code": None}}
            )
        return reported.body


async def lines(receive: Receive, *, limit: int) -> AsyncIterator[bytes]:
    """The lines of a request body as they come; `limit` is for one line. Raises BadRequest."""
    rest = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        *whole, rest = (rest + message.get("body", b"")).split(b"\n")
        for line in whole:
            if line.strip():
                yield line
        if len(rest) > limit:
            raise BadRequest(f"a line is larger than {limit} bytes", status=413, code="body_too_large")
        if not message.get("more_body"):
            if rest.strip():
                yield rest
            return
