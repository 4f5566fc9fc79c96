"""One HTTP/1.1 connection to a model's server: a request at a time, and its answer, read by llhttp as it comes.

The body is handed on in the call that brings it: a task that is woken for each token costs several times what the token does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import cast

import httptools

from proxy.inflate import Inflate
from proxy.wire import Headers

LARGEST_HEAD = 256 * 1024
HIGH = 64 * 1024  # bytes that may wait for a reader before the server is slowed down
# Larger pieces wait for a task's turn: libuv reads one socket up to 32 times in a row, and all else has to wait for that.
LITTLE = 4 * 1024
_BODILESS = frozenset((204, 205, 304))

Take = Callable[[bytes], Awaitable[None] | None]


class Malformed(ConnectionError):
    """What the server sent is no answer in HTTP/1.1."""


class AnotherProtocol(Malformed):
    """It has switched to one that nobody asked for."""


class Connection(asyncio.Protocol):
    """After `ask`, `status` and `headers` (names in lower case) are those of the answer.

    `silence`: seconds without a byte after which it fails. Failures are TimeoutError and ConnectionError.
    """

    transport: asyncio.Transport
    status: int
    headers: Headers
    _parser: httptools.HttpResponseParser

    def __init__(self, *, silence: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._silence = silence
        self._head: asyncio.Future[None] | None = None
        self._news: asyncio.Future[None] | None = None
        self._watch: asyncio.TimerHandle | None = None
        self.idle_since = 0.0
        self._reset(head_only=False, decode=False)
        self._over = True  # nothing was asked yet

    def _reset(self, *, head_only: bool, decode: bool) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._head_only, self._decode = head_only, decode
        self.status, self.headers = 0, []
        self._begun = self._over = self._keep = False
        self._failure: Exception | None = None
        self._seen = 0
        self._heard = self._loop.time()
        self._until_close = False
        self._inflate: Inflate | None = None
        self._pieces: list[bytes] = []  # of the body, in one call
        self._held: list[bytes] = []  # that nobody has taken yet
        self._held_size = 0
        self._paused = False
        self._take: Take | None = None
        self._waits: Awaitable[None] | None = None

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────

    async def ask(self, request: bytes, *, head_only: bool = False, decode: bool = False) -> None:
        """Returns when the head of the answer has come. `head_only`: no body follows whatever the head says.

        `decode`: the body is decoded. Raises ConnectionError.
        """
        if self.transport.is_closing():
            raise ConnectionResetError("closed")
        self._reset(head_only=head_only, decode=decode)
        self._head = self._loop.create_future()
        self._watch = self._loop.call_later(self._silence, self._look)
        self.transport.write(request)
        try:
            await self._head
        finally:
            self._head = None

    async def carry(self, take: Take) -> None:
        """Hands on the body as it comes, until its end or `close`. What `take` returns is awaited before there is more.

        `take` is called within the connection's own callback, where it can be. Raises what `take` raises.
        """
        try:
            while True:
                if self._held:
                    if (waits := take(self._drained())) is not None:
                        await waits
                elif self._ended():
                    return
                else:
                    self._take = take
                    await self._more()
                    self._take = None
                    if self._waits is not None:
                        waits, self._waits = self._waits, None
                        await waits
        finally:
            self._take = self._waits = None

    async def read(self) -> bytes:
        """What has come of the body since the last time; empty at its end."""
        while not self._held and not self._ended():
            await self._more()
        return self._drained()

    @property
    def reusable(self) -> bool:
        """The answer has come whole, and the server lets another request follow."""
        whole = self._over and self._keep and self._failure is None and not self._held
        return whole and not self.transport.is_closing()

    def close(self) -> None:
        """Whoever reads the body finds its end."""
        self._over = True
        self._keep = False
        self._held.clear()
        self.transport.abort()
        self._wake()

    # ── what is read ──────────────────────────────────────────────────────────────────────────────────

    def _ended(self) -> bool:
        """Raises what made the answer break off."""
        if self._failure is not None:
            raise self._failure
        return self._over

    def _drained(self) -> bytes:
        data = self._held[0] if len(self._held) == 1 else b"".join(self._held)
        self._held.clear()
        self._held_size = 0
        return data

    async def _more(self) -> None:
        """Until something has come or ended."""
        if self._paused and not self.transport.is_closing():
            self._paused = False
            self._heard = self._loop.time()
            self.transport.resume_reading()
        self._news = self._loop.create_future()
        try:
            await self._news
        finally:
            self._news = None

    def _wake(self) -> None:
        for waiter in (self._head, self._news):
            if waiter is not None and not waiter.done():
                waiter.set_result(None)
        if (self._over or self._failure is not None) and self._watch is not None:
            self._watch.cancel()

    def _pause(self) -> None:
        if not self._paused and not self.transport.is_closing():
            self._paused = True
            self.transport.pause_reading()

    def _arrived(self, data: bytes) -> None:
        """Part of the body, for whoever reads it."""
        if self._take is None or self._held or len(data) > LITTLE:
            self._held.append(data)
            self._held_size += len(data)
            if self._held_size > HIGH:
                self._pause()
            self._wake()
            return
        try:
            waits = self._take(data)
        except Exception as error:  # noqa: BLE001 - whatever breaks in `take` is told to the one who carries
            self._failure, waits = error, None
        if waits is not None or self._failure is not None:
            self._take, self._waits = None, waits
            self._pause()
            self._wake()

    def _look(self) -> None:
        """Has the server been silent for too long?"""
        if self._paused:
            self._heard = self._loop.time()  # it is us who do not read
        left = self._heard + self._silence - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self._look)
            return
        self._broke(TimeoutError())
        self._wake_failed()

    # ── asyncio's calls ───────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance

    def connection_lost(self, error: Exception | None) -> None:
        if not self._over:
            if self._until_close and error is None:
                self._finish()
            else:
                self._failure = self._failure or ConnectionResetError("closed")
        self._wake_failed()
        del self._parser  # it holds this object: they would keep each other for the garbage collector

    def data_received(self, data: bytes) -> None:
        if self._over:  # nobody has asked for this
            self._keep = False
            self.transport.abort()
        else:
            self._read(data)

    def _read(self, data: bytes) -> None:
        self._heard = self._loop.time()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if not self._over:
                self._broke(Malformed(str(error)))
            self._keep = False
        if not self._begun:
            self._seen += len(data)
            if self._seen > LARGEST_HEAD:
                self._broke(Malformed("the head of the answer is too large"))
        if self._pieces:
            self._decoded()
        if self._over:
            self._finish()
        if self._failure is not None:
            self._wake_failed()

    def _broke(self, error: Exception) -> None:
        self._failure = self._failure or error
        self.transport.abort()

    def _wake_failed(self) -> None:
        if self._head is not None and not self._head.done() and self._failure is not None:
            self._head.set_exception(self._failure)
        self._wake()

    def _decoded(self) -> None:
        data = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces.clear()
        if self._inflate is not None:
            try:
                data = self._inflate.feed(data)
            except ValueError as error:
                self._broke(Malformed(str(error)))
                return
        if data:
            self._arrived(data)

    def _finish(self) -> None:
        self._over = True
        if self._inflate is not None and not self._inflate.complete:
            self._broke(Malformed("the body is cut off"))
        self._wake()

    # ── llhttp's calls; what they raise would come back as an error of its own ────────────────────────

    def on_message_begin(self) -> None:
        if self._over:
            self._keep = False  # a further answer that nobody has asked for

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._begun:  # behind the body come trailers, which nobody reads
            self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        if self._over:
            return
        status = self._parser.get_status_code()
        if status < 200 and status != 101:
            self.headers = []  # 100, 103: the answer comes behind it
            return
        self.status, self._begun = status, True
        given = dict(self.headers)
        if status == 101:
            self._failure = AnotherProtocol("status 101")
            return
        self._keep = self._parser.should_keep_alive()
        bodiless = self._head_only or status in _BODILESS
        framed = b"content-length" in given or b"transfer-encoding" in given
        self._until_close = not (framed or bodiless)
        if (
            self._decode
            and not bodiless
            and (coding := given.get(b"content-encoding", b"identity")) != b"identity"
        ):
            try:
                self._inflate = Inflate(coding)
            except ValueError as error:
                self._failure = Malformed(str(error))
        if self._head_only:
            self._over, self._keep = True, False  # llhttp would wait for a body
        if self._head is not None and not self._head.done() and self._failure is None:
            self._head.set_result(None)

    def on_body(self, data: bytes) -> None:
        if not self._head_only:
            self._pieces.append(data)

    def on_message_complete(self) -> None:
        if self._begun and self._failure is None:
            self._over = True
