"""How a file of the pages is sent: with a strict content security policy, and again only if it changed.

The policy allows this server's own scripts and styles and nothing else, so that a text from a model or a graph can never become code.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from fastapi import Request, Response

__all__ = ["TYPES", "File"]

_CSP = (
    "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}


@dataclass(frozen=True)
class File:
    """`content` with its media type. `forms`: whether its forms may be sent, to this server only."""

    content: bytes
    media_type: str
    forms: bool = False

    @cached_property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'

    def response(self, request: Request) -> Response:
        """The file, or 304 for a client that has it."""
        policy = _CSP.format(forms="'self'" if self.forms else "'none'")
        headers = {**_HEADERS, "content-security-policy": policy, "etag": self.tag}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, media_type=self.media_type, headers=headers)
