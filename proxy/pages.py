"""The web pages: readable files under proxy/ui, served as they are, with nothing from elsewhere.

The content security policy allows this server's own scripts and styles and nothing else, so that a text from a model or a
graph can never become code.
"""

from __future__ import annotations

from importlib import resources

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from proxy.demo import samples

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
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


def add_pages(app: FastAPI) -> None:
    """Routes `/`, `/ui`, its files, and the demo model's sample questions."""
    folder = resources.files("proxy").joinpath("ui")
    files = {
        file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in _TYPES
    }

    def served(name: str) -> Response:
        return Response(files[name], media_type=_TYPES[name.rpartition(".")[2]], headers=HEADERS)

    @app.get("/", include_in_schema=False)
    @app.get("/ui", include_in_schema=False)
    def page() -> Response:
        return served("index.html")

    @app.get("/ui/samples", include_in_schema=False)
    def questions() -> list[str]:
        return [sample.question for sample in samples()]

    @app.get("/ui/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        if name not in files:
            return JSONResponse(
                {"error": {"message": f"There is no file {name!r} here.", "code": "not_found"}}, 404
            )
        return served(name)
