"""The rows of a batch's input: JSONL and Parquet files, alone or in a directory, on any file system that fsspec knows.

A file is divided into parts of so many rows. What a part holds does not depend on who reads it or when, so a batch can go on
where it was interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fsspec.core import url_to_fs  # type: ignore[import-untyped]

from guardrail.errors import BadRequest, ConfigError

__all__ = ["Part", "Source", "Unreadable", "columns", "divide", "has_parquet", "parquet", "read", "sources"]

LINES, TABLES = (".jsonl", ".ndjson"), (".parquet",)


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the input. `path`: with its protocol; `size`: bytes."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Part:
    """`count` rows of one file, from the `first` (1-based) on. `at`: the byte where they begin, of JSONL."""

    number: int
    source: str
    first: int
    count: int
    at: int = 0


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that is none, as it stands, and why."""

    reason: str
    text: str


def sources(given: str) -> tuple[list[Source], int]:
    """The files of a path or URL in the order of their names, and how many others lie there. Raises BadRequest, ConfigError."""
    try:
        fs, root = url_to_fs(given)
        found = fs.find(root, detail=True) if fs.isdir(root) else {root: fs.info(root)}
    except (OSError, ValueError, ImportError) as error:
        raise BadRequest(f"{given} cannot be read: {error}") from error
    files = [
        Source(str(fs.unstrip_protocol(path)), int(info["size"])) for path, info in sorted(found.items())
    ]
    wanted = [file for file in files if file.path.endswith(LINES + TABLES)]
    if not wanted:
        raise BadRequest(f"{given} contains no file with the extension {', '.join(LINES + TABLES)}")
    return wanted, len(files) - len(wanted)


def divide(files: Sequence[Source], rows: int) -> Iterator[Part]:
    """The parts of all files, of up to `rows` rows each. Each file of lines is read through once."""
    number = 0
    for file in files:
        for first, count, at in _tabled(file, rows) if file.path.endswith(TABLES) else _lined(file, rows):
            yield Part(number, file.path, first, count, at)
            number += 1


def _lined(file: Source, rows: int) -> Iterator[tuple[int, int, int]]:
    first, count, begin, end = 1, 0, 0, 0
    with _open(file.path) as stream:
        for line in stream:
            count, end = count + 1, end + len(line)
            if count == rows:
                yield first, count, begin
                first, count, begin = first + count, 0, end
    if count:
        yield first, count, begin


def _tabled(file: Source, rows: int) -> Iterator[tuple[int, int, int]]:
    with _open(file.path) as stream:
        total = _table(stream, file.path).metadata.num_rows
    for first in range(0, total, rows):
        yield first + 1, min(rows, total - first), 0


def columns(file: Source) -> list[str]:
    """The names of a table's columns; none of a file of lines."""
    if not file.path.endswith(TABLES):
        return []
    with _open(file.path) as stream:
        return list(_table(stream, file.path).schema_arrow.names)


def read(part: Part) -> Iterator[tuple[int, Mapping[str, Any] | Unreadable]]:
    """For each row of a part that is not blank its 1-based number in the file, and what it says."""
    yield from _rows(part) if part.source.endswith(TABLES) else _lines(part)


def _lines(part: Part) -> Iterator[tuple[int, Mapping[str, Any] | Unreadable]]:
    with _open(part.source) as stream:
        stream.seek(part.at)
        for number in range(part.first, part.first + part.count):
            if (line := stream.readline()).strip():
                yield number, _row(line)


def _row(line: bytes) -> Mapping[str, Any] | Unreadable:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Unreadable(f"not JSON: {error}", line.decode("utf-8", "replace"))
    return (
        given if isinstance(given, dict) else Unreadable("not a JSON object", line.decode("utf-8", "replace"))
    )


def _rows(part: Part) -> Iterator[tuple[int, Mapping[str, Any] | Unreadable]]:
    with _open(part.source) as stream:
        sizes = _groups(_table(stream, part.source))
    begin, last = 1, part.first + part.count
    for group, size in enumerate(sizes):
        low, high = max(part.first, begin), min(last, begin + size)
        if low < high:
            rows = _group(part.source, group).slice(low - begin, high - low).to_pylist()
            for number, row in enumerate(rows, low):
                yield number, {name: value for name, value in row.items() if value is not None}
        begin += size


def _groups(table: Any) -> list[int]:
    return [table.metadata.row_group(number).num_rows for number in range(table.metadata.num_row_groups)]


@lru_cache(maxsize=1)
def _group(path: str, group: int) -> Any:
    """One group of rows, kept, as the parts of a group follow each other."""
    with _open(path) as stream:
        return _table(stream, path).read_row_group(group)


def _open(path: str) -> Any:
    fs, place = url_to_fs(path)
    return fs.open(place, "rb")


def _table(stream: Any, path: str) -> Any:
    module, arrow = parquet()
    try:
        return module.ParquetFile(stream)
    except arrow.ArrowInvalid as error:
        raise BadRequest(f"{path} is not a Parquet file: {error}") from error


def has_parquet() -> bool:
    """Whether the extra is installed."""
    try:
        parquet()
    except ConfigError:
        return False
    return True


def parquet() -> tuple[Any, Any]:
    """`pyarrow.parquet` and `pyarrow`. Raises ConfigError without the extra."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise ConfigError("Parquet needs the extra: pip install 'claim-guardrail[parquet]'") from error
    return pyarrow.parquet, pyarrow
