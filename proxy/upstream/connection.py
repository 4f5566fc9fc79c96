"""One HTTP/1.1 connection to a model's server. It carries one request at a time; llhttp parses the answer as it arrives.

The body is handed on in the call that brings it: a task that is woken for each token costs several times what the token does.
Between two requests nothing is asked of the server: whatever it says then, its end included, ends the connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from typing import cast

import httptools

from proxy.upstream.inflate import Inflate
from proxy.wire.headers import Headers

LARGEST_HEAD = 256 * 1024  # also of what stands between two pieces of a body, and behind it
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
        self._sending: asyncio.Task[None] | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._turn = 0  # of whoever asked last: nobody else reads on
        self.used = False  # an answer has come over it before
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

    async def ask(
        self,
        request: bytes,
        *,
        body: AsyncIterable[bytes] | None = None,
        head_only: bool = False,
        decode: bool = False,
    ) -> None:
        """Returns when the head of the answer has come. `body`: what follows `request`, sent as fast as the server takes it.

        `head_only`: no body follows the head whatever it says. `decode`: the body is decoded. Raises ConnectionError, and
        what `body` raises.
        """
        if self.transport.is_closing() or not self._over:
            raise ConnectionResetError("closed")
        self._reset(head_only=head_only, decode=decode)
        self._head = self._loop.create_future()
        self._watch = self._loop.call_later(self._silence, self._look)
        self.transport.write(request)
        if body is not None:
            self._sending = self._loop.create_task(self._send(body))
        try:
            await self._head
        finally:
            self._head = None

    async def _send(self, body: AsyncIterable[bytes]) -> None:
        try:
            async for piece in body:
                self.transport.write(piece)
                await self._may_write.wait()
                self._heard = self._loop.time()
        except Exception as error:  # noqa: BLE001 - whatever breaks in `body` is told to the one who asks
            self._broke(error)
            self._wake()

    async def carry(self, take: Take) -> None:
        """Hands on the body as it comes, until its end or `close`. What `take` returns is awaited before there is more.

        `take` is called within the connection's own callback, where it can be. Raises what `take` raises.
        """
        turn, waits = self._turn, None
        try:
            while self._turn == turn:
                if self._held:
                    waits = take(self._drained())
                elif self._ended():
                    return
                else:
                    self._take = take
                    await self._more()
                    if self._turn != turn:
                        return
                    waits, self._take, self._waits = self._waits, None, None
                if waits is not None:
                    await waits
        finally:
            if self._turn == turn:
                self._take = self._waits = None

    async def read(self) -> bytes:
        """What has come of the body since the last time; empty at its end, and once it is not read for who asked any more."""
        turn = self._turn
        while self._turn == turn and not self._held and not self._ended():
            await self._more()
        return self._drained() if self._turn == turn else b""

    @property
    def reusable(self) -> bool:
        """The answer has come whole and was taken, the request had gone out whole, and the server lets another follow."""
        sent = (self._sending is None or self._sending.done()) and not self.transport.get_write_buffer_size()
        whole = self._over and self._keep and self._failure is None and not (self._held or self._pending)
        return sent and whole and not self.transport.is_closing()

    @property
    def heard(self) -> bool:
        """Something of the answer to the last request has come."""
        return self._begun or self._seen > 0

    def rest(self) -> bool:
        """Between two requests: it listens, so that the server's end is heard. False where it cannot be used again."""
        if not self.reusable:
            return False
        self._turn += 1
        self.used = True
        self._take = self._waits = self._sending = self._inflate = None
        self._resume()
        self._wake()
        return True

    @property
    def quiet(self) -> bool:
        """Nothing has come since `rest`: the next bytes will be the answer to the next request."""
        return self._keep and not self.transport.is_closing()

    def close(self) -> None:
        """Whoever reads the body finds its end."""
        self._over = True
        self._keep = False
        self._inflate = None
        self._held.clear()
        self._stop_sending()
        self.transport.abort()
        self._wake()

    def _stop_sending(self) -> None:
        if self._sending is not None and self._sending is not asyncio.current_task(self._loop):
            self._sending.cancel()

    # ── what is read ──────────────────────────────────────────────────────────────────────────────────

    @property
    def _pending(self) -> bool:
        """There is more to be decoded of what has come."""
        return self._inflate is not None and self._inflate.pending

    def _ended(self) -> bool:
        """Raises what made the answer break off, when all that came before it was handed on."""
        if self._pending:
            return False
        if self._over and self._inflate is not None and not self._inflate.complete:
            self._broke(Malformed("the body ends too early"))
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
        if self._pending:
            await asyncio.sleep(0)  # all else has its turn between two steps
            self._decoded(b"")
            return
        self._resume()
        news = self._news = self._loop.create_future()
        try:
            await news
        finally:
            if self._news is news:
                self._news = None

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
        if self._head is not None and not self._head.done():
            if self._failure is None:
                self._head.set_result(None)
            else:
                self._head.set_exception(self._failure)
        if (self._over or self._failure is not None) and self._watch is not None:
            self._watch.cancel()

    def _pause(self) -> None:
        if not self._paused and not self.transport.is_closing():
            self._paused = True
            self.transport.pause_reading()

    def _resume(self) -> None:
        if self._paused and not self.transport.is_closing():
            self._paused = False
            self._heard = self._loop.time()
            self.transport.resume_reading()

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
            self._failure, self._inflate, waits = error, None, None
        if waits is not None or self._failure is not None:
            self._take, self._waits = None, waits
            self._pause()
            self._wake()

    def _look(self) -> None:
        """Has the server been silent for too long?"""
        sends = self._sending is not None and not self._sending.done() and self._may_write.is_set()
        if self._paused or sends:
            self._heard = self._loop.time()  # it is us who do not read, or have not said all
        left = self._heard + self._silence - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self._look)
            return
        self._broke(TimeoutError())
        self._wake()

    # ── asyncio's calls ───────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance

    def connection_lost(self, error: Exception | None) -> None:
        if not self._over:
            if self._until_close and error is None:
                self._finish()
            else:
                self._failure = self._failure or ConnectionResetError("closed")
        self._stop_sending()
        self._wake()
        del self._parser  # it holds this object: they would keep each other for the garbage collector

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    def data_received(self, data: bytes) -> None:
        if self._over:  # nobody has asked for this
            self._keep = False
            self.transport.abort()
        elif self._failure is None:
            self._read(data)

    def _read(self, data: bytes) -> None:
        self._heard = self._loop.time()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if not self._over:
                self._broke(Malformed(str(error)))
            self._keep = False
        self._seen = 0 if self._pieces else self._seen + len(data)
        if self._seen > LARGEST_HEAD and not self._over:
            self._broke(Malformed("the head of the answer or the framing of its body is too large"))
        if self._pieces:
            body = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
            self._pieces.clear()
            self._decoded(body)
        if self._over:
            self._finish()
        if self._failure is not None:
            self._wake()

    def _broke(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._inflate = None
        self.transport.abort()

    def _decoded(self, data: bytes) -> None:
        """Hands on `data`: where it is compressed, a step of it; whoever waits for more takes the next one."""
        if self._inflate is not None:
            try:
                data = self._inflate.feed(data)
            except ValueError as error:
                self._broke(Malformed(str(error)))
                return
            if self._inflate.pending:
                self._pause()
                self._wake()
        if data:
            self._arrived(data)

    def _finish(self) -> None:
        self._over = True
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
        if 100 <= status < 200 and status != 101:
            self.headers = []  # 100, 103: the answer comes behind it
            return
        self.status, self._begun = status, True
        given = dict(self.headers)
        if not 100 <= status < 600:
            self._failure = Malformed(f"the invalid status {status}")
            return
        if status == 101:
            self._failure = AnotherProtocol("status 101")
            return
        self._expect_body(status, given)
        if self._head is not None and not self._head.done() and self._failure is None:
            self._head.set_result(None)

    def _expect_body(self, status: int, given: Mapping[bytes, bytes]) -> None:
        """Whether a body follows, how its end shows, and how it is coded."""
        self._keep = self._parser.should_keep_alive()
        bodiless = self._head_only or status in _BODILESS
        framed = b"content-length" in given or b"transfer-encoding" in given
        self._until_close = not (framed or bodiless)
        if self._decode and not bodiless:
            self._open_coding()
        if self._head_only:
            self._over, self._keep = True, False  # llhttp would wait for a body

    def _open_coding(self) -> None:
        codings = [value.strip().lower() for name, value in self.headers if name == b"content-encoding"]
        if (coding := b", ".join(codings)) not in (b"", b"identity"):
            try:
                self._inflate = Inflate(coding)
            except ValueError as error:
                self._failure = Malformed(str(error))

    def on_body(self, data: bytes) -> None:
        if not self._over:  # what comes behind the end is no part of it
            self._pieces.append(data)

    def on_message_complete(self) -> None:
        if self._begun and self._failure is None:
            self._over = True
