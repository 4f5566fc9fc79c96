"""The web pages: readable files under proxy/ui, served as they are, with nothing from elsewhere.

The content security policy allows this server's own scripts and styles and nothing else, so that a text from a model or a
graph can never become code. What the pages ask for besides the API is mounted here, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from fastapi import FastAPI, Request, Response

from policies.policy import PRESETS
from proxy.access.login import Admin, add_login
from proxy.admin.audit_insight import add_insight
from proxy.admin.documents import add_documents
from proxy.admin.knowledge import add_knowledge
from proxy.admin.policies import add_rulebook
from proxy.demo import samples
from proxy.services import Services
from proxy.wire.headers import Failure

__all__ = ["add_pages"]

CSP = (
    "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}


def add_pages(app: FastAPI, services: Services, admin: Admin) -> None:
    """Routes `/`, `/ui`, its files, and what they need to know."""
    add_login(app, admin)
    add_knowledge(app, services, admin)
    add_documents(app, services, admin)
    add_rulebook(app, services, admin)
    add_insight(app, services.log, admin)
    files = dict(_files(resources.files("proxy").joinpath("ui")))
    tags = {name: f'"{hashlib.sha256(content).hexdigest()[:16]}"' for name, content in files.items()}

    def served(name: str, request: Request) -> Response:
        headers = {**HEADERS, "etag": tags[name]}
        if request.headers.get("if-none-match") == tags[name]:
            return Response(status_code=304, headers=headers)
        return Response(files[name], media_type=_TYPES[name.rpartition(".")[2]], headers=headers)

    @app.get("/", include_in_schema=False)
    @app.get("/ui", include_in_schema=False)
    def page(request: Request) -> Response:
        return served("index.html", request)

    @app.get("/ui/start", include_in_schema=False)
    def start() -> dict[str, object]:
        """What the pages begin with: sample questions, the policies that may be asked for, what checks."""
        settings = services.settings
        demo = settings.upstream is None and not settings.routes
        return {
            "demo": demo,
            "needs_key": settings.require_key or (not demo and not settings.upstream_key),
            "samples": [sample.question for sample in samples()],
            "running": [policy.name for policy in services.policies],
            "policies": _choices(services),
            "versions": services.verifier.current_versions(),
        }

    @app.get("/ui/{name:path}", include_in_schema=False)
    def asset(name: str, request: Request) -> Response:
        if name not in files:
            missing = Failure(404, f"There is no file {name!r} here.", code="not_found")
            return Response(missing.json(), 404, media_type="application/json")
        return served(name, request)


def _choices(services: Services) -> list[dict[str, object]]:
    """The policies that a request may name, presets from the mildest to the strictest, then the server's own."""
    allowed = services.askable
    order = [
        *(name for name in PRESETS if name in allowed),
        *(name for name in allowed if name not in PRESETS),
    ]
    return [
        {
            "name": name,
            "mode": allowed[name].mode.value,
            "shadow": allowed[name].shadow,
            "description": allowed[name].description,
        }
        for name in order
    ]


def _files(folder: Traversable, inside: str = "") -> Iterator[tuple[str, bytes]]:
    """The files that are served, by their path under `folder`."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{inside}{file.name}/")
        elif file.name.rpartition(".")[2] in _TYPES:
            yield inside + file.name, file.read_bytes()
