"""The part of ASGI that the hot path needs: headers of a request, a whole answer, errors at the boundary."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson

from guardrail.errors import AuditError, BadRequest, UpstreamError
from proxy.server.admission import ClientGone, Overloaded
from proxy.wire.headers import (
    NOSNIFF,
    Failure,
    Headers,
    LimitReached,
    audit_failed,
    bad_request,
    limit_reached,
    overloaded,
    unexpected,
    upstream_failed,
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger(__name__)


def header(scope: Scope, name: bytes) -> str | None:
    """The first value of a request header; `name` in lower case."""
    return next((value.decode("latin-1") for found, value in scope["headers"] if found == name), None)


async def reply(send: Send, status: int, body: bytes, headers: Headers) -> None:
    """One whole answer."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


async def reply_json(send: Send, value: object, *, status: int = 200, headers: Headers | None = None) -> None:
    body = value if isinstance(value, bytes) else orjson.dumps(value)
    await reply(send, status, body, [(b"content-type", b"application/json"), NOSNIFF, *(headers or [])])


async def fail(send: Send, failure: Failure, *, headers: Headers | None = None) -> None:
    """An error in OpenAI's shape."""
    await reply_json(
        send, failure.json(), status=failure.status, headers=[*failure.headers(), *(headers or [])]
    )


def guarded(app: App) -> App:
    """`app`, but what it raises becomes an error in OpenAI's shape; after the answer has begun, its end."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        failure, headers = None, []
        try:
            await app(scope, receive, watched)
        except BadRequest as error:
            failure = bad_request(error)
        except UpstreamError as error:
            failure = upstream_failed(error)
        except AuditError:
            failure = audit_failed()
        except Overloaded as error:
            failure = overloaded(error.retry_after)
            headers = [(b"retry-after", str(error.retry_after).encode())]
        except LimitReached as error:
            failure = limit_reached(str(error), error.kind)
            headers = [(b"retry-after", str(error.retry_after).encode())]
        except ClientGone:
            return
        except Exception:  # the edge of the server: the client gets an id, the log the trace
            identifier = secrets.token_hex(6)
            log.exception("internal error %s", identifier)
            failure = unexpected(identifier)
        if failure is not None and not begun:
            await fail(send, failure, headers=headers)

    return wrapped
