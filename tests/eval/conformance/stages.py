"""The stage of `eval.conformance.fidelity` with the real server in this process and a verifier that costs nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from eval.conformance.fidelity import Stage, scripted
from eval.conformance.relay import Relay
from tests.proxy.servers import serving


@asynccontextmanager
async def stage(home: Path) -> AsyncIterator[Stage]:
    async with scripted() as (server, upstream):
        with serving(home, upstream=f"http://127.0.0.1:{upstream.port}/v1") as (base, _):
            async with Relay(urlsplit(base).port or 0).running() as client:
                yield Stage(server, upstream, client)
