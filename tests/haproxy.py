"""A real HAProxy with the configuration that `deploy` has, in front of two servers, on a free port."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CONFIGURATION = Path(__file__).parents[1] / "deploy" / "haproxy.cfg"


def binary() -> str:
    """Where the program is; the test is skipped where there is none, unless all that a test may need is installed."""
    found = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if found is None and os.environ.get("GUARDRAIL_NO_SKIP"):
        pytest.fail("haproxy is not installed")
    if found is None:
        pytest.skip("no haproxy on this machine")
    return found


@contextmanager
def running(a: str, b: str, log: Path) -> Iterator[str]:
    """Its root URL. `a`, `b`: host and port of each server; `log`: a line for each request."""
    program = binary()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        bind = f"127.0.0.1:{free.getsockname()[1]}"
    environment = {**os.environ, "GUARDRAIL_BIND": bind, "GUARDRAIL_A": a, "GUARDRAIL_B": b}
    command = [program, "-db", "-f", str(CONFIGURATION)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        _await_port(bind, process)
        yield f"http://{bind}"
    finally:
        process.terminate()
        process.wait(10)


def _await_port(bind: str, process: subprocess.Popen[bytes]) -> None:
    host, _, port = bind.partition(":")
    for _ in range(400):
        assert process.poll() is None, "HAProxy did not start"
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("HAProxy did not start")
