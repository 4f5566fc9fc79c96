"""A stand-in for a provider's API: it answers each request with the file that the request names, and notes what came.

See `plugin`, which writes those files in the environment of the SDK that is tested.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from aiohttp import web

# What speaks of one connection, and what a proxy must set itself to be able to read the answer.
NOT_COMPARED = frozenset(
    ("accept-encoding", "connection", "content-length", "content-type", "host", "transfer-encoding")
)
_BOUNDARY = re.compile(rb"boundary=([^;]+)")


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived. Two are equal when nothing was changed on the way."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body[:300]!r} {dict(self.headers)}"


@dataclass
class StandIn:
    """`seen`: the requests of each test, in order. `url`: the base URL while it runs."""

    folder: Path
    seen: dict[str, list[Seen]] = field(default_factory=dict)
    url: str = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[StandIn]:
        app = web.Application(client_max_size=1 << 26)
        app.router.add_route("*", "/{path:.*}", self._answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield self
        finally:
            await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        test = request.headers.get("x-conformance-test", "")
        self.seen.setdefault(test, []).append(_seen(request, body))
        file = self.folder / Path(request.headers.get("x-conformance-answer", "none")).name
        if not file.exists():
            return web.json_response(
                {"error": {"message": "no answer is known for this request"}}, status=404
            )
        found = orjson.loads(file.read_bytes())
        return web.Response(
            status=found.get("status", 200),
            body=found["body"].encode(),
            headers={"content-type": found["kind"], "x-request-id": "req_conformance"},
        )


def _seen(request: web.Request, body: bytes) -> Seen:
    """Multipart boundaries are drawn by chance, so they are taken out."""
    if found := _BOUNDARY.search(request.headers.get("content-type", "").encode()):
        body = body.replace(found[1], b"BOUNDARY")
    headers = ((name.lower(), value) for name, value in request.headers.items())
    return Seen(
        request.method,
        request.raw_path,
        tuple(sorted(pair for pair in headers if pair[0] not in NOT_COMPARED)),
        body,
    )
