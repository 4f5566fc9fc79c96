"""The model's server: `Upstream` is the role, `HttpUpstream` any OpenAI-compatible server over a pool of connections.

Nothing is read into a request or an answer here: headers and bytes go through. Redirects are not followed and cookies are
not kept, so a client's Authorization reaches the configured server and no other.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from guardrail.errors import ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.connection import AnotherProtocol, Connection, Take
from proxy.connections import Connections, NotConnected, Origin, origin
from proxy.inflate import OFFERED
from proxy.wire import Headers

# RFC 9110, 7.6.1: fields that speak of one connection only.
HOP_BY_HOP = frozenset(
    (
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    )
)
CREDENTIALS = frozenset((b"authorization", b"x-api-key"))
_NOT_SENT = HOP_BY_HOP | {b"host", b"content-length", b"expect"}
_LINE = re.compile(rb"[A-Z]+ [\x21-\x7e]+ HTTP/1\.1")  # a request's first line

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """One request to pass on. `target`: path below the base URL with its query. `decode`: its answer will be read.

    `model`: what it asks for, where that is known: several servers are told apart by it.
    """

    method: str
    target: str
    headers: Headers
    body: bytes = b""
    decode: bool = True
    model: str = ""


class Answer(Protocol):
    """An answer that has begun. Iterating over `body`, or `carry`, raises UpstreamError when it breaks off.

    `server`: host and port that gave it, as far as they are known.
    """

    server: tuple[str, int | None]
    status: int
    headers: Headers

    def body(self) -> AsyncIterator[bytes]: ...

    async def carry(self, take: Take) -> None:
        """Hands on the body as it comes, in the very call that brings it where that can be; returns at its end, or when it
        is closed. What `take` returns is awaited before there is more.
        """
        async for data in self.body():
            if (waits := take(data)) is not None:
                await waits

    def close(self) -> None:
        """Drops what was not read; the connection is not used again in that case."""
        ...


class Upstream(Protocol):
    """Whoever answers."""

    async def open(self) -> None: ...

    async def send(self, call: Call) -> Answer:
        """Returns when the answer's head has come. Raises UpstreamUnreachable or UpstreamBroken."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: until connected (TLS included); until the head of an answer; of silence anywhere. How often it is tried."""

    connect: float = 10.0
    first: float = 300.0
    read: float = 300.0
    attempts: int = 3


@dataclass(frozen=True, slots=True)
class Tls:
    """`ca`: certificates to trust instead of the system's. `certificate`, `key`: who we are, where the server asks."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def context(self) -> ssl.SSLContext:
        """Raises ConfigError where a file cannot be used."""
        try:
            context = ssl.create_default_context(cafile=self.ca)
            if self.certificate is not None:
                context.load_cert_chain(self.certificate, self.key)
        except OSError as error:  # ssl.SSLError is one
            raise ConfigError(f"tls: {self.ca or ''} {self.certificate or ''}: {error.strerror}") from error
        return context


class _Dropped(UpstreamBroken):
    """The connection was closed before an answer: a kept connection that the server had given up, mostly."""


class _Refused(UpstreamUnreachable):
    """Nobody was there: a server that restarts, perhaps."""


class HttpUpstream:
    """`base`: such as https://host/v1. `key`: sent instead of the client's Authorization."""

    def __init__(
        self,
        base: str,
        *,
        timeouts: Timeouts = Timeouts(),
        key: str = "",
        proxy: str = "",
        tls: Tls | None = None,
    ) -> None:
        place = origin(base)
        if place is None:
            raise ConfigError(f"--upstream: {base!r} is no http(s) URL such as https://host/v1")
        self._place = place
        self._path = urlsplit(base).path.rstrip("/")
        self._timeouts = timeouts
        self._key = key
        found = proxy or (None if proxy_bypass(place.host) else getproxies().get(place.scheme))
        by = origin(found) if found else None
        if found and by is None:
            raise ConfigError("the proxy for the model server is no http(s) URL")
        self._pool = Connections(
            place, by=by, tls=tls.context() if tls else None, connect=timeouts.connect, silence=timeouts.read
        )
        self._open = False

    async def open(self) -> None:
        self._open = True

    async def close(self) -> None:
        self._open = False
        await self._pool.close()

    async def send(self, call: Call) -> Answer:
        """The operator is told, in the log, who did not answer and why; the client is told that nobody did."""
        try:
            return await self._tried(call)
        except UpstreamError as error:
            log.warning("%s:%s: %s (%s)", self._place.host, self._place.port, error, _cause(error))
            raise

    async def _tried(self, call: Call) -> Answer:
        """Tried again while no byte of an answer has come: not after a time-out, and not for a status."""
        try:
            return await self._send(call)
        except (_Dropped, _Refused):
            if self._timeouts.attempts == 1:
                raise
        async for attempt in AsyncRetrying(
            stop=stop_after_attempt(self._timeouts.attempts - 1),
            wait=wait_random_exponential(multiplier=0.05, max=1.0),
            retry=retry_if_exception_type((_Dropped, _Refused)),
            reraise=True,
        ):
            with attempt:
                return await self._send(call)
        raise AssertionError("AsyncRetrying ends by returning or raising")

    async def _send(self, call: Call) -> Answer:
        if not self._open:
            raise UpstreamUnreachable("the proxy is not connected yet")
        request = self._request(call)
        try:
            async with asyncio.timeout(self._timeouts.first):
                connection = await self._pool.take()
                try:
                    await connection.ask(request, head_only=call.method == "HEAD", decode=call.decode)
                except BaseException:
                    connection.close()
                    self._pool.give_back(connection)
                    raise
        except OSError as error:
            raise _failed(error, begun=False) from error
        return _HttpAnswer(connection, self._pool, server=self._place, decoded=call.decode)

    def _request(self, call: Call) -> bytes:
        """The request as it is written. Raises UpstreamBroken where it cannot be."""
        path = self._path + call.target
        lines = [f"{call.method} {self._pool.target(path)} HTTP/1.1".encode("latin-1", "replace")]
        lines += [name + b": " + value for name, value in self._headers(call)]
        if not _LINE.fullmatch(lines[0]) or any(b"\r" in line or b"\n" in line for line in lines):
            raise UpstreamBroken("the model server cannot be asked for this path", begun=False)
        return b"\r\n".join(lines) + b"\r\n\r\n" + call.body

    def _headers(self, call: Call) -> Headers:
        kept = [(n, v) for n, v in call.headers if n not in _NOT_SENT and not n.startswith(b"x-guardrail-")]
        if call.decode:
            kept = [(n, v) for n, v in kept if n != b"accept-encoding"] + [(b"accept-encoding", OFFERED)]
        if self._key:
            kept = [*((n, v) for n, v in kept if n not in CREDENTIALS), self._credential(kept)]
        elif own := self._place.credentials:
            kept = [*((n, v) for n, v in kept if n not in CREDENTIALS), (b"authorization", b"Basic " + own)]
        if call.body or call.method not in ("GET", "HEAD", "OPTIONS", "DELETE"):
            kept.append((b"content-length", str(len(call.body)).encode()))
        return [*self._pool.headers, *kept]

    def _credential(self, headers: Headers) -> tuple[bytes, bytes]:
        """Our key as the server wants it: Anthropic's reads a header of its own."""
        if any(name == b"anthropic-version" for name, _ in headers):
            return b"x-api-key", self._key.encode()
        return b"authorization", f"Bearer {self._key}".encode()


class _HttpAnswer(Answer):
    def __init__(self, connection: Connection, pool: Connections, *, server: Origin, decoded: bool) -> None:
        self._connection = connection
        self._pool = pool
        self._closed = False
        self.server = (server.host, server.port)
        self.status = connection.status
        dropped = HOP_BY_HOP | ({b"content-encoding", b"content-length"} if decoded else set())
        self.headers = [(name, value) for name, value in connection.headers if name not in dropped]

    async def carry(self, take: Take) -> None:
        try:
            await self._connection.carry(take)
        except OSError as error:
            raise _failed(error, begun=True) from error

    async def body(self) -> AsyncIterator[bytes]:
        try:
            while data := await self._connection.read():
                yield data
        except OSError as error:
            raise _failed(error, begun=True) from error

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._pool.give_back(self._connection)


def _cause(error: UpstreamError) -> str:
    """What lies behind it. Only the text of a failed connection holds nothing but the server's name and the system's words."""
    cause = error.__cause__
    return str(cause) if isinstance(cause, NotConnected) else type(cause or error).__name__


def _failed(error: OSError, *, begun: bool) -> UpstreamError:
    """In our own words: the system's may hold addresses."""
    if isinstance(error, TimeoutError):
        return UpstreamUnreachable("the model server did not answer in time", begun=begun)
    if isinstance(error, NotConnected):
        return _Refused("the model server cannot be reached", begun=begun)
    if isinstance(error, AnotherProtocol):
        return UpstreamBroken("the model server gave no answer but another protocol", begun=begun)
    if begun:
        return UpstreamBroken("the model server broke off its answer", begun=True)
    return _Dropped("the model server closed the connection without an answer", begun=False)
