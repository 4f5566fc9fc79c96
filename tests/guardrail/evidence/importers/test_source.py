"""Files are decompressed by what they are, and a broken one is noticed."""

import bz2
import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, load
from guardrail.evidence.importers.source import Source
from guardrail.evidence.store.graph import Graph

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


@pytest.mark.parametrize("name", ["a.nt", "a.jsonl", "a.csv", "a.json"])
def test_a_line_without_end_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it needs to be held, however long it is: here one of 200 MB that is 200 kB on the disk."""
    monkeypatch.setattr("guardrail.evidence.importers.source.LONGEST_LINE", 4 << 20)
    path = tmp_path / f"{name}.gz"
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(b"subject,predicate,object\n" if name == "a.csv" else b"\n")
        for _ in range(200):
            out.write(b"x" * 1_000_000)
    with Graph.create(tmp_path / "g.db") as graph:
        tracemalloc.start()
        with pytest.raises(ImportFailed, match="no end of a line in 4 MB"):
            load([(path, reader_for(path))], Loader(graph))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 60 << 20


def test_lines_are_given_as_they_are(tmp_path: Path) -> None:
    """With their ends, also the last without one."""
    path = tmp_path / "a.csv"
    path.write_bytes("a\r\nb\n\nç".encode())
    with Source.open(path) as source:
        assert list(source.lines()) == ["a\r\n", "b\n", "\n", "ç"]
