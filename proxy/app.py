"""The server's application, `create_app(settings)`. Hot paths are plain ASGI; FastAPI serves the pages and the REST routes."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Route

from guardrail import __version__
from guardrail.errors import BadRequest
from guardrail.telemetry import prometheus
from proxy.access.callers import Access
from proxy.access.login import Admin
from proxy.admin.audit import add_ledger
from proxy.apis.chat import Chat
from proxy.apis.completions import Completions
from proxy.apis.messages import Messages
from proxy.apis.responses import Responses
from proxy.pages import add_pages
from proxy.relay.gate import Gate
from proxy.relay.guarded import Api, Guard
from proxy.routes import generic
from proxy.routes.batch import KIND, Batch
from proxy.routes.extract import Extract
from proxy.routes.openapi import describe
from proxy.routes.verify import Text
from proxy.server.asgi import App, Receive, Scope, Send, fail, guarded, header
from proxy.server.paths import is_api, known, raw_path
from proxy.server.sites import Sites
from proxy.services import Services
from proxy.settings import Settings
from proxy.upstream.http import Upstream
from proxy.wire.headers import NOSNIFF, Failure, bad_request, unexpected

log = logging.getLogger(__name__)

APIS: Mapping[str, Api] = {
    "/v1/chat/completions": Chat(),
    "/v1/responses": Responses(),
    "/v1/completions": Completions(),
    "/v1/messages": Messages(),
}


class _Endpoint:
    """Starlette takes a class's instance as an ASGI app, a function as one of requests."""

    def __init__(self, app: App) -> None:
        self._app = guarded(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class Proxy(FastAPI):
    """FastAPI, but requests for the API do not pay for its layers."""

    gate: App
    sites: Sites

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
        elif failure := self.sites.refusal(scope):
            await fail(send, failure)
        else:
            await self.sites.opened(self._routed)(scope, receive, send)

    async def _routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_api(raw_path(scope)):
            await self.gate(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(
    settings: Settings, *, upstream: Upstream | None = None, services: Services | None = None
) -> FastAPI:
    """The proxy. Raises GuardrailError when a setting, a policy, the knowledge or the audit log cannot be used."""
    opened = services or Services.open(settings, upstream=upstream)

    app = Proxy(
        title="guardrail",
        version=__version__,
        lifespan=_lifespan(opened),
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.services = opened
    admin = Admin(settings.admin_token)
    access = Access(
        opened.keys,
        required=settings.require_key,
        limits=opened.limits,
        # A person who is logged in may try things out on the pages; `Sites` keeps other sites' pages out.
        known=lambda scope: admin.session(Request(scope)) is not None,
    )
    gate = Gate(opened, {path: Guard(opened, api) for path, api in APIS.items()})
    app.sites = Sites.of(settings)
    app.gate = guarded(access.checked(gate))
    app.router.routes += _doors(opened, access)
    add_pages(app, opened, admin)
    _health(app)
    add_ledger(app, opened.log, admin)
    describe(app)
    for failure, handler in _HANDLERS:
        app.add_exception_handler(failure, handler)
    return app


def _lifespan(services: Services) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await services.upstream.open()
        await services.limits.open()
        if services.siblings is not None:
            await services.siblings.open()
        yield
        if services.siblings is not None:
            await services.siblings.close()
        await services.limits.close()
        await services.reports.close()
        await services.upstream.close()
        services.close()

    return lifespan


def _doors(services: Services, access: Access) -> list[Route]:
    """The routes that take a text to be read or judged."""
    doors: Mapping[str, App] = {
        "/guardrail/verify": _verify(services),
        "/guardrail/revise": Text(services, revise=True),
        "/guardrail/extract": Extract(services),
        generic.PATH: generic.Generic(services),
    }
    return [Route(path, _Endpoint(access.checked(door)), methods=["POST"]) for path, door in doors.items()]


def _verify(services: Services) -> App:
    """One text as JSON, or many as NDJSON."""
    text, batch = Text(services), Batch(services)

    async def verify(scope: Scope, receive: Receive, send: Send) -> None:
        many = (header(scope, b"content-type") or "").startswith(KIND)
        await (batch if many else text)(scope, receive, send)

    return verify


def _health(app: FastAPI) -> None:
    @app.get("/guardrail/reports/{identifier}")
    async def reports(identifier: str) -> Response:
        """Show the reports of a recent answer, by its x-guardrail-id."""
        services: Services = app.state.services
        try:
            found = await services.report(identifier)
        except BadRequest as error:
            return await _failure(bad_request(error))
        if found is None:
            raise HTTPException(404)
        return Response(found, media_type="application/json")

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        """Say that the process is alive."""
        return {"status": "ok"}

    @app.get("/readyz")
    def readyz() -> Response:
        """Say whether requests can be served: 503 if the knowledge, the policies or the audit log cannot be used, or the server ends."""
        services: Services = app.state.services
        told = _running(services)
        if services.ending:
            return JSONResponse({"status": "ending", **told}, 503)
        if lost := services.lost():
            return JSONResponse({"status": "not ready", "lost": lost, **told}, 503)
        if degraded := services.degraded():
            return JSONResponse({"status": "degraded", "degraded": degraded, **told})
        return JSONResponse({"status": "ready", **told})

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        """Metrics for Prometheus; they contain no text of any answer."""
        services: Services = app.state.services
        return Response(await services.metrics(), media_type=prometheus.CONTENT_TYPE)


def _running(services: Services) -> dict[str, Any]:
    """What a server runs with, and what passes it unchecked."""
    told: dict[str, Any] = {
        "policies": [policy.name for policy in services.choice.policies],
        "versions": services.versions(),
        "unmatched": services.choice.open_ended,
        "passed": list(services.settings.passes),
    }
    return {key: value for key, value in told.items() if value or key in ("policies", "versions")}


async def _invalid(request: Request, error: Exception) -> Response:
    """A parameter or field that does not fit, named; never its value, which may be anything."""
    first: Mapping[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    param = ".".join(str(part) for part in first.get("loc", ())[1:]) or None
    if first.get("loc") == ("body",) and "json" not in request.headers.get("content-type", "").lower():
        message = "the body is only read as JSON with the header `content-type: application/json`"
        return await _failure(Failure(415, message, code="invalid_request"))
    message = f"{param or 'the request'}: {first.get('msg', 'invalid')}"
    return await _failure(Failure(422, message, code="invalid_request", param=param))


async def _refused(_: Request, error: Exception) -> Response:
    """What the framework refuses: a body that is no JSON."""
    status, said = (error.status_code, str(error.detail)) if isinstance(error, HTTPException) else (400, "")
    return await _failure(Failure(status, said, code="invalid_request"))


async def _unexpected(request: Request, error: Exception) -> Response:
    """The edge of the server, as in `asgi.guarded`; the framework logs the trace."""
    identifier = secrets.token_hex(6)
    log.error("internal error %s at %s: %s", identifier, request.url.path, type(error).__name__)
    return await _failure(unexpected(identifier))


async def _not_found(request: Request, _: Exception) -> Response:
    path = request.url.path
    hint = " The API is below /v1." if known("/v1" + path) else ""
    return await _failure(Failure(404, f"There is nothing at {path}.{hint}", code="not_found"))


async def _not_allowed(request: Request, _: Exception) -> Response:
    message = f"{request.method} is not allowed at {request.url.path}."
    return await _failure(Failure(405, message, code="method_not_allowed"))


async def _failure(failure: Failure) -> Response:
    name, value = (part.decode() for part in NOSNIFF)
    return Response(failure.json(), failure.status, {name: value}, media_type="application/json")


_HANDLERS = (
    (RequestValidationError, _invalid),
    (HTTPException, _refused),
    (Exception, _unexpected),
    (404, _not_found),
    (405, _not_allowed),
)
