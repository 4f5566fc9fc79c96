"""Where the public data sets lie that suites read: `$GUARDRAIL_DATA`, else `../shared/data` beside the checkout."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class DataMissing(Exception):
    """A data set is not there; the text says which and where it was looked for."""


def data_dir() -> Path:
    """The folder of the data sets; it need not exist."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("GUARDRAIL_DATA") or beside)


def find(name: str) -> Path:
    """The path of a file or folder in the data sets. Raises DataMissing."""
    path = data_dir() / name
    if not path.exists():
        raise DataMissing(f"no {name} under {data_dir()}; set GUARDRAIL_DATA")
    return path


def open_text(path: Path) -> str:
    """The whole text of a file, unpacked when it ends in .gz."""
    return (
        gzip.decompress(path.read_bytes()).decode()
        if path.suffix == ".gz"
        else path.read_text(encoding="utf-8")
    )


def json_lines(path: Path) -> Iterator[Any]:
    """The objects of a JSON-lines file, one at a time."""
    for line in open_text(path).splitlines():
        if line.strip():
            yield json.loads(line)
