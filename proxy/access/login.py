"""Authenticates the admin: programs send the admin token as a bearer token, browsers have a session that the token opened.

A session is a random id in an http-only, same-site cookie; it is kept here until it expires or its owner logs out. As a
browser sends cookies by itself, a request that changes anything must also carry the session's token in `x-csrf-token`
(OWASP: synchronizer token pattern), which only a page of this server can read.

    GET  /ui/session   {admin, configured, csrf, expires_in}
    POST /ui/login     {token} opens a session
    POST /ui/logout    ends it
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

import orjson
from fastapi import FastAPI, Request, Response

from guardrail.errors import GuardrailError
from proxy.server.admission import SMALL, read_body
from proxy.wire.headers import Failure

__all__ = ["Admin", "add_login"]

COOKIE = "guardrail_session"
LIFETIME_S = 8 * 3600
MOST_SESSIONS = 1000
MOST_ADDRESSES = 10_000
SAFE = frozenset(("GET", "HEAD"))
Clock = Callable[[], float]


class _Refused(GuardrailError):
    """Somebody may not do this; `failure` says why."""

    def __init__(self, failure: Failure, headers: dict[str, str]) -> None:
        super().__init__(failure.message)
        self.failure, self.headers = failure, headers


@dataclass(frozen=True, slots=True)
class Session:
    """`csrf`: what changing requests must carry; `ends`: on the clock of its `Admin`."""

    csrf: str
    ends: float


class Tries:
    """Wrong tokens by address: after `limit` within `window` seconds no more are looked at until the oldest is past."""

    def __init__(self, limit: int, *, window: float = 60.0, clock: Clock = time.monotonic) -> None:
        self._limit, self._window, self._clock = limit, window, clock
        self._failed: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Seconds until the next try is looked at; 0: now."""
        failed = self._failed.get(address)
        if failed is None or len(failed) < self._limit:
            return 0
        left = failed[0] + self._window - self._clock()
        return int(left) + 1 if left > 0 else 0

    def fail(self, address: str) -> None:
        failed = self._failed.setdefault(address, deque(maxlen=self._limit))
        failed.append(self._clock())
        self._failed.move_to_end(address)
        if len(self._failed) > MOST_ADDRESSES:
            self._failed.popitem(last=False)


class Admin:
    """The one admin token of a server and the sessions that it opened; used on the event loop only.

    An empty `token` closes everything. A form takes 5 wrong tokens a minute from an address, the bearer header 60: a machine
    with an old token must not lock out the others behind the same address.
    """

    def __init__(self, token: str, *, clock: Clock = time.monotonic) -> None:
        self._token, self._clock = token, clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._form, self._bearer = Tries(5, clock=clock), Tries(60, clock=clock)

    @property
    def configured(self) -> bool:
        return bool(self._token)

    async def require(self, request: Request) -> None:
        """A dependency of every route that is the admin's. Raises what becomes 401, 403 or 429."""
        given = request.headers.get("authorization", "")
        if given.startswith("Bearer "):
            self._check(given.removeprefix("Bearer "), request, self._bearer)
            return
        session = self.session(request)
        if session is None:
            raise _refused("This needs the admin token.")
        if request.method not in SAFE and not _same(request.headers.get("x-csrf-token", ""), session.csrf):
            failure = Failure(
                403,
                "The request does not carry the session's x-csrf-token.",
                "permission_error",
                "invalid_csrf_token",
            )
            raise _Refused(failure, {})

    def session(self, request: Request) -> Session | None:
        """The session of the request's cookie, unless it has expired."""
        identifier = request.cookies.get(COOKIE, "")
        found = self._sessions.get(identifier)
        if found is not None and found.ends <= self._clock():
            del self._sessions[identifier]
            return None
        return found

    def enter(self, token: str, request: Request) -> tuple[str, Session]:
        """A new session's id and the session, for who gives the right token."""
        self._check(token, request, self._form)
        identifier = secrets.token_urlsafe(32)
        session = Session(secrets.token_urlsafe(32), self._clock() + LIFETIME_S)
        self._sessions[identifier] = session
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return identifier, session

    def leave(self, request: Request) -> None:
        self._sessions.pop(request.cookies.get(COOKIE, ""), None)

    def left(self, session: Session) -> int:
        """Seconds until it expires."""
        return max(0, int(session.ends - self._clock()))

    def _check(self, token: str, request: Request, tries: Tries) -> None:
        address = request.client.host if request.client else ""
        if wait := tries.wait(address):
            failure = Failure(
                429, f"Too many wrong tokens; try again in {wait} s.", "rate_limit_error", "too_many_tries"
            )
            raise _Refused(failure, {"retry-after": str(wait)})
        if not self._token or not _same(token, self._token):
            tries.fail(address)
            raise _refused("The admin token is wrong." if self._token else "No admin token is set here.")


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _refused(message: str) -> _Refused:
    failure = Failure(401, message, "authentication_error", "invalid_admin_token")
    return _Refused(failure, {"www-authenticate": "Bearer"})


def add_login(app: FastAPI, admin: Admin) -> None:
    """The session's routes, and the answers of those who are refused."""

    @app.get("/ui/session", include_in_schema=False)
    async def state(request: Request) -> Response:
        return _json(_told(admin, admin.session(request)))

    @app.post("/ui/login", include_in_schema=False)
    async def login(request: Request) -> Response:
        try:
            given = orjson.loads(await read_body(request.receive, limit=SMALL))
        except orjson.JSONDecodeError:
            given = None
        token = given.get("token") if isinstance(given, dict) else None
        identifier, session = admin.enter(token if isinstance(token, str) else "", request)
        admin.leave(request)
        response = _json(_told(admin, session))
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, identifier, max_age=LIFETIME_S, secure=secure, httponly=True, samesite="strict"
        )
        return response

    @app.post("/ui/logout", include_in_schema=False)
    async def logout(request: Request) -> Response:
        if admin.session(request) is not None:
            await admin.require(request)
            admin.leave(request)
        response = _json(_told(admin, None))
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return response

    app.add_exception_handler(_Refused, _answer)


def _told(admin: Admin, session: Session | None) -> dict[str, object]:
    return {
        "admin": session is not None,
        "configured": admin.configured,
        "csrf": session.csrf if session else None,
        "expires_in": admin.left(session) if session else 0,
    }


async def _answer(_: Request, error: Exception) -> Response:
    if not isinstance(error, _Refused):
        raise error
    failure = error.failure
    headers = {
        **error.headers,
        **{name.decode(): value.decode() for name, value in failure.headers()},
        "cache-control": "no-store",
    }
    return Response(failure.json(), failure.status, headers, media_type="application/json")


def _json(value: object) -> Response:
    return Response(orjson.dumps(value), media_type="application/json", headers={"cache-control": "no-store"})
