"""One JSON request to a server of one's own: the standard library's client, kept connections, bounded in time and size."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from guardrail.errors import ConfigError, ModelMalformed, ModelTimeout, ModelUnavailable

__all__ = ["JsonClient"]

_LARGEST = 16 * 1024 * 1024  # bytes of an answer
_STALE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)
_OVERLOADED = {408, 409, 425, 429, 500, 502, 503, 504, 529}


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    wait: str
    data: bytes


class JsonClient:
    """Thread-safe: each thread keeps a connection of its own as long as it lives. Proxies of the environment are not used, nor redirects followed.

    `url`: the server's root, with or without "/v1". Raises ConfigError when it is no HTTP URL.
    """

    def __init__(self, url: str, api_key: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError("the URL of a checking model must be an HTTP URL with a host")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._root = parts.path.rstrip("/").removesuffix("/v1")
        self._headers = {"content-type": "application/json", "accept": "application/json"}
        if api_key:
            self._headers["authorization"] = f"Bearer {api_key}"
        self._own = threading.local()
        self._all: dict[threading.Thread, http.client.HTTPConnection] = {}
        self._lock = threading.Lock()
        self._closed = False

    def get(self, path: str, timeout_s: float) -> Any:
        """As `post`, without a body."""
        return self._asked("GET", path, None, timeout_s)

    def post(self, path: str, body: Mapping[str, Any], timeout_s: float) -> Any:
        """The JSON that the server answers with. Raises ModelUnavailable, ModelTimeout or ModelMalformed.

        `timeout_s` bounds the whole exchange, also with a server that sends a byte now and then.
        """
        return self._asked("POST", path, json.dumps(body).encode(), timeout_s)

    def close(self) -> None:
        """Close the connections of all threads; a thread that waits for an answer is woken and gets ModelUnavailable."""
        self._closed = True
        with self._lock:
            for connection in self._all.values():
                if connection.sock is not None:
                    with suppress(OSError):  # not connected any more
                        connection.sock.shutdown(socket.SHUT_RDWR)
                connection.close()
            self._all.clear()

    def __del__(self) -> None:
        if hasattr(self, "_lock"):  # not when the URL was refused
            self.close()

    def _asked(self, method: str, path: str, body: bytes | None, timeout_s: float) -> Any:
        if self._closed:
            raise ModelUnavailable("the connection to the checking model was closed")
        try:
            answer = self._send(method, path, body, timeout_s)
        except TimeoutError as error:
            raise ModelTimeout(f"no answer within {timeout_s:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise ModelUnavailable(f"no answer from the checking model: {reason}", transient=True) from error
        if answer.status != 200:
            raise ModelUnavailable(
                f"the checking model answered {answer.status}: {_message(answer.data)}",
                transient=answer.status in _OVERLOADED,
                retry_after=float(answer.wait) if answer.wait.replace(".", "", 1).isdigit() else 0.0,
                status=answer.status,
            )
        try:
            return json.loads(answer.data)
        except ValueError as error:
            raise ModelMalformed(f"{path} did not answer with JSON") from error

    def _send(self, method: str, path: str, body: bytes | None, timeout_s: float) -> _Answer:
        deadline = time.monotonic() + timeout_s
        connection, kept = self._connection(timeout_s)
        try:
            try:
                return self._exchange(connection, method, path, body, deadline)
            except _STALE:
                if not kept or self._closed:
                    raise
                connection.close()  # the server had closed the kept connection: once more on a new one
                return self._exchange(connection, method, path, body, deadline)
        except BaseException:
            connection.close()  # half an exchange must not be read by the next one
            raise

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        deadline: float,
    ) -> _Answer:
        connection.request(method, self._root + path, body, self._headers)
        response = connection.getresponse()
        parts = []
        size = 0
        while part := response.read1(65536):
            parts.append(part)
            size += len(part)
            if size > _LARGEST:
                raise http.client.HTTPException("the answer is too large")
            if time.monotonic() > deadline:
                raise TimeoutError
        response.read()  # nothing is left, but only this marks the connection as free again
        return _Answer(response.status, response.getheader("retry-after") or "", b"".join(parts))

    def _connection(self, timeout_s: float) -> tuple[http.client.HTTPConnection, bool]:
        """The connection of this thread, and whether it is open already."""
        connection: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            connection = kind(self._host, self._port, timeout=timeout_s)
            self._own.connection = connection
            with self._lock:
                for thread in [one for one in self._all if not one.is_alive()]:
                    self._all.pop(thread).close()
                self._all[threading.current_thread()] = connection
        connection.timeout = timeout_s
        if connection.sock is not None:
            connection.sock.settimeout(timeout_s)
        return connection, connection.sock is not None


def _message(data: bytes) -> str:
    """What an error answer says, in one line that fits a log."""
    try:
        found = json.loads(data)["error"]  # OpenAI's shape, or text-embeddings-inference's
        text = found if isinstance(found, str) else str(found["message"])
    except (ValueError, KeyError, TypeError):
        text = data[:400].decode("utf-8", "replace")
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:197] + "…"
