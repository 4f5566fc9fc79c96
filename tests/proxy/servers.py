"""Runs the real application on a real port, in a thread of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from proxy.app import create_app
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier


@contextmanager
def serving(
    home: Path, *, verifier: FakeVerifier | None = None, **given: object
) -> Iterator[tuple[str, Services]]:
    """The root URL and the services of a running proxy."""
    settings = Settings(**{"audit": str(home / "audit.db"), "pace": 0.0, **given})  # type: ignore[arg-type]
    services = Services.open(settings, verifier=verifier or FakeVerifier())  # type: ignore[arg-type]
    app = create_app(settings, services=services)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", services
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
        assert not thread.is_alive(), "the server did not stop"
