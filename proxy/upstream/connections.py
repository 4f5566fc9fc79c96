"""The pool of connections to one model's server: opened (through a proxy if there is one), kept for a while, and used again."""

from __future__ import annotations

import asyncio
import base64
import select
import socket
import ssl
from dataclasses import dataclass
from typing import cast
from urllib.parse import unquote, urlsplit

from aiohappyeyeballs import start_connection

from proxy.upstream.connection import Connection
from proxy.wire.headers import Headers

KEPT_S = 30.0  # that a connection waits for the next request
RACE_S = 0.25  # RFC 8305, 5: so long an address has before the next one is tried beside it
_PORTS = {"http": 80, "https": 443}


class NotConnected(ConnectionError):
    """Nobody was there. Its text holds the address and the system's words."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a server is, and as whom it is asked (`credentials`: Basic, encoded; or empty)."""

    scheme: str
    host: str
    port: int
    credentials: bytes = b""

    @property
    def authority(self) -> str:
        """As `Host` tells it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def origin(url: str) -> Origin | None:
    """None where it is no http(s) URL with a host."""
    try:
        split = urlsplit(url)
        host = split.hostname or ""
        named = host if ":" in host else host.encode("idna").decode("ascii")
        port = split.port
    except ValueError:  # UnicodeError is one
        return None
    if split.scheme not in _PORTS or not named:
        return None
    user = f"{unquote(split.username)}:{unquote(split.password or '')}" if split.username else ""
    credentials = base64.b64encode(user.encode()) if user else b""
    return Origin(split.scheme, named, _PORTS[split.scheme] if port is None else port, credentials)


class Connections:
    """`by`: the proxy. `tls`: None trusts the system's authorities. `connect`: seconds until one is made, TLS included;
    `silence`: those of a body.
    """

    def __init__(
        self, place: Origin, *, by: Origin | None, tls: ssl.SSLContext | None, connect: float, silence: float
    ) -> None:
        self._place = place
        self._by = by
        self._tls = tls
        self._connect = connect
        self._silence = silence
        self._idle: list[Connection] = []  # the one used last is used first
        self._used: set[Connection] = set()
        told = by is not None and place.scheme == "http"
        self._prefix = f"http://{place.authority}" if told else ""
        self.headers: Headers = [(b"host", place.authority.encode())]
        if by is not None and told and by.credentials:
            self.headers.append((b"proxy-authorization", b"Basic " + by.credentials))

    def target(self, path: str) -> str:
        """What the first line of a request for `path` names: a proxy is told the whole address."""
        return self._prefix + (path or "/")

    async def take(self, *, new: bool = False) -> Connection:
        """One that is free; `new`: one over which nothing was asked before. Raises NotConnected and TimeoutError."""
        self._forget_old()
        connection = None if new else self._quiet()
        if connection is None:
            try:
                async with asyncio.timeout(self._connect):
                    connection = await self._made()
            except TimeoutError:
                raise
            except OSError as error:
                first = self._by or self._place
                raise NotConnected(f"{first.host}:{first.port}: {error}") from error
        self._used.add(connection)
        return connection

    def _quiet(self) -> Connection | None:
        """One that waits for a request, and whose server has said nothing since the last one."""
        while self._idle:
            connection = self._idle.pop()
            if connection.quiet and not _readable(connection.transport):
                return connection
            connection.close()
        return None

    def give_back(self, connection: Connection) -> None:
        """It is kept where its answer was read to the end."""
        self._used.discard(connection)
        if connection.rest():
            connection.idle_since = asyncio.get_running_loop().time()
            self._idle.append(connection)
        else:
            connection.close()
        self._forget_old()

    async def close(self) -> None:
        for connection in (*self._idle, *self._used):
            connection.close()
        self._idle.clear()
        self._used.clear()
        await asyncio.sleep(0)  # transports tell of their end in the next turn of the loop

    def _forget_old(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._idle and now - self._idle[0].idle_since > KEPT_S:
            self._idle.pop(0).close()

    async def _made(self) -> Connection:
        first = self._by or self._place
        connection = await self._opened(first)
        if self._by is not None and self._place.scheme == "https":
            try:
                await self._tunnel(connection, self._by)
            except BaseException:
                connection.close()
                raise
        return connection

    async def _opened(self, to: Origin) -> Connection:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(to.host, to.port, type=socket.SOCK_STREAM)
        made = await start_connection(found, happy_eyeballs_delay=RACE_S)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        context = self._context() if to.scheme == "https" else None
        try:
            _, connection = await loop.create_connection(
                lambda: Connection(silence=self._silence),
                sock=made,
                ssl=context,
                server_hostname=to.host if context else None,
            )
        except BaseException:
            made.close()
            raise
        return connection

    async def _tunnel(self, connection: Connection, by: Origin) -> None:
        """RFC 9110, 9.3.6: the proxy is asked for the way to the server, and TLS begins within it."""
        host = f"[{self._place.host}]" if ":" in self._place.host else self._place.host
        wanted = f"{host}:{self._place.port}".encode()
        lines = [b"CONNECT " + wanted + b" HTTP/1.1", b"host: " + wanted]
        if by.credentials:
            lines.append(b"proxy-authorization: Basic " + by.credentials)
        await connection.ask(b"\r\n".join(lines) + b"\r\n\r\n", head_only=True)
        if not 200 <= connection.status < 300:
            raise ConnectionRefusedError(f"the proxy answered with status {connection.status}")
        loop = asyncio.get_running_loop()
        inner = await loop.start_tls(
            connection.transport, connection, self._context(), server_hostname=self._place.host
        )
        connection.connection_made(cast(asyncio.BaseTransport, inner))

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls


def _readable(transport: asyncio.Transport) -> bool:
    """Something has come that the loop has not read yet: words, or the end."""
    poll = select.poll()
    poll.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
    return bool(poll.poll(0))
