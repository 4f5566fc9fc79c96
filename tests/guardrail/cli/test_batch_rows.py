"""Rows of a batch's input: every row once, with its number, however a file is divided."""

from __future__ import annotations

import json
from pathlib import Path

import fsspec
import pytest

from guardrail.cli.batch_rows import Source, Unreadable, columns, divide, read, sources
from guardrail.errors import BadRequest


def rows(source: str, size: int) -> list[tuple[int, object]]:
    found, _ = sources(source)
    return [row for part in divide(found, size) for row in read(part)]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_read_once_in_parts_of_any_size(tmp_path: Path, size: int) -> None:
    """Blank lines and lines at fault have numbers, too; the last one needs no end."""
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"text":"\xc3\xa4"}\n\n{"text":\n[1]\n\xff\n{"text":"z"}')
    found = rows(str(file), size)
    assert [number for number, _ in found] == [1, 3, 4, 5, 6]
    assert (found[0][1], found[-1][1]) == ({"text": "ä"}, {"text": "z"})
    assert [one.reason.split(":")[0] for _, one in found[1:4]] == [
        "not JSON",
        "not a JSON object",
        "not JSON",
    ]  # type: ignore[attr-defined]
    assert found[1][1] == Unreadable(found[1][1].reason, '{"text":\n')  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [1, 3, 4, 100])
def test_tables_are_read_once_across_their_groups(tmp_path: Path, size: int) -> None:
    """A part may begin and end within a group of rows; what is null is not there."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = [f"t{number}" for number in range(10)]
    table = pa.table({"text": texts, "references": [["r"]] + [None] * 9})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=4)
    found = rows(str(tmp_path / "a.parquet"), size)
    assert [(number, row["text"]) for number, row in found] == list(enumerate(texts, 1))  # type: ignore[index]
    assert (found[0][1], found[1][1]) == ({"text": "t0", "references": ["r"]}, {"text": "t1"})
    assert columns(sources(str(tmp_path / "a.parquet"))[0][0]) == ["text", "references"]


def test_a_folder_is_all_of_its_files_in_order(tmp_path: Path) -> None:
    """Below it, too; others are counted, and not read."""
    (tmp_path / "sub").mkdir()
    for name in ("b.jsonl", "a.ndjson", "sub/c.jsonl", "README"):
        (tmp_path / name).write_text(json.dumps({"text": name}) + "\n")
    found, others = sources(str(tmp_path))
    assert ([Path(file.path).name for file in found], others) == (["a.ndjson", "b.jsonl", "c.jsonl"], 1)
    assert [row["text"] for _, row in rows(str(tmp_path), 5)] == ["a.ndjson", "b.jsonl", "sub/c.jsonl"]  # type: ignore[index]
    assert [part.number for part in divide(found, 5)] == [0, 1, 2]


def test_any_file_system_of_fsspec_is_read() -> None:
    """A URL with its protocol, such as an object store's."""
    store = fsspec.filesystem("memory")
    store.pipe_file("/in/a.jsonl", b'{"text":"x"}\n')
    assert rows("memory://in", 2) == [(1, {"text": "x"})]
    assert columns(Source("memory://in/a.jsonl", 1)) == []


@pytest.mark.parametrize("given", ["none.jsonl", ".", "nothing://x/y.jsonl"])
def test_an_input_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """A file that is not there, a folder without any, a protocol that nobody knows."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequest):
        sources(given)
    (tmp_path / "x.parquet").write_bytes(b"none")
    pytest.importorskip("pyarrow")
    with pytest.raises(BadRequest, match="not a Parquet file"):
        columns(sources("x.parquet")[0][0])
