"""Compressed bodies, decoded as they come: gzip and deflate, which are what is asked for where an answer is to be read."""

from __future__ import annotations

import zlib

OFFERED = b"gzip, deflate"
_GZIP = zlib.MAX_WBITS | 16


class Inflate:
    """One body. `coding`: its content-encoding. Raises ValueError for one that was not asked for."""

    def __init__(self, coding: bytes) -> None:
        name = coding.strip().lower()
        if name not in (b"gzip", b"x-gzip", b"deflate"):
            raise ValueError("a content-encoding that was not asked for")
        self._gzip = name != b"deflate"
        self._wanted = zlib.decompressobj(_GZIP if self._gzip else zlib.MAX_WBITS)
        self._begun = False

    def feed(self, data: bytes) -> bytes:
        """What `data` adds. Raises ValueError where it is not what the encoding says."""
        if data and not self._begun and not self._gzip and data[0] & 0x0F != 8:
            self._wanted = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers send it without zlib's own head
        self._begun = self._begun or bool(data)
        out = []
        try:
            while data:
                if self._wanted.eof and self._gzip:  # RFC 1952, 2.2: members follow each other
                    self._wanted = zlib.decompressobj(_GZIP)
                out.append(self._wanted.decompress(data))
                data = self._wanted.unused_data if self._gzip else b""
        except zlib.error as error:
            raise ValueError("the body is not what its encoding says") from error
        return b"".join(out)

    @property
    def complete(self) -> bool:
        """The body may end here."""
        return self._wanted.eof or not self._begun
