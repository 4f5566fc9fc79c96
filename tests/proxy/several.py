"""Two servers behind one port, as processes of their own: `python -m tests.proxy.several FOLDER` says the port when they serve."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from guardrail.errors import ConfigError
from proxy.app import create_app
from proxy.server.processes import Supervisor
from proxy.server.server import Server, listen
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier

COUNT = 2


def serve(home: Path, number: int, listener: socket.socket, ready: Callable[[], None]) -> None:
    """A process whose home holds a file `unfit` cannot start."""
    if (home / "unfit").exists() and number:
        raise ConfigError("this process cannot start")
    process = (home / "meet", number)
    settings = Settings(audit=str(home / "audit.db"), keys=home / "keys.db", process=process, pace=0.05)
    app = create_app(settings, services=Services.open(settings, verifier=FakeVerifier()))  # type: ignore[arg-type]
    ready()
    Server(app, grace=0.5).run(sockets=[listener])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "meet").mkdir()
    shared = listen(Settings(port=0))
    supervisor = Supervisor(COUNT, partial(serve, folder), shared)
    sys.exit(supervisor.run(lambda: print(shared.getsockname()[1], flush=True)))  # noqa: T201
