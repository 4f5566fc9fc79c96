"""uvicorn's HTTP/1.1 with a limit on the head of a request: its size, and the time that it may take to come.

Neither llhttp nor uvicorn has one: a client could fill the memory with one endless header, or hold connections open by
sending a byte now and then. Bodies are limited where they are read (`admission`).
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from proxy.wire import Failure

HEAD = 64 * 1024
HEAD_S = 30.0
LINGER, LINGER_S = 1 << 20, 1.0  # what is still taken from a client that was refused, and how long


class Protocol(HttpToolsProtocol):
    """One connection of a client."""

    _late: asyncio.TimerHandle
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            self._unread += len(data)
            if self._unread > LINGER:
                self.transport.abort()
            return
        if (
            self._in_head and self._late.cancelled()
        ):  # the first bytes of a further request on a kept connection
            self._late = self.loop.call_later(HEAD_S, self._too_late)
        self._unread += len(data)
        super().data_received(data)
        if self._in_head and self._unread > HEAD and not (self._refused or self.transport.is_closing()):
            self._refuse(_TOO_LARGE)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head += len(name) + len(value) + 4
        if self._head > HEAD:
            raise ValueError("the head of the request is too large")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._late.cancel()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._await_head(later=True)

    def send_400_response(self, msg: str) -> None:
        self._refuse(_TOO_LARGE if self._head > HEAD else Failure(400, msg, code="invalid_http"))

    def _await_head(self, *, later: bool = False) -> None:
        """`later`: on a kept connection the time runs from the first byte; before that uvicorn's keep-alive does."""
        self._head = self._unread = 0
        self._in_head = True
        if not later:
            self._late = self.loop.call_later(HEAD_S, self._too_late)

    def _too_late(self) -> None:
        if not self.transport.is_closing():
            self._refuse(
                Failure(408, "The head of the request did not come in time.", code="request_timeout")
            )

    def _refuse(self, failure: Failure) -> None:
        """Says so and takes a little of what is still coming: closed at once, the connection would take the words with it."""
        self._late.cancel()
        self._refused = True
        body = failure.json()
        head = b"HTTP/1.1 %d Refused\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
        self.transport.write(head % (failure.status, len(body)) + body)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._late = self.loop.call_later(LINGER_S, self.transport.close)


_TOO_LARGE = Failure(431, f"The head of the request is larger than {HEAD} bytes.", code="head_too_large")
