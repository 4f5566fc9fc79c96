"""Compressed bodies are decoded as they come, and damaged ones are told apart from whole ones."""

from __future__ import annotations

import gzip
import zlib

import pytest

from proxy.upstream.inflate import STEP, Inflate

TEXT = b"The moon takes 27.3 days to orbit the Earth. " * 40


def _raw(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        (b"gzip", gzip.compress(TEXT, mtime=0)),
        (b" X-GZIP ", gzip.compress(TEXT[:50], mtime=0) + gzip.compress(TEXT[50:], mtime=0)),
        (b"deflate", zlib.compress(TEXT)),
        (b"deflate", _raw(TEXT)),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_any_cut_gives_the_text(coding: bytes, packed: bytes, size: int) -> None:
    """Gzip in one or several members, deflate with and without zlib's head, cut anyhow."""
    inflate = Inflate(coding)
    found = b"".join(inflate.feed(packed[at : at + size]) for at in range(0, len(packed), size))
    assert found == TEXT
    assert inflate.complete


def test_a_bomb_is_decoded_in_steps() -> None:
    """What a few bytes stand for is given out in pieces of a bounded size, and all of it."""
    inflate = Inflate(b"gzip")
    step, size = inflate.feed(gzip.compress(bytes(50_000_000))), 0
    while step or inflate.pending:
        assert len(step) <= STEP
        size += len(step)
        step = inflate.feed(b"")
    assert size == 50_000_000
    assert inflate.complete


def test_empty_members_cost_no_more_than_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many members without content are many steps, not one long one; each looks at a bounded number of bytes."""
    made = 0
    real = zlib.decompressobj

    def counted(wbits: int) -> object:
        nonlocal made
        made += 1
        return real(wbits)

    monkeypatch.setattr("proxy.upstream.inflate.zlib.decompressobj", counted)
    inflate, most = Inflate(b"gzip"), 0
    members = gzip.compress(b"") * 5000
    assert inflate.feed(members) == b""
    while inflate.pending:
        before = made
        assert inflate.feed(b"") == b""
        most = max(most, made - before)
    assert inflate.complete
    assert made > 4900
    assert most < 100


def test_a_body_that_is_cut_off_is_not_complete() -> None:
    """The end of the connection is not the end of the text; a body without a byte is whole."""
    inflate = Inflate(b"gzip")
    assert inflate.complete
    inflate.feed(gzip.compress(TEXT)[:-9])
    assert not inflate.complete


@pytest.mark.parametrize("coding", [b"gzip", b"deflate"])
def test_what_is_not_what_it_says_is_an_error(coding: bytes) -> None:
    """Bytes that no such packer writes."""
    with pytest.raises(ValueError, match="does not match its content-encoding"):
        Inflate(coding).feed(b"\xff\xff no packer wrote this")


def test_a_coding_that_was_not_asked_for_is_refused() -> None:
    """Text that cannot be read must not pass as read."""
    with pytest.raises(ValueError, match="was not requested"):
        Inflate(b"br")
