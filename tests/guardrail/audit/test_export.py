"""The log for other programs."""

from __future__ import annotations

import io
from pathlib import Path

import orjson
import pyarrow.parquet as pq

from guardrail.audit.export import claim_rows, to_jsonl, to_parquet
from guardrail.audit.record import Record
from guardrail.audit.store import Stored
from tests.records import CLAIM, record

ENTRIES = [
    Stored(1, b"\1", record(1)),
    Stored(2, b"\2", record(2, words=None)),
    Stored(3, b"\3", record(3, claims=())),
]


def test_json_lines_hold_whole_records() -> None:
    """Each line can be made a record again."""
    file = io.BytesIO()
    assert to_jsonl(iter(ENTRIES), file) == 3
    lines = [orjson.loads(line) for line in file.getvalue().splitlines()]
    assert [(line["seq"], line["hash"]) for line in lines] == [(1, "01"), (2, "02"), (3, "03")]
    again = Record.read(orjson.dumps(lines[0]["record"]), orjson.dumps(lines[0]["record"]["words"]))
    assert again == record(1)


def test_parquet_has_one_row_per_claim(tmp_path: Path) -> None:
    """Flat and typed; words are null where they were not kept."""
    path = tmp_path / "claims.parquet"
    with path.open("wb") as out:
        assert to_parquet(iter(ENTRIES), out) == 2
    rows = pq.read_table(path).to_pylist()
    assert rows == list(claim_rows(iter(ENTRIES)))
    assert (rows[0]["label"], rows[0]["confidence"], rows[0]["flagged"]) == ("contradictory", 0.9, True)
    assert (rows[0]["text"], rows[1]["text"]) == ("Ada Lovelace was born in 1816.", None)
    assert rows[0]["evidence"] == CLAIM.evidence[0].id


def test_nothing_is_an_empty_file(tmp_path: Path) -> None:
    """An export of no records is no error."""
    assert to_jsonl(iter([]), io.BytesIO()) == 0
    with (tmp_path / "x.parquet").open("wb") as out:
        assert to_parquet(iter([]), out) == 0
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 0
