"""The web pages: readable files under proxy/ui, served as they are, and the routes that they call besides the API.

They load nothing from other servers.
"""

from __future__ import annotations

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
from proxy.manual.pages import add_manual
from proxy.services import Services
from proxy.wire.headers import Failure
from proxy.wire.static import TYPES, File

__all__ = ["add_pages"]


def add_pages(app: FastAPI, services: Services, admin: Admin) -> None:
    """Routes `/`, `/ui` and its files, `/docs`, and what the pages call."""
    add_login(app, admin)
    add_knowledge(app, services, admin)
    add_documents(app, services, admin)
    add_rulebook(app, services, admin)
    add_insight(app, services.log, admin)
    add_manual(app)
    files = dict(_files(resources.files("proxy").joinpath("ui")))

    @app.get("/", include_in_schema=False)
    @app.get("/ui", include_in_schema=False)
    def page(request: Request) -> Response:
        return files["index.html"].response(request)

    @app.get("/ui/start", include_in_schema=False)
    def start() -> dict[str, object]:
        """What the pages begin with: sample questions, the policies that may be asked for, what checks."""
        settings = services.settings
        demo = settings.upstream is None and not settings.routes
        return {
            "demo": demo,
            "needs_key": settings.require_key or (not demo and not settings.upstream_key),
            "samples": [sample.question for sample in samples()],
            "running": [policy.name for policy in services.choice.policies],
            "policies": _choices(services),
            "versions": services.versions(),
        }

    @app.get("/ui/{name:path}", include_in_schema=False)
    def asset(name: str, request: Request) -> Response:
        if name not in files:
            missing = Failure(404, f"There is no file {name!r} here.", code="not_found")
            return Response(missing.json(), 404, media_type="application/json")
        return files[name].response(request)


def _choices(services: Services) -> list[dict[str, object]]:
    """The policies that a request may name, presets from the mildest to the strictest, then the server's own."""
    allowed = services.choice.askable
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


def _files(folder: Traversable, inside: str = "") -> Iterator[tuple[str, File]]:
    """The files that are served, by their path under `folder`."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{inside}{file.name}/")
        elif kind := TYPES.get(file.name.rpartition(".")[2]):
            yield inside + file.name, File(file.read_bytes(), kind)
