"""Files are decompressed by what they are, and a broken one is noticed."""

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.source import Source

TEXT = b"".join(b"line %d with some words\n" % i for i in range(50_000))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": lambda data: zstandard.ZstdCompressor().compress(data),
    "gzip, two members": lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]),
    "bzip2, two members": lambda data: bz2.compress(data[:1000]) + bz2.compress(data[1000:]),
}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_the_content_is_the_same_whatever_the_packing(
    tmp_path: Path, packer: Callable[[bytes], bytes]
) -> None:
    """Blocks, line blocks and the stream give the same bytes; the position ends at the size."""
    path = tmp_path / "any.name"
    path.write_bytes(packer(TEXT))
    with Source.open(path) as source:
        assert b"".join(source.blocks()) == TEXT
        assert source.position == source.size
    with Source.open(path) as source:
        blocks = list(source.line_blocks())
        assert b"".join(blocks) == TEXT
        assert all(block.endswith(b"\n") for block in blocks)
    with Source.open(path) as source:
        assert source.stream().read() == TEXT


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "zstd"])
def test_a_file_that_breaks_off_raises_after_what_was_whole(tmp_path: Path, kind: str) -> None:
    """Nothing that could be read is lost."""
    path = tmp_path / "cut"
    packed = PACKERS[kind](TEXT * 20)
    path.write_bytes(packed[: len(packed) // 2])
    read: list[bytes] = []
    with Source.open(path) as source, pytest.raises(ImportFailed, match=r"breaks off|damaged"):
        read.extend(source.blocks())
    assert (TEXT * 20).startswith(b"".join(read))


def test_damaged_data_is_named(tmp_path: Path) -> None:
    """Bits that were flipped."""
    path = tmp_path / "odd.gz"
    packed = bytearray(gzip.compress(TEXT))
    packed[500:600] = b"\x00" * 100
    path.write_bytes(packed)
    with Source.open(path) as source, pytest.raises(ImportFailed, match="damaged gzip data"):
        list(source.blocks())


def test_a_missing_file_is_an_import_failure(tmp_path: Path) -> None:
    """With the file's name."""
    with pytest.raises(ImportFailed, match="none"), Source.open(tmp_path / "none.nt"):
        pass


def test_the_fingerprint_follows_the_content(tmp_path: Path) -> None:
    """Another end, another file; the same file twice is the same."""
    path = tmp_path / "a.nt"
    prints = []
    for content in (TEXT, TEXT, TEXT[:-1] + b"x"):
        path.write_bytes(content)
        with Source.open(path) as source:
            prints.append(source.fingerprint())
    assert prints[0] == prints[1] != prints[2]


def test_suffixes_are_those_of_the_content(tmp_path: Path) -> None:
    """The compression's ending is none."""
    path = tmp_path / "truthy.NT.bz2"
    path.write_bytes(b"")
    with Source.open(path) as source:
        assert source.suffixes == (".nt",)
        assert list(source.blocks()) == []
