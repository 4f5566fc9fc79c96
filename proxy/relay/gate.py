"""Routes each API request by the table of paths. Under a policy that guards, it refuses paths that are not in the table."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from policies.terms import Policy
from proxy.access.callers import key_of
from proxy.relay.guarded import Guard
from proxy.relay.passing import Pass
from proxy.relay.request import requests_of
from proxy.server.asgi import Receive, Scope, Send, fail, header, reply
from proxy.server.paths import STATE, ApiPath, Kind, checked, find, raw_path
from proxy.services import Services
from proxy.wire.headers import Failure, Headers

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Gate:
    """The ASGI app of every path of the API. `guards`: by the own path of their API."""

    services: Services
    guards: Mapping[str, Guard]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = find(scope["method"], raw_path(scope))
        scope = {**scope, STATE: path}
        if path.kind is Kind.CHECKED:
            await self.guards[path.route](scope, receive, send)
        elif path.kind is Kind.PASSED or (guarding := self._guarding(scope, path)) is None:
            await Pass(self.services)(scope, receive, send)
        elif path.kind is Kind.STORED:
            await self.guards[path.route].stored(guarding, scope, receive, send)
        else:
            await self._refuse(scope, path, guarding, send)

    def _guarding(self, scope: Scope, path: ApiPath) -> Policy | None:
        """The policy for which this path may not just be passed on; None where it may."""
        (request,) = requests_of(scope, {})
        asked = header(scope, b"x-guardrail-policy")
        policy = self.services.choice.strictest_possible_policy(request, asked, key=key_of(scope))
        opened = path.kind is Kind.UNKNOWN and any(
            _opens(one, scope["method"], path.route) for one in self.services.settings.passes
        )
        return None if policy is None or not policy.guards or opened else policy

    async def _refuse(self, scope: Scope, path: ApiPath, policy: Policy, send: Send) -> None:
        method = scope["method"]
        allow: Headers = [(b"allow", ", ".join(path.methods).encode())] if path.methods else []
        if method == "OPTIONS" and path.methods:
            await reply(send, 204, b"", allow)
            return
        log.info("refused under the policy %s: %s %s", policy.name, method, path.route)
        message = (
            f"{method} {path.route} is not passed on under the policy {policy.name!r}, because its answers would not be checked. "
            f"Checked paths: {', '.join(checked())}. An operator can open others with `serve --pass`."
        )
        failure = Failure(405 if path.methods else 403, message, "permission_error", "not_guarded")
        await fail(send, failure, headers=allow)


def _opens(opened: str, method: str, path: str) -> bool:
    """Whether `[METHOD ]PATH` stands for this request: for the path and all below it."""
    only, _, place = opened.rpartition(" ")
    return only in ("", method) and (path == place or path.startswith(place.rstrip("/") + "/"))
