"""`POST /guardrail/verify` with NDJSON: checks many texts, one per line.

Lines are answered in their order, each as soon as it and those before it are done; a line that is wrong is answered by an
error in its place. A few lines are checked at a time, and the request is read little faster than its answers are taken.
A line that is too long, or does not come in time, is refused and is the last one. Each line is one of a key's requests.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass

from guardrail.errors import AuditError, BadRequest
from proxy.access.callers import Charge, charged_by, key_of
from proxy.relay.request import asked_of
from proxy.routes.checking import check
from proxy.routes.verify import given_exchange, read
from proxy.server.admission import ClientGone, Overloaded, in_time
from proxy.server.asgi import Message, Receive, Scope, Send, header
from proxy.services import Services
from proxy.stream.events import Audit
from proxy.wire.headers import LimitReached, audit_failed, bad_request, limit_reached, overloaded, unexpected

KIND = "application/x-ndjson"
AT_ONCE = 8
AHEAD = 16  # pieces of a request, of up to 64 KiB each
LONGEST = 4 * 1024 * 1024  # bytes of a line, as several are held at a time
MOST = 10_000  # lines of a request

log = logging.getLogger(__name__)

Begun = asyncio.Queue[asyncio.Task[bytes] | None]


@dataclass(frozen=True, slots=True)
class Batch:
    """The ASGI app for a stream of texts."""

    services: Services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        charge = charged_by(scope)
        with self.services.permits:
            headers = [(b"content-type", KIND.encode())]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            came: asyncio.Queue[Message] = asyncio.Queue(AHEAD)
            begun: Begun = asyncio.Queue(AT_ONCE)
            try:
                async with asyncio.TaskGroup() as group:
                    coming = group.create_task(_listen(receive, came))
                    group.create_task(self._read(scope, came.get, begun, group, charge))
                    while (line := await begun.get()) is not None:
                        await send(
                            {"type": "http.response.body", "body": await line + b"\n", "more_body": True}
                        )
                    coming.cancel()
            except* ClientGone:
                pass  # all that was begun has been cancelled
        await send({"type": "http.response.body", "body": b""})

    async def _read(
        self, scope: Scope, receive: Receive, begun: Begun, group: asyncio.TaskGroup, charge: Charge
    ) -> None:
        """Begins lines as they come and as there is room; the first one was paid for with the request."""
        limit, count = min(self.services.settings.max_body, LONGEST), 0
        try:
            async for line in lines(receive, limit=limit):
                if count == MOST:
                    raise BadRequest(
                        f"a request may have up to {MOST} lines", status=413, code="too_many_lines"
                    )
                paid = charge if count else _free
                count += 1
                await begun.put(group.create_task(self._line(scope, line, paid)))
        except BadRequest as error:
            await begun.put(group.create_task(_refused(error)))
        await begun.put(None)

    async def _line(self, scope: Scope, line: bytes, charge: Charge) -> bytes:
        try:
            await charge()
            body = await read(self.services, line)
            request = asked_of(scope, body)
            name = header(scope, b"x-guardrail-policy") or body.get("policy")
            chosen = self.services.choice.policy_of_text(request, name, key=key_of(scope))
            policy = chosen or self.services.choice.presets["annotate"]
            exchange = given_exchange(policy, request, body)
            reported = await check(self.services, exchange, body["text"])
            await self.services.recorder.record(exchange, Audit(reports=(reported,)))
        except BadRequest as error:
            return await _refused(error)
        except LimitReached as error:
            return limit_reached(str(error), error.kind).json()
        except Overloaded as error:
            return overloaded(error.retry_after).json()
        except AuditError:
            return audit_failed().json()
        except Exception:  # the edge of a line, as that of a request: the others go on
            identifier = secrets.token_hex(6)
            log.exception("internal error %s", identifier)
            return unexpected(identifier).json()
        return reported.body


async def _listen(receive: Receive, came: asyncio.Queue[Message]) -> None:
    """Reads a little ahead, so that a client's leaving is seen while lines wait. Raises ClientGone."""
    while (message := await receive())["type"] != "http.disconnect":
        await came.put(message)
    raise ClientGone


async def _refused(error: BadRequest) -> bytes:
    return bad_request(error).json()


async def lines(receive: Receive, *, limit: int) -> AsyncIterator[bytes]:
    """The lines of a request body as they come; `limit` is for one line. Raises BadRequest."""
    rest, more = bytearray(), True
    while more:
        message = await in_time(receive)
        more = bool(message.get("more_body"))
        # Only the piece that came is searched: a long line in small pieces would be read once for each of them.
        *whole, last = message.get("body", b"").split(b"\n")
        for part in whole:
            rest += part
            if len(rest) > limit:
                raise _too_long(limit)
            if line := bytes(rest).strip():
                yield line
            rest.clear()
        rest += last
        if len(rest) > limit:
            raise _too_long(limit)
    if line := bytes(rest).strip():
        yield line


async def _free() -> None:
    """What costs nothing more."""


def _too_long(limit: int) -> BadRequest:
    return BadRequest(f"a line is larger than {limit} bytes", status=413, code="body_too_large")
