"""The model's server: `Upstream` is the role, `HttpUpstream` any OpenAI-compatible server over a pool of connections.

Nothing is read into a request or an answer here: headers and bytes go through. Redirects are not followed and cookies are
not kept, so a client's Authorization reaches the configured server and no other.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.request import getproxies, proxy_bypass

import aiohttp
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential
from yarl import URL

from guardrail.errors import ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
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
_AUTO = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")

log = logging.getLogger(__name__)
LOOK = 1.0  # seconds between two looks at whether the connection is still there
_ENCODINGS = b"gzip, deflate"  # what aiohttp can decode without extras


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
    """An answer that has begun. Iterating over `body` raises UpstreamError when it breaks off.

    `server`: host and port that gave it, as far as they are known.
    """

    server: tuple[str, int | None]
    status: int
    headers: Headers

    def body(self) -> AsyncIterator[bytes]: ...

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
        url = URL(base)
        if url.scheme not in ("http", "https") or not url.host:
            raise ConfigError(f"--upstream: {base!r} is no http(s) URL such as https://host/v1")
        self._base = base.rstrip("/")
        self._server = f"{url.host}:{url.port}"
        self._timeouts = timeouts
        self._key = key
        # Asked once: aiohttp's own `trust_env` asks for each request, in a thread.
        self._proxy = proxy or (None if proxy_bypass(url.host) else getproxies().get(url.scheme))
        self._tls: ssl.SSLContext | bool = True if tls is None else tls.context()
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=self._timeouts.connect, sock_read=self._timeouts.read
        )
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=60, keepalive_timeout=30, ssl=self._tls),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=timeout,
            skip_auto_headers=_AUTO,
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(self, call: Call) -> Answer:
        """The operator is told, in the log, who did not answer and why; the client is told that nobody did."""
        try:
            return await self._tried(call)
        except UpstreamError as error:
            log.warning("%s: %s (%s)", self._server, error, _cause(error))
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
        if self._session is None:
            raise UpstreamUnreachable("the proxy is not connected yet")
        try:
            async with asyncio.timeout(self._timeouts.first):
                response = await self._session.request(
                    call.method,
                    URL(self._base + call.target, encoded=True),
                    data=call.body or None,
                    headers=self._headers(call),
                    allow_redirects=False,
                    proxy=self._proxy,
                    auto_decompress=call.decode,
                )
        except (TimeoutError, OSError, aiohttp.ClientError, ValueError) as error:
            raise _failed(error, begun=False) from error
        if response.status < 200:  # 101: what follows is another protocol, which nobody asked for
            response.close()
            raise UpstreamBroken("the model server gave no answer but another protocol")
        return _HttpAnswer(response, decoded=call.decode)

    def _headers(self, call: Call) -> list[tuple[str, str]]:
        kept = [(n, v) for n, v in call.headers if n not in _NOT_SENT and not n.startswith(b"x-guardrail-")]
        if call.decode:
            kept = [(n, v) for n, v in kept if n != b"accept-encoding"] + [(b"accept-encoding", _ENCODINGS)]
        if self._key:
            kept = [*((n, v) for n, v in kept if n not in CREDENTIALS), self._credential(kept)]
        return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in kept]

    def _credential(self, headers: Headers) -> tuple[bytes, bytes]:
        """Our key as the server wants it: Anthropic's reads a header of its own."""
        if any(name == b"anthropic-version" for name, _ in headers):
            return b"x-api-key", self._key.encode()
        return b"authorization", f"Bearer {self._key}".encode()


class _HttpAnswer:
    _watch: asyncio.TimerHandle

    def __init__(self, response: aiohttp.ClientResponse, *, decoded: bool) -> None:
        self._response = response
        self.server = (response.url.host or "", response.url.port)
        self.status = response.status
        dropped = HOP_BY_HOP | ({b"content-encoding", b"content-length"} if decoded else set())
        self.headers = [(n.lower(), v) for n, v in response.raw_headers if n.lower() not in dropped]

    async def body(self) -> AsyncIterator[bytes]:
        read = self._response.content.readany
        self._watch = asyncio.get_running_loop().call_later(LOOK, self._look)
        try:
            while data := await read():
                yield data
        # RuntimeError: what aiohttp says of a connection that was lost between two reads.
        except (TimeoutError, OSError, RuntimeError, aiohttp.ClientError) as error:
            raise _failed(error, begun=True) from error
        finally:
            self._watch.cancel()

    def _look(self) -> None:
        """Wakes a reader whose connection is gone: after a malformed chunk aiohttp tells it nothing, and waits for ever."""
        content, connection = self._response.content, self._response.connection
        lost = connection is None or connection.transport is None
        if lost and not content.is_eof() and content.exception() is None:
            content.set_exception(aiohttp.ClientPayloadError("the connection is gone"))
            return
        self._watch = asyncio.get_running_loop().call_later(LOOK, self._look)

    def close(self) -> None:
        self._response.close()


def _cause(error: UpstreamError) -> str:
    """What lies behind it. Only the text of a failed connection holds nothing but the server's name and the system's words."""
    cause = error.__cause__
    return str(cause) if isinstance(cause, aiohttp.ClientConnectorError) else type(cause or error).__name__


def _failed(error: Exception, *, begun: bool) -> UpstreamError:
    """In our own words: the text of a client library may hold addresses and headers."""
    if isinstance(error, asyncio.TimeoutError):
        return UpstreamUnreachable("the model server did not answer in time", begun=begun)
    if isinstance(error, aiohttp.ClientConnectorError):
        return _Refused("the model server cannot be reached", begun=begun)
    if isinstance(error, aiohttp.InvalidURL | ValueError):
        return UpstreamBroken("the model server cannot be asked for this path", begun=begun)
    if begun:
        return UpstreamBroken("the model server broke off its answer", begun=True)
    return _Dropped("the model server closed the connection without an answer", begun=False)
