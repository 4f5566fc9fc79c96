"""A file to import: opened and decompressed as a stream, with its place in the whole for the progress bar.

Compression is known by the first bytes, not by the name. A compressed file that breaks off raises ImportFailed, after
everything before the break has been given out.
"""

from __future__ import annotations

import bz2
import hashlib
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import zstandard

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.sheet import csv_lines

LONGEST_LINE = 64 << 20
"""Bytes; the longest lines of Wikidata's dump have some millions."""
_BLOCK = 1 << 20
_BITE = 2048
"""Bytes of a compressed file that are decompressed at once: at most some ten million bytes come of them."""


class _Decompressor(Protocol):
    """One member of a compressed file."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_KINDS: tuple[tuple[bytes, str, Callable[[], _Decompressor]], ...] = (
    (b"\x1f\x8b", "gzip", lambda: zlib.decompressobj(wbits=31)),
    (b"BZh", "bzip2", bz2.BZ2Decompressor),
    (b"\x28\xb5\x2f\xfd", "zstd", lambda: zstandard.ZstdDecompressor().decompressobj()),
)


class Source:
    """An open file. `position` of `size` bytes (as they lie on the disk) have been read."""

    def __init__(self, path: Path, file: io.BufferedReader) -> None:
        self.path, self._file = path, file
        self.size = path.stat().st_size
        head = file.read(8)
        file.seek(0)
        self._kind = next(((name, make) for magic, name, make in _KINDS if head.startswith(magic)), None)

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Source]:
        """Raises ImportFailed where there is no such file, or it cannot be opened."""
        try:
            file = path.open("rb")
        except OSError as error:
            raise ImportFailed(path, error.strerror or str(error)) from error
        with file:
            yield cls(path, file)

    @property
    def workbook(self) -> bool:
        """Whether it is an Excel workbook."""
        return self.suffixes[-1:] == (".xlsx",)

    @property
    def compressed(self) -> bool:
        return self._kind is not None

    @property
    def position(self) -> int:
        return self._file.tell()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of the name without the one of the compression: ('.nt',) of "truthy.nt.bz2"."""
        return tuple(s.lower() for s in self.path.suffixes if s.lower() not in (".gz", ".bz2", ".zst"))

    def fingerprint(self) -> str:
        """Tells this file from others, and from itself after a change, without reading it all."""
        here = self._file.tell()
        digest = hashlib.blake2b(f"{self.path.name}\0{self.size}\0".encode(), digest_size=12)
        for at in {0, max(0, self.size - 65536)}:
            self._file.seek(at)
            digest.update(self._file.read(65536))
        self._file.seek(here)
        return digest.hexdigest()

    def blocks(self) -> Iterator[bytes]:
        """The content in pieces of some size. What came before a break is given out before it raises."""
        if self._kind is None:
            while block := self._file.read(_BLOCK):
                yield block
            return
        pieces: list[bytes] = []
        size, failure = 0, None
        try:
            for piece in self._decompressed(*self._kind):
                pieces.append(piece)
                size += len(piece)
                if size >= _BLOCK:
                    yield b"".join(pieces)
                    pieces, size = [], 0
        except ImportFailed as error:
            failure = error
        if pieces:
            yield b"".join(pieces)
        if failure is not None:
            raise failure

    def _decompressed(self, name: str, make: Callable[[], _Decompressor]) -> Iterator[bytes]:
        """The content of all members, in bites of the file: what a bite becomes is bounded, also of a few bytes repeated."""
        member, whole = make(), False
        try:
            while bite := self._file.read(_BITE):
                while bite:
                    if whole and not (bite := bite.lstrip(b"\0")):  # padding after a member
                        break
                    if content := member.decompress(bite):
                        yield content
                    whole, bite = member.eof, member.unused_data
                    if whole:
                        member = make()
        except (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError) as error:
            raise ImportFailed(
                self.path, f"damaged {name} data after byte {self.position}: {error}"
            ) from error
        if not whole:
            raise ImportFailed(self.path, f"the {name} data breaks off: the file is not whole")

    def line_blocks(self) -> Iterator[bytes]:
        """The content in pieces that end with a line; what was whole before a break is given out before it raises.

        Raises ImportFailed for a line longer than `LONGEST_LINE`: memory stays flat.
        """
        begun: list[bytes] = []
        held = 0
        for block in self.blocks():
            cut = block.rfind(b"\n") + 1
            if cut:
                yield b"".join((*begun, block[:cut]))
                begun, held, block = [], 0, block[cut:]
            begun.append(block)
            held += len(block)
            if held > LONGEST_LINE:
                raise self.too_long()
        if rest := b"".join(begun):
            yield rest

    def lines(self) -> Iterator[str]:
        """The content as UTF-8 text, line by line, with the ends of lines as they are. Raises as `line_blocks` does.

        Bytes that are no UTF-8 come as lone surrogates (PEP 383): the line can be told as bad, and the next be read. Of an Excel
        workbook they are the rows of its first sheet, as CSV.
        """
        if self.workbook:
            yield from csv_lines(self.path)
            return
        text = io.TextIOWrapper(self.stream(), "utf-8", errors="surrogateescape", newline="")
        while line := text.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                raise self.too_long()
            yield line

    def too_long(self) -> ImportFailed:
        cause = f"no end of a line in {LONGEST_LINE >> 20:,} MB before byte {self.position:,}: this is not a file of lines"
        return ImportFailed(self.path, cause)

    def stream(self) -> io.BufferedReader:
        """The content as a binary file, for parsers that read by themselves."""
        return io.BufferedReader(_Stream(self.blocks()), buffer_size=_BLOCK)


class _Stream(io.RawIOBase):
    """A raw stream over pieces of bytes."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._rest = blocks, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        if not self._rest:
            self._rest = next(self._blocks, b"")
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
