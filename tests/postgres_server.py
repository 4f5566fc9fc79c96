"""A real PostgreSQL server for tests, from the binaries installed here, in a folder of its own."""

from __future__ import annotations

import getpass
import glob
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest


def binary(name: str) -> str | None:
    """Where a server program is; None when there is none."""
    found = shutil.which(name)
    return found or next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)), None)  # noqa: PTH207


@dataclass
class Server:
    """Starts on `start()`; `kill()` ends it without a word to its clients; `remove()` leaves nothing.

    It has a folder of its own, as pytest's may not be entered by the account that the server runs under.
    """

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="postgres-")))
    port: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _as: dict[str, object] = field(default_factory=dict)
    _databases: int = 0

    def create(self) -> None:
        if os.getuid() == 0:  # the server refuses to run as root
            self._as = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(self.folder, "nobody", "nogroup")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        initdb = [
            str(binary("initdb")),
            "-D",
            self.data,
            "-A",
            "trust",
            "-U",
            "guard",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(initdb, check=True, capture_output=True, cwd=self.folder, **self._as)  # type: ignore[call-overload]

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://guard@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        options = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-p", str(self.port)]
        options += ["-c", "fsync=off"]  # tests kill the server, not the machine
        self._process = subprocess.Popen(  # type: ignore[call-overload]
            [str(binary("postgres")), "-D", self.data, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **self._as,
        )
        for _ in range(1200):
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def new_database(self) -> str:
        """The URL of an empty database."""
        self._databases += 1
        name = f"audit{self._databases}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)  # "immediate shutdown": as if it had crashed
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)


def why_not() -> str | None:
    """Why no server can be started here; None when one can."""
    if binary("initdb") is None or binary("postgres") is None:
        return f"no PostgreSQL server installed for {getpass.getuser()}"
    return None


def started() -> Iterator[Server]:
    """For a fixture: a server of its own, which is gone afterwards; the test is skipped where none is installed."""
    if reason := why_not():
        pytest.skip(reason)
    server = Server()
    server.create()
    server.start()
    yield server
    server.remove()
