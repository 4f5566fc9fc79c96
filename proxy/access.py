"""Who asks: virtual keys are looked up, held to their limits, and taken out of the request before anything else reads it.

A token that begins as ours do is ours: it is known, or the request is refused; it never reaches a model's server. Any other
is the client's own and goes on to the upstream, unless the server asks for a key of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field

from guardrail.errors import BadRequest
from proxy.asgi import App, Message, Receive, Scope, Send
from proxy.keys import PREFIX, Key, KeyRing
from proxy.limits import Limits, Spent
from proxy.upstream import CREDENTIALS
from proxy.wire import Headers

Charge = Callable[[], None]

_STATE = "guardrail.key"
_CHARGE = "guardrail.charge"


@dataclass(frozen=True, slots=True)
class Access:
    """`required`: nobody is served without a virtual key. `known`: whoever else may come in without one."""

    keys: KeyRing
    required: bool = False
    limits: Limits = field(default_factory=Limits)
    known: Callable[[Scope], bool] = lambda _: False

    def checked(self, app: App) -> App:
        """`app`, for those who may use it. What it raises besides: BadRequest (401), LimitReached."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            key = self._key(scope)
            if key is None:
                await app(scope, receive, send)
                return
            kept = [pair for pair in scope["headers"] if pair[0] not in CREDENTIALS]
            with self.limits.admitted(key) as spent:
                if spent is not None:
                    # What is read of the answer must not be compressed.
                    kept = [pair for pair in kept if pair[0] != b"accept-encoding"]
                    receive, send = _counted(receive, send, spent)
                charge = functools.partial(self.limits.charge, key)
                await app({**scope, "headers": kept, _STATE: key, _CHARGE: charge}, receive, send)

        return wrapped

    def _key(self, scope: Scope) -> Key | None:
        token = shown(scope["headers"])
        if token.startswith(PREFIX):
            key = self.keys.find(token)
            if key is None:
                raise BadRequest(
                    "this key is unknown, expired or revoked", status=401, code="invalid_api_key"
                )
            return key
        if self.required and not self.known(scope):
            raise BadRequest("this server asks for a key of its own", status=401, code="invalid_api_key")
        return None


def shown(headers: Headers) -> str:
    """The token of a request: in `Authorization`, or in `x-api-key` as Anthropic's clients send it."""
    given = dict(headers)
    scheme, _, token = given.get(b"authorization", b"").decode("latin-1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else given.get(b"x-api-key", b"").decode("latin-1")


def key_of(scope: Scope) -> Key | None:
    """The virtual key of a request that came through `Access`."""
    key: Key | None = scope.get(_STATE)
    return key


def charged_by(scope: Scope) -> Charge:
    """What counts a further request of a virtual key, where one call holds several; it raises LimitReached."""
    charge: Charge = scope.get(_CHARGE, lambda: None)
    return charge


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
