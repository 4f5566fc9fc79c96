"""Decompresses bodies as they arrive: gzip and deflate, which are what the proxy asks for when an answer is to be read.

A few kilobytes may stand for gigabytes. So they are decoded in steps, each small in time and memory, and the next one is taken
when whoever reads has taken what the last one gave.
"""

from __future__ import annotations

import zlib

OFFERED = b"gzip, deflate"
STEP = 64 * 1024  # bytes that a step gives at most
_GZIP = zlib.MAX_WBITS | 16
# A member of gzip may be empty and 20 bytes short: so many bytes are looked at, so often, in a step.
_SLICE, _CALLS = 4096, 64


class Inflate:
    """One body. `coding`: its content-encoding. Raises ValueError for one that was not asked for."""

    def __init__(self, coding: bytes) -> None:
        name = coding.strip().lower()
        if name not in (b"gzip", b"x-gzip", b"deflate"):
            raise ValueError("a content-encoding that was not requested")
        self._gzip = name != b"deflate"
        self._wanted = zlib.decompressobj(_GZIP if self._gzip else zlib.MAX_WBITS)
        self._begun = False
        self._data, self._at = b"", 0
        self._full = False  # the last call gave all that it was allowed to: there may be more behind it

    def feed(self, data: bytes) -> bytes:
        """A step: what `data` and what is left of the data before it add, STEP bytes at most; `pending` says whether to go on.

        Raises ValueError where it is not what the encoding says.
        """
        if data:
            self._take(data)
        out: list[bytes] = []
        room = STEP
        for _ in range(_CALLS):
            if not (self.pending and room):
                break
            try:
                out.append(self._decoded(room))
            except zlib.error as error:
                raise ValueError("the body does not match its content-encoding") from error
            room -= len(out[-1])
        return b"".join(out)

    def _take(self, data: bytes) -> None:
        self._data, self._at = self._data[self._at :] + data, 0
        if not self._begun and not self._gzip and data[0] & 0x0F != 8:
            self._wanted = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers send it without zlib's own head
        self._begun = True

    def _decoded(self, room: int) -> bytes:
        if self._wanted.eof and self._gzip:  # RFC 1952, 2.2: members follow each other
            self._wanted = zlib.decompressobj(_GZIP)
        given = self._data[self._at : self._at + _SLICE]
        found = self._wanted.decompress(given, room)
        ended = self._wanted.eof
        self._full = len(found) == room and not ended
        left = self._wanted.unused_data if ended else self._wanted.unconsumed_tail
        self._at += len(given) - len(left)
        if ended and not self._gzip:
            self._data, self._at = b"", 0  # nothing may follow
        return found

    @property
    def pending(self) -> bool:
        """There is more to be had before the next bytes come."""
        return self._full or self._at < len(self._data)

    @property
    def complete(self) -> bool:
        """The body may end here."""
        return not self.pending and (self._wanted.eof or not self._begun)
