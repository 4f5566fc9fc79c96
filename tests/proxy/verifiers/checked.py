"""A server with two processes that check, as a process of its own: `python -m tests.proxy.verifiers.checked FOLDER` says the port and
the ids of these processes when it serves.
"""

from __future__ import annotations

import sys
from pathlib import Path

from proxy.app import create_app
from proxy.server.server import Server, listen
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier
from tests.proxy.verifiers.checkers import made, processes

if __name__ == "__main__":
    home = Path(sys.argv[1])
    settings = Settings(audit=str(home / "audit.db"), keys=home / "keys.db", verifiers=2)
    services = Services.open(settings, verifier=FakeVerifier(), make=made(home))  # type: ignore[arg-type]
    listener = listen(Settings(port=0))
    print(listener.getsockname()[1], *processes(services.checks), flush=True)  # noqa: T201
    Server(create_app(settings, services=services), grace=0.5).run(sockets=[listener])
