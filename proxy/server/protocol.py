"""uvicorn's HTTP/1.1 with limits on the head of a request: its size, and the time in which it must arrive.

Neither llhttp nor uvicorn has one: a client could fill the memory with one endless header, or hold connections open by
sending a byte now and then. Bodies are limited where they are read (`admission`).

RFC 9110, 7.8: who asks for another protocol beside may be answered in this one. llhttp takes all behind such a head for the
other protocol, so the head is read once more without the wish.
"""

from __future__ import annotations

import asyncio
import sys

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from proxy.wire.headers import Failure

HEAD = 64 * 1024
HEAD_S = 30.0
WISHES = 4  # for another protocol, in what comes at once
LINGER, LINGER_S = 1 << 20, 1.0  # what is still taken from a client that was refused, and how long


class Protocol(HttpToolsProtocol):
    """One connection of a client."""

    _late: asyncio.TimerHandle
    _refused = False
    _wishes = False  # for another protocol: what is read is the head that says so
    _data = _rest = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        if self._refused:
            self._pass_over()
            return
        if (
            self._in_head and self._late.cancelled()
        ):  # the first bytes of a further request on a kept connection
            self._late = self.loop.call_later(HEAD_S, self._too_late)
        for _ in range(WISHES):
            self._data, self._rest = data, b""
            super().data_received(data)
            if not (data := self._rest):
                break
        else:
            self._refuse(_NOTHING_ELSE)
        if self._in_head and self._unread > HEAD and not (self._refused or self.transport.is_closing()):
            self._refuse(_TOO_LARGE)

    def _pass_over(self) -> None:
        """What comes behind a refusal is not read; whoever goes on too long is cut off."""
        if self._unread > LINGER:
            self.transport.abort()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head += len(name) + len(value) + 4
        if self._head > HEAD:
            raise ValueError("the head of the request is too large")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._wishes = self.parser.should_upgrade()
        if not self._wishes:
            self._in_head = False
            self._late.cancel()
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        if not self._wishes:
            super().on_message_complete()
            self._await_head(later=True)

    def _unsupported_upgrade_warning(self) -> None:
        """What uvicorn calls for a head that wishes for another protocol: what is to be read instead."""
        ended = sys.exc_info()[1]
        at = ended.args[0] if isinstance(ended, httptools.HttpParserUpgrade) else len(self._data)
        method, version = self.parser.get_method(), self.parser.get_http_version().encode()
        if method == b"CONNECT" or any(b"\r" in value or b"\n" in value for _, value in self.headers):
            self._refuse(_NOTHING_ELSE)
            return
        kept = [(name, value) for name, value in self.headers if name not in _WISH]
        if any(name == b"connection" and b"close" in value.lower() for name, value in self.headers):
            kept.append((b"connection", b"close"))
        lines = [b"%b %b HTTP/%b" % (method, self.url, version), *(b"%b: %b" % pair for pair in kept)]
        self.parser = httptools.HttpRequestParser(self)
        self._wishes, self._head = False, 0
        self._rest = b"\r\n".join(lines) + b"\r\n\r\n" + self._data[at:]

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
                Failure(408, "The head of the request did not arrive in time.", code="request_timeout")
            )

    def _refuse(self, failure: Failure) -> None:
        """Says so and takes a little of what is still coming: closed at once, the connection would take the words with it."""
        self._late.cancel()
        self._refused = True
        body = failure.json()
        fields = b"content-type: application/json\r\nx-content-type-options: nosniff\r\nconnection: close"
        head = b"HTTP/1.1 %d Refused\r\n%b\r\ncontent-length: %d\r\n\r\n"
        self.transport.write(head % (failure.status, fields, len(body)) + body)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._late = self.loop.call_later(LINGER_S, self.transport.close)


_TOO_LARGE = Failure(431, f"The head of the request is larger than {HEAD} bytes.", code="head_too_large")
_NOTHING_ELSE = Failure(400, "This server supports only HTTP/1.1.", code="invalid_http")
_WISH = frozenset((b"connection", b"upgrade", b"http2-settings"))
