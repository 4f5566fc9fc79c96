"""Decides which web pages may use this server: by the host name of a request and by the site that a browser sends it for.

A page of another site can have its reader's browser send requests here: as text/plain it is not asked beforehand, and under a
name of its own that leads to this address (DNS rebinding) it may read the answers, too. So a server on a loopback address
answers to that address and to names that no site can own, and `Origin` has to be this server's own wherever something is done.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv6Address, ip_address

from proxy.server.asgi import App, Message, Receive, Scope, Send, header, reply
from proxy.server.paths import is_api, raw_path
from proxy.settings import Settings
from proxy.wire.headers import Failure, Headers

_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]*)(?::\d*)?")
_TOLD = b"x-guardrail-id, x-guardrail-policy, x-guardrail-mode, x-guardrail-action, x-guardrail-kas, x-guardrail-outcome, x-guardrail-confirmed"
_METHODS = b"GET, POST, PUT, PATCH, DELETE"


@dataclass(frozen=True, slots=True)
class Sites:
    """`bound`: the address that the server listens on. `names`: patterns of names that clients may use; empty: on a loopback address
    those that no site can own, elsewhere all. `origins`: sites whose pages may use the server, in lower case.
    """

    bound: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> Sites:
        return cls(settings.host, settings.host_names, settings.origins)

    def refusal(self, scope: Scope) -> Failure | None:
        """Why a request is not let in; None where it is."""
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) > 1 or not all(map(self.known, hosts)):
            message = "This server does not answer to the host name of this request; see --host-name."
            return Failure(403, message, "permission_error", "unknown_host")
        path = raw_path(scope)
        acts = scope["method"] not in _SAFE or is_api(path) or path.startswith("/guardrail/")
        if acts and self.foreign(scope):
            return Failure(403, "Pages of other sites may not use this server.", code="cross_site")
        return None

    def known(self, host: str) -> bool:
        """Whether the server answers to a `Host`."""
        name = _name(host)
        address = _address(name)
        if name in ("", "localhost", self.bound) or _is_loopback(address):
            return True
        if self.names and any(fnmatchcase(name, pattern.lower()) for pattern in self.names):
            return True
        if not self._local:  # an address cannot be made to lead elsewhere
            return not self.names or address is not None
        # Sites have a dot in their name. What is below localhost is always this machine (RFC 6761, 6.3).
        single = bool(re.fullmatch(r"[a-z0-9_-]+", name)) and not self.names
        return address is None and (single or name.endswith(".localhost"))

    @property
    def _local(self) -> bool:
        address = _address(self.bound)
        return self.bound == "localhost" or _is_loopback(address)

    def foreign(self, scope: Scope) -> bool:
        """Whether a browser sends a request for a page that is neither this server's nor allowed to use it."""
        told = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"origin"]
        site = header(scope, b"sec-fetch-site")
        own = _authority(header(scope, b"host") or "")
        return any(self._foreign(origin, site, own) for origin in told)

    def _foreign(self, origin: str, site: str | None, own: str) -> bool:
        if origin in self.origins:
            return False
        scheme, _, authority = origin.partition("://")
        if origin != "null" and scheme not in ("http", "https"):
            return False  # an application that was installed
        if site in ("same-origin", "none"):
            return False  # no page can say so of itself
        return site is not None or origin == "null" or _authority(authority) != own

    def opened(self, app: App) -> App:
        """`app`, whose answers the pages of `origins` may read."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            origin = header(scope, b"origin") if self.origins and scope["type"] == "http" else None
            if origin is None or origin.lower() not in self.origins:
                await app(scope, receive, send)
                return
            told: Headers = [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]
            if scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method"):
                asked = (header(scope, b"access-control-request-headers") or "").encode("latin-1")
                told += [
                    (b"access-control-allow-methods", _METHODS),
                    (b"access-control-allow-headers", asked),
                    (b"access-control-max-age", b"600"),
                ]
                await reply(send, 204, b"", told)
                return
            told.append((b"access-control-expose-headers", _TOLD))

            async def telling(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message = {**message, "headers": [*message["headers"], *told]}
                await send(message)

            await app(scope, receive, telling)

        return wrapped


def _name(host: str) -> str:
    """The name in a `Host`, in lower case; `?` where there is none."""
    found = _HOST.fullmatch(host.strip().lower())
    return found[1].strip("[]").rstrip(".") if found else "?"


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _is_loopback(address: IPv4Address | IPv6Address | None) -> bool:
    return address is not None and address.is_loopback


def _authority(host: str) -> str:
    """Name and port, without the port that a scheme has anyway."""
    return re.sub(r":(?:80|443)?$", "", host.strip().lower())
