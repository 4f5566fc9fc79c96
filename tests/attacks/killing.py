"""A proxy in a process of its own that may be killed, and clients that note what it has shown them.

Processes come from one that has everything imported, so that hundreds of them cost little.
"""

from __future__ import annotations

import asyncio
import multiprocessing as processes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import aiohttp

from guardrail.audit.chain import read_public_key
from guardrail.audit.record import Record
from guardrail.audit.store import AuditLog, Query
from guardrail.audit.verify import verify
from proxy.app import create_app
from proxy.server.server import Server, listen
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier
from tests.waiting import until

SAYING = "verify: This is true. This is wrong. All of it."
CLIENTS = 12
FORKS = processes.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.attacks.killing"])


def serve(told: Connection, audit: str, policy: str) -> None:
    """In the other process: tells its port and serves until it is killed."""
    settings = Settings(port=0, audit=audit, policy=policy, pace=0.001)
    app = create_app(settings, services=Services.open(settings, verifier=FakeVerifier()))  # type: ignore[arg-type]
    listener = listen(settings)
    told.send(listener.getsockname()[1])
    Server(app).run(sockets=[listener])


@contextmanager
def proxy(audit: Path, policy: str) -> Iterator[tuple[str, ForkServerProcess]]:
    """The root URL and the process; at the end it is killed -9."""
    here, there = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=serve, args=(there, str(audit), policy), daemon=True)
    process.start()
    there.close()
    try:
        assert here.poll(60), "the server did not start"
        yield f"http://127.0.0.1:{here.recv()}", process
    finally:
        here.close()
        process.kill()
        process.join()
        process.close()


async def client(root: str, seen: set[str], errors: set[int], *, stream: bool, early: bool) -> None:
    """Asks again and again; notes the ids of answers of which it was shown what is flagged, and the status of errors.

    `early`: in `hold` that is the flagged sentence itself, in `observe` it is the end of the stream.
    """
    body = {"model": "demo", "stream": stream, "messages": [{"role": "user", "content": SAYING}]}
    async with aiohttp.ClientSession() as http:
        while True:
            async with http.post(f"{root}/v1/chat/completions", json=body) as response:
                if response.status != 200:
                    errors.add(response.status)
                    assert "error" in await response.json()
                    await asyncio.sleep(0.01)
                    continue
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


@contextmanager
def clients(
    root: str, seen: set[str], errors: set[int], *, early: bool
) -> Iterator[list[asyncio.Task[None]]]:
    """Twelve of them at a time, two in three streaming."""
    tasks = [
        asyncio.create_task(client(root, seen, errors, stream=n % 3 > 0, early=early)) for n in range(CLIENTS)
    ]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()


async def killed(root: str, process: ForkServerProcess, *, after: float, early: bool) -> set[str]:
    """What clients were shown by a server that is killed so many seconds after its first answer."""
    seen: set[str] = set()
    with clients(root, seen, set(), early=early) as tasks:
        await until(lambda: bool(seen))
        await asyncio.sleep(after)
        process.kill()
        await asyncio.gather(*tasks, return_exceptions=True)
    return seen


def missing(audit: Path | str, seen: set[str], key: Path) -> set[str]:
    """Those of `seen` that the log has no record of. The log must verify."""
    with AuditLog.open(audit, **({} if isinstance(audit, Path) else {"key": key})) as log:  # type: ignore[arg-type]
        entries = [stored.item for stored in log.scan(query=Query(kind=None))]
        with suppress(FileNotFoundError):
            assert verify(log, read_public_key(Path(f"{key}.pub"))).ok
        return seen - {one.response for one in entries if isinstance(one, Record)}
