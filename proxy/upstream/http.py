"""The model's server: `Upstream` is the protocol, `HttpUpstream` any OpenAI-compatible server over a pool of connections.

Nothing is read into a request or an answer here: headers and bytes go through. Redirects are followed on the configured
server only and cookies are not kept, so a client's Authorization reaches that server and no other.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections.abc import AsyncIterator, Container
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from guardrail.errors import ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.upstream.connection import AnotherProtocol, Connection, Malformed, Take
from proxy.upstream.connections import Connections, NotConnected, Origin, origin
from proxy.upstream.inflate import OFFERED
from proxy.upstream.redirects import MOST, Address, elsewhere, followed, led_to, redirects
from proxy.upstream.upload import Upload
from proxy.wire.fields import for_client, for_server, without_credentials
from proxy.wire.headers import Headers

CREDENTIALS = frozenset((b"authorization", b"x-api-key", b"api-key", b"x-goog-api-key"))
_IDEMPOTENT = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"))  # RFC 9110, 9.2.2
# POSTs that leave nothing behind but their answer.
_ANSWERING = frozenset(
    ("/chat/completions", "/completions", "/responses", "/messages", "/embeddings", "/moderations")
)
_LINE = re.compile(rb"[A-Z]+ [\x21-\x7e]+ HTTP/1\.1")  # a request's first line

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """One request to pass on. `target`: path below the base URL with its query. `decode`: its answer will be read.

    `model`: what it asks for, where that is known: several servers are told apart by it. `upload`: the body, where it is
    passed on as it comes.
    """

    method: str
    target: str
    headers: Headers
    body: bytes = b""
    decode: bool = True
    model: str = ""
    upload: Upload | None = None

    @property
    def gone(self) -> bool:
        """Part of the body went to a server: it cannot be sent once more."""
        return self.upload is not None and self.upload.begun

    def repeatable(self, *, kept: bool) -> bool:
        """A server that closed the connection without a word may be asked again, although it may have done what was asked.

        `kept`: over a connection that was used before; it had given that up, most likely, and saw nothing of the request.
        """
        if self.upload is not None:
            return False
        if self.method in _IDEMPOTENT or any(name == b"idempotency-key" for name, _ in self.headers):
            return True
        path = self.target.partition("?")[0].rstrip("/")
        return kept and self.method == "POST" and path in _ANSWERING


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
    """The connection was closed before an answer to a request that may be asked again."""


class Refused(UpstreamUnreachable):
    """Nobody was there: a server that restarts, perhaps. Nothing was sent."""


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
            raise ConfigError(
                f"--upstream: {without_credentials(base)!r} is not an http(s) URL such as https://host/v1"
            )
        self._place = place
        self._path = urlsplit(base).path.rstrip("/")
        self._timeouts = timeouts
        self._key = key
        self._proxy = proxy
        self._tls = tls.context() if tls else None
        self._pools = {place: self._connections(place)}
        self._open = False

    def _connections(self, place: Origin) -> Connections:
        found = self._proxy or (None if proxy_bypass(place.host) else getproxies().get(place.scheme))
        by = origin(found) if found else None
        if found and by is None:
            raise ConfigError("the proxy for the model server is not an http(s) URL")
        times = self._timeouts
        return Connections(place, by=by, tls=self._tls, connect=times.connect, silence=times.read)

    def _pool(self, place: Origin) -> Connections:
        if place not in self._pools:
            if len(self._pools) > MOST:
                raise UpstreamBroken("the model server redirects too many times", begun=True)
            self._pools[place] = self._connections(place)
        return self._pools[place]

    async def open(self) -> None:
        self._open = True

    async def close(self) -> None:
        self._open = False
        for pool in self._pools.values():
            await pool.close()

    async def send(self, call: Call) -> Answer:
        """The operator is told, in the log, who did not answer and why; the client is told that nobody did."""
        try:
            return await self._tried(call)
        except UpstreamError as error:
            log.warning("%s:%s: %s (%s)", self._place.host, self._place.port, error, _cause(error))
            raise

    async def _tried(self, call: Call) -> Answer:
        """Redirects are followed on the same server; no other leads the client to where nothing is checked."""
        here = Address(self._place, self._path + call.target)
        for _ in range(MOST + 1):
            answer = await self._repeated(here, call)
            if not redirects(answer.status, read=call.decode):
                return answer
            there = led_to(here, answer.told)
            if there and _fetches(call) and elsewhere(here, there):
                return answer  # a file that lies there
            answer.close()
            step = there and followed(here, there, status=answer.status, method=call.method)
            if step is None or call.gone:
                break
            here = step
        log.warning("%s redirects to %s: set --upstream to that address", here, there or "nowhere")
        raise UpstreamBroken(
            "the model server redirects this request; the operator must set --upstream to the address that is in the log",
            begun=True,
        )

    async def _repeated(self, at: Address, call: Call) -> _HttpAnswer:
        """Tried again while no byte of an answer has come: not after a time-out, and not for a status."""
        try:
            return await self._ask(at, call)
        except (_Dropped, Refused):
            if self._timeouts.attempts == 1:
                raise
        async for attempt in AsyncRetrying(
            stop=stop_after_attempt(self._timeouts.attempts - 1),
            wait=wait_random_exponential(multiplier=0.05, max=1.0),
            retry=retry_if_exception_type((_Dropped, Refused)),
            reraise=True,
        ):
            with attempt:
                return await self._ask(at, call, again=True)
        raise AssertionError("AsyncRetrying ends by returning or raising")

    async def _ask(self, at: Address, call: Call, *, again: bool = False) -> _HttpAnswer:
        if not self._open:
            raise UpstreamUnreachable("the proxy is not connected yet")
        pool = self._pool(at.at)
        request = self._request(at, call, pool)
        kept, heard = False, False
        try:
            async with asyncio.timeout(self._timeouts.first) as limit:
                # What cannot be sent twice goes over a connection that its server cannot have given up.
                connection = await pool.take(new=again or call.upload is not None)
                kept = connection.used
                try:
                    body = self._framed(call.upload, limit) if call.upload is not None else None
                    await connection.ask(
                        request, body=body, head_only=call.method == "HEAD", decode=call.decode
                    )
                except BaseException:
                    heard = connection.heard
                    connection.close()
                    pool.give_back(connection)
                    raise
        except OSError as error:
            failure = _failed(error, begun=heard)
            if type(failure) is _Dropped and not call.repeatable(kept=kept):
                # It may have been done. Whether to ask again is for those to say who know what they asked.
                raise UpstreamBroken(str(failure), begun=True) from error
            raise failure from error
        return _HttpAnswer(connection, pool, server=at.at, decoded=call.decode)

    async def _framed(self, upload: Upload, limit: asyncio.Timeout) -> AsyncIterator[bytes]:
        """A body as it is written. The time for an answer begins when the server has all of it."""
        loop = asyncio.get_running_loop()
        async for piece in upload:
            yield piece if upload.length is not None else b"%x\r\n%b\r\n" % (len(piece), piece)
            with suppress(RuntimeError):  # the answer came before the end of the body
                limit.reschedule(loop.time() + self._timeouts.first)
        if upload.length is None:
            yield b"0\r\n\r\n"

    def _request(self, at: Address, call: Call, pool: Connections) -> bytes:
        """The request as it is written. Raises UpstreamBroken where it cannot be."""
        lines = [f"{call.method} {pool.target(at.path)} HTTP/1.1".encode("latin-1", "replace")]
        lines += [name + b": " + value for name, value in [*pool.headers, *self._headers(call)]]
        if not _LINE.fullmatch(lines[0]) or any(b"\r" in line or b"\n" in line for line in lines):
            raise UpstreamBroken("the model server cannot be called with this path", begun=False)
        return b"\r\n".join(lines) + b"\r\n\r\n" + call.body

    def _headers(self, call: Call) -> Headers:
        kept = for_server(call.headers)
        if call.decode:
            kept = [*_without(kept, (b"accept-encoding",)), (b"accept-encoding", OFFERED)]
        if self._key:
            kept = [*_without(kept, CREDENTIALS), self._credential(call, kept)]
        elif own := self._place.credentials:
            kept = [*_without(kept, CREDENTIALS), (b"authorization", b"Basic " + own)]
        length = len(call.body) if call.upload is None else call.upload.length
        if length is None:
            kept.append((b"transfer-encoding", b"chunked"))
        elif length or call.method not in ("GET", "HEAD", "OPTIONS", "DELETE"):
            kept.append((b"content-length", str(length).encode()))
        return kept

    def _credential(self, call: Call, headers: Headers) -> tuple[bytes, bytes]:
        """Our key as the server wants it: Anthropic's and Azure's read headers of their own."""
        if any(name == b"anthropic-version" for name, _ in headers):
            return b"x-api-key", self._key.encode()
        if "api-version=" in call.target:
            return b"api-key", self._key.encode()
        return b"authorization", f"Bearer {self._key}".encode()


class _HttpAnswer(Answer):
    def __init__(self, connection: Connection, pool: Connections, *, server: Origin, decoded: bool) -> None:
        self._connection = connection
        self._pool = pool
        self._closed = False
        self.server = (server.host, server.port)
        self.status = connection.status
        self.told = connection.headers
        self.headers = for_client(connection.headers, read=decoded)

    async def carry(self, take: Take) -> None:
        try:
            if not self._closed:
                await self._connection.carry(take)
        except OSError as error:
            raise _failed(error, begun=True) from error

    async def body(self) -> AsyncIterator[bytes]:
        try:
            while not self._closed and (data := await self._connection.read()):
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


def _without(headers: Headers, names: Container[bytes]) -> Headers:
    return [(name, value) for name, value in headers if name not in names]


def _fetches(call: Call) -> bool:
    """Whether the client fetches something that is not read on its way."""
    return not call.decode and call.method in ("GET", "HEAD")


def _failed(error: OSError, *, begun: bool) -> UpstreamError:
    """In our own words: the system's may hold addresses."""
    if isinstance(error, TimeoutError):
        return UpstreamUnreachable("the model server did not answer in time", begun=begun)
    if isinstance(error, NotConnected):
        return Refused("the model server cannot be reached", begun=begun)
    if isinstance(error, AnotherProtocol):
        return UpstreamBroken("the model server answered in another protocol", begun=begun)
    if begun:
        return UpstreamBroken("the model server broke off its answer", begun=True)
    if isinstance(error, Malformed):
        return UpstreamBroken("the model server's answer is not valid HTTP/1.1", begun=True)
    return _Dropped("the model server closed the connection without an answer", begun=False)
