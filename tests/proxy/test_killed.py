"""A proxy that is killed at any moment has shown nothing flagged that is not on record."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest

from guardrail.audit.chain import read_public_key
from guardrail.audit.record import Record
from guardrail.audit.store import AuditLog, Query
from guardrail.audit.verify import verify

SERVER = """
import sys
from proxy.app import create_app
from proxy.server import Server, listen
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier
settings = Settings(port=0, audit=sys.argv[1], policy=sys.argv[2], pace=0.001)
app = create_app(settings, services=Services.open(settings, verifier=FakeVerifier()))
listener = listen(settings)
print(listener.getsockname()[1], flush=True)
Server(app).run(sockets=[listener])
"""
SAYING = "verify: This is true. This is wrong. All of it."


async def client(root: str, seen: set[str], *, stream: bool, early: bool) -> None:
    """Asks again and again; notes the ids of answers of which it was shown what is flagged.

    `early`: in `hold` that is the flagged sentence itself, in `observe` it is the end of the stream.
    """
    body = {"model": "demo", "stream": stream, "messages": [{"role": "user", "content": SAYING}]}
    async with aiohttp.ClientSession() as http:
        while True:
            async with http.post(f"{root}/v1/chat/completions", json=body) as response:
                name = response.headers["x-guardrail-id"]
                if not stream:
                    await response.json()
                    seen.add(name)
                    continue
                text = b""
                async for line in response.content:
                    text += line
                    if b"[DONE]" in line or (early and b"wrong" in text):
                        seen.add(name)


async def load(root: str, *, early: bool, kill: Callable[[], None], after: float) -> set[str]:
    """Twelve clients, streaming and not; the server is killed a moment after the first answers."""
    seen: set[str] = set()
    clients = [asyncio.create_task(client(root, seen, stream=n % 3 > 0, early=early)) for n in range(12)]
    asyncio.get_running_loop().call_later(after, kill)
    await asyncio.gather(*clients, return_exceptions=True)
    return seen


@pytest.mark.parametrize(("policy", "early"), [("annotate", False), ("attach", True), ("revise", False)])
@pytest.mark.parametrize("after", [1.0, 1.37])
def test_nothing_flagged_was_shown_without_its_record(
    tmp_path: Path, policy: str, early: bool, after: float
) -> None:
    """Every answer that showed a flagged statement before the kill -9 has its record, and the log verifies."""
    path = tmp_path / "audit.db"
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path), policy],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
    )
    assert server.stdout is not None
    root = f"http://127.0.0.1:{int(server.stdout.readline())}"
    seen = asyncio.run(load(root, early=early, kill=lambda: server.send_signal(signal.SIGKILL), after=after))
    server.wait()
    server.stdout.close()
    assert seen
    with AuditLog.open(path) as log:
        entries = [stored.item for stored in log.scan(query=Query(kind=None))]
        recorded = {one.response for one in entries if isinstance(one, Record)}
        assert seen - recorded == set()
        assert verify(log, read_public_key(Path(f"{path}.key.pub"))).ok
