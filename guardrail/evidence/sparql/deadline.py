"""One time for a whole exchange over HTTP: connecting, the head, the body.

A socket's own timeout is for each byte: a far end that sends one now and then, be it of a head, of a chunk's size or of a
TLS handshake, would be waited for without end.
"""

from __future__ import annotations

import http.client
import socket
import threading
from contextlib import suppress
from typing import Any, Self

_AGAIN = 0.02
"""Seconds from one look at a connection whose time is over to the next."""


class Deadline:
    """Ends a connection when its time is over; a context manager around the exchange. `passed`: that has happened."""

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._seconds, self._over = seconds, threading.Event()
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        threading.Thread(target=self._wait, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def holds(self, ours: socket.socket) -> None:
        """From now on `ours` is what is to be ended in time."""
        self._socket = ours

    def watch(
        self, kind: type[http.client.HTTPConnection], host: str, **options: Any
    ) -> http.client.HTTPConnection:
        """A connection that is ended in time."""
        made = self._connection = kind(host, **options)
        connect = made.connect

        def connected() -> None:
            connect()
            self._socket = made.sock  # the connection itself lets go of it when the head has come

        made.connect = connected  # type: ignore[method-assign]
        return made

    def _wait(self) -> None:
        if self._over.wait(self._seconds):
            return
        self.passed = True
        while not self._over.wait(_AGAIN):  # a connection that is only being made has no socket yet
            ours = self._socket
            if ours is None and self._connection is not None:
                ours = self._connection.sock
            if ours is not None:
                with suppress(OSError):
                    ours.shutdown(socket.SHUT_RDWR)
