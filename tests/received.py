"""Requests read to their last byte, by servers of a few lines.

A server that closes with bytes unread resets the connection, and the reset may overtake what it had answered.
"""

from __future__ import annotations

import asyncio
import re
import socket

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_END = b"\r\n\r\n"


def receive(connection: socket.socket) -> bytes:
    """One request from a blocking socket; what came, when the client leaves before its end."""
    got = bytearray()
    while not _whole(got) and (more := connection.recv(65536)):
        got += more
    return bytes(got)


async def receive_from(reader: asyncio.StreamReader) -> bytes:
    """One request from a stream; raises asyncio.IncompleteReadError when the client leaves before its end."""
    head = await reader.readuntil(_END)
    return head + await reader.readexactly(_length(head))


def _whole(got: bytearray) -> bool:
    head, end, body = got.partition(_END)
    return bool(end) and len(body) >= _length(head)


def _length(head: bytes | bytearray) -> int:
    told = _LENGTH.search(head)
    return int(told[1]) if told else 0
