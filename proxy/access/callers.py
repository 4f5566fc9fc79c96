"""Virtual keys: looks up the key of a request, applies its limits, and removes it from the request.

A token that begins as ours do is ours, wherever it stands: it is known and sent as a key is, or the request is refused; it never
reaches a model's server, nor does the cookie of a session here. Any other credential is the client's own and goes on to the
upstream, unless the request has a key of ours, or the server asks for one.
"""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from guardrail.errors import BadRequest
from proxy.access.keys import PREFIX, Key, KeyRing
from proxy.access.limits import Admitted, Limits, Spent
from proxy.access.login import COOKIE
from proxy.server.asgi import App, Message, Receive, Scope, Send
from proxy.wire.fields import token_of
from proxy.wire.headers import Headers

Charge = Callable[[], Awaitable[None]]

_STATE = "guardrail.key"
_CHARGE = "guardrail.charge"
_CREDENTIAL = re.compile(
    rb"authorization|api-?key|subscription-key|token|secret|cookie|password"
)  # names of headers
_OURS = re.compile(rb"(?<![0-9a-z_-])gk-", re.IGNORECASE)
_WHOLE = re.compile(rb"gk-[0-9a-f]{8}-[0-9a-z_-]{43}", re.IGNORECASE)  # whatever stands before it


@dataclass(frozen=True, slots=True)
class Access:
    """`required`: nobody is served without a virtual key. `known`: whoever else may come in without one."""

    keys: KeyRing
    required: bool = False
    limits: Limits = field(default_factory=Limits)
    known: Callable[[Scope], bool] = lambda _: False

    def checked(self, app: App) -> App:
        """`app`, for those who may use it. What it raises besides: BadRequest (401; 503 as the limits say), LimitReached."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            key = self._key(scope)
            if key is None:
                await app({**scope, "headers": _without_session(scope["headers"])}, receive, send)
                return
            kept = [p for p in scope["headers"] if not (_CREDENTIAL.search(p[0]) or strayed([p]))]
            async with self.limits.admitted(key) as admitted:
                send = _ended(send, admitted)
                if admitted.spent is not None:
                    # What is read of the answer must not be compressed.
                    kept = [pair for pair in kept if pair[0] != b"accept-encoding"]
                    receive, send = _counted(receive, send, admitted.spent)
                charge = functools.partial(self.limits.charge, key)
                await app({**scope, "headers": kept, _STATE: key, _CHARGE: charge}, receive, send)

        return wrapped

    def _key(self, scope: Scope) -> Key | None:
        headers = scope["headers"]
        token, astray = shown(headers), strayed([], scope.get("query_string", b""))
        if token and not astray:
            key = self.keys.find(token)
            if key is None:
                raise _refused("this key is unknown, expired or revoked")
            return key
        if astray or strayed(headers):
            raise _refused(
                "send a key of this server only once: as `Authorization: Bearer`, `x-api-key` or `api-key`"
            )
        if self.required and not self.known(scope):
            raise _refused("this server requires one of its own keys")
        return None


def shown(headers: Headers) -> str:
    """The key of ours that a request is sent with: as the bearer, or in `x-api-key` and `api-key` as Anthropic's and Azure's
    clients send it. Empty where there is none, or more than one.
    """
    found = {token for name, value in headers if (token := token_of(name, value)).startswith(PREFIX)}
    return found.pop() if len(found) == 1 else ""


def strayed(headers: Headers, query: bytes = b"") -> bool:
    """Whether a key of ours stands anywhere in a request."""
    if _OURS.search(unquote_to_bytes(query)) or _WHOLE.search(unquote_to_bytes(query)):
        return True
    return any(
        _WHOLE.search(text) or (_CREDENTIAL.search(name) and _OURS.search(text))
        for name, value in headers
        for text in (value, _decoded(name, value))
    )


def _decoded(name: bytes, value: bytes) -> bytes:
    """What `Basic` hides."""
    if name != b"authorization":
        return b""
    try:
        return base64.b64decode(value.split()[-1])
    except (ValueError, IndexError):
        return b""


def _without_session(headers: Headers) -> Headers:
    """Without the cookie that opens our own pages, and what goes with it; others are the client's."""
    own = COOKIE.encode()
    if not any(name == b"cookie" and own in value for name, value in headers):
        return headers
    kept: Headers = []
    for name, value in headers:
        if name == b"cookie":
            value = b";".join(one for one in value.split(b";") if one.split(b"=")[0].strip() != own).strip()
        if name != b"x-csrf-token" and (name != b"cookie" or value):
            kept.append((name, value))
    return kept


def _refused(message: str) -> BadRequest:
    return BadRequest(message, status=401, code="invalid_api_key")


def key_of(scope: Scope) -> Key | None:
    """The virtual key of a request that came through `Access`."""
    key: Key | None = scope.get(_STATE)
    return key


def charged_by(scope: Scope) -> Charge:
    """What counts a further request of a virtual key, where one call holds several; it raises LimitReached."""
    charge: Charge = scope.get(_CHARGE, _free)
    return charge


async def _free() -> None:
    """A request without a virtual key has no limits."""


def _ended(send: Send, admitted: Admitted) -> Send:
    """Ends what was admitted before the last byte of its answer goes out."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body"):
            await admitted.end()
        await send(message)

    return sending


def _counted(receive: Receive, send: Send, spent: Spent) -> tuple[Receive, Send]:
    async def receiving() -> Message:
        message = await receive()
        spent.asked += len(message.get("body", b""))
        return message

    async def sending(message: Message) -> None:
        if body := message.get("body"):
            spent.read(body)
        await send(message)

    return receiving, sending
