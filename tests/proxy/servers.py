"""Runs the real application on a real port, in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proxy.app import create_app
from proxy.server.server import Server, listen
from proxy.services import Services
from proxy.settings import Settings
from proxy.verifiers.messages import Make
from tests.fakes import FakeVerifier
from tests.waiting import PATIENCE_S, until


@contextmanager
def serving(
    home: Path, *, verifier: FakeVerifier | None = None, make: Make | None = None, **given: object
) -> Iterator[tuple[str, Services]]:
    """The root URL and the services of a running proxy. `make`: opens the verifier of another process."""
    with running(home, verifier=verifier, make=make, **given) as (root, services, _):
        yield root, services


@contextmanager
def running(
    home: Path, *, verifier: FakeVerifier | None = None, make: Make | None = None, **given: object
) -> Iterator[tuple[str, Services, Server]]:
    """`serving`, and the server itself, which ends as at a signal when its `should_exit` is set."""
    defaults = {"audit": str(home / "audit.db"), "pace": 0.0, "stop_grace": 0.2}
    settings = Settings(**{**defaults, **given})  # type: ignore[arg-type]
    services = Services.open(settings, verifier=verifier or FakeVerifier(), make=make)  # type: ignore[arg-type]
    app = create_app(settings, services=services)
    listener = listen(Settings(port=0))
    server = Server(app, grace=settings.stop_grace, notice=settings.stop_after)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", services, server
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listener.close()
        assert not thread.is_alive(), "the server did not stop"


async def given_back(services: Services) -> None:
    """All permits are, which happens a moment after the last byte of an answer has gone out."""
    await until(lambda: services.permits.taken == 0)
