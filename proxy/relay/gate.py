"""Routes each API request by the table of paths. Under a policy that guards, it refuses paths that are not in the table."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from policies.terms import Policy
from proxy.access.callers import key_of
from proxy.relay.guarded import Guard, requests_of
from proxy.relay.passing import Pass
from proxy.server.asgi import Receive, Scope, Send, fail, header, reply
from proxy.server.paths import STATE, Kind, Place, checked, find, raw_path
from proxy.services import Services
from proxy.wire.headers import Failure, Headers

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Gate:
    """The ASGI app of every path of the API. `guards`: by the own path of their API."""

    services: Services
    guards: Mapping[str, Guard]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        place = find(scope["method"], raw_path(scope))
        scope = {**scope, STATE: place}
        if place.kind is Kind.CHECKED:
            await self.guards[place.route](scope, receive, send)
        elif place.kind is Kind.PASSED or (guarding := self._guarding(scope, place)) is None:
            await Pass(self.services)(scope, receive, send)
        elif place.kind is Kind.STORED:
            await self.guards[place.route].stored(guarding, scope, receive, send)
        else:
            await self._refuse(scope, place, guarding, send)

    def _guarding(self, scope: Scope, place: Place) -> Policy | None:
        """The policy for which this path may not just be passed on; None where it may."""
        (request,) = requests_of(scope, {})
        asked = header(scope, b"x-guardrail-policy")
        policy = self.services.policy_unread(request, asked, key=key_of(scope))
        opened = place.kind is Kind.UNKNOWN and any(
            _opens(one, scope["method"], place.route) for one in self.services.settings.passes
        )
        return None if policy is None or not policy.guards or opened else policy

    async def _refuse(self, scope: Scope, place: Place, policy: Policy, send: Send) -> None:
        method = scope["method"]
        allow: Headers = [(b"allow", ", ".join(place.methods).encode())] if place.methods else []
        if method == "OPTIONS" and place.methods:
            await reply(send, 204, b"", allow)
            return
        log.info("refused under the policy %s: %s %s", policy.name, method, place.route)
        message = (
            f"{method} {place.route} is not passed on under the policy {policy.name!r}, because its answers would not be checked. "
            f"Checked paths: {', '.join(checked())}. An operator can open others with `serve --pass`."
        )
        failure = Failure(405 if place.methods else 403, message, "permission_error", "not_guarded")
        await fail(send, failure, headers=allow)


def _opens(opened: str, method: str, path: str) -> bool:
    """Whether `[METHOD ]PATH` stands for this request: for the path and all below it."""
    only, _, place = opened.rpartition(" ")
    return only in ("", method) and (path == place or path.startswith(place.rstrip("/") + "/"))
