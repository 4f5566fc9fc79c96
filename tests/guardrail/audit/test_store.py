"""The log on SQLite and on PostgreSQL: what was acknowledged is there, in order, for everybody who reads."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from guardrail.audit.chain import read_public_key
from guardrail.audit.events import Review
from guardrail.audit.record import Record, UncheckedRecord
from guardrail.audit.store import RECORDS, AuditLog, Query, raw
from guardrail.audit.verify import verify
from guardrail.errors import AuditError
from tests.records import WORDS, record

Opener = Callable[[], AuditLog]


def public(folder: Path) -> bytes:
    return read_public_key(folder / "audit.key.pub")


async def test_an_appended_record_is_read_by_another_reader(open_log: Opener) -> None:
    """When append returns, a second connection finds the record, words and all."""
    writer, reader = open_log(), open_log()
    assert await writer.append(record(1)) == 1
    found = reader.get("grd_1")
    assert found is not None
    assert replace(found, commitment="") == record(1)


async def test_many_at_once_are_all_there_in_one_chain(open_log: Opener, tmp_path: Path) -> None:
    """Appends of 50 tasks are numbered without gaps, each once."""
    log = open_log()
    numbers = await asyncio.gather(*[log.append(record(n)) for n in range(50)])
    assert sorted(numbers) == list(range(1, 51))
    assert verify(log, public(tmp_path)).ok


async def test_a_long_record_is_written_down_beside_the_event_loop(open_log: Opener) -> None:
    """The bytes of a record of many claims are made in another thread; those of a short one at once."""
    made_in: dict[str, int] = {}

    class Watched(Record):
        def body(self, blob: bytes | None = None) -> bytes:
            made_in[self.id] = threading.get_ident()
            return Record(**{one.name: getattr(self, one.name) for one in fields(Record)}).body(blob)

    log = open_log()
    gap = UncheckedRecord(0, 1, "deadline")
    for number, gaps in enumerate((1, 1000)):
        short = {one.name: getattr(record(number), one.name) for one in fields(Record)}
        await log.append(Watched(**{**short, "unchecked": (gap,) * gaps}))
    assert made_in["grd_0"] == threading.get_ident() != made_in["grd_1"]
    assert len(log.get("grd_1").unchecked) == 1000


def test_two_processes_share_one_chain(open_log: Opener, tmp_path: Path) -> None:
    """Writers on two connections do not break each other's links."""
    logs = [open_log(), open_log()]
    threads = [
        threading.Thread(
            target=lambda log=log, base=base: [log.append_now(record(base + n)) for n in range(30)]
        )
        for log, base in zip(logs, (0, 100), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result = verify(logs[0], public(tmp_path))
    assert (result.ok, result.entries) == (True, 60)


async def test_a_doubled_id_is_refused_and_the_others_are_written(open_log: Opener) -> None:
    """One bad entry of a group fails alone."""
    log = open_log()
    await log.append(record(1))
    results = await asyncio.gather(*[log.append(record(n)) for n in (2, 1, 3)], return_exceptions=True)
    assert [isinstance(result, AuditError) for result in results] == [False, True, False]
    assert [found.id for found in log.list()] == ["grd_3", "grd_2", "grd_1"]


async def test_a_client_that_hangs_up_does_not_unwrite_its_record(open_log: Opener) -> None:
    """A cancelled append is written all the same."""
    log = open_log()
    task = asyncio.ensure_future(log.append(record(1)))
    await asyncio.sleep(0)
    task.cancel()
    await log.append(record(2))
    assert log.get("grd_1") is not None


def test_the_newest_come_first_and_pages_do_not_overlap(open_log: Opener) -> None:
    """`before` continues where the last page ended."""
    log = open_log()
    for number in range(1, 8):
        log.append_now(record(number))
    first = log.page(limit=3)
    second = log.page(limit=3, before=first[-1].seq)
    assert [stored.seq for stored in (*first, *second)] == [7, 6, 5, 4, 3, 2]
    assert [found.id for found in log.list(limit=2)] == ["grd_7", "grd_6"]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        (Query(model="demo"), [1, 2]),
        (Query(model="other"), [3]),
        (Query(action="pass", outcome="clean"), [3]),
        (Query(key_id="k"), [2]),
        (Query(user_hash="u"), [3]),
        (Query(tenant="t", policy="revise"), [2]),
        (Query(since="2026-03-01T12:00:00.002Z"), [2, 3]),
        (Query(until="2026-03-01T12:00:00.002Z"), [1]),
        (Query(subject="grd_2"), [2]),
        (Query(model="' OR 1=1 --"), []),
    ],
)
def test_queries_narrow_down(open_log: Opener, query: Query, numbers: list[int]) -> None:
    """All restrictions hold together; values are never SQL."""
    log = open_log()
    log.append_now(record(1))
    log.append_now(record(2, key="k", tenant="t"))
    log.append_now(record(3, model="other", action="pass", outcome="clean", user="u"))
    assert [stored.seq for stored in log.scan(query=query)] == numbers


def test_parts_and_reviews_are_not_listed_as_answers(open_log: Opener) -> None:
    """`list` gives answers; reviews are found by the record they speak of."""
    log = open_log()
    log.append_now(record(1, id="grd_1#0", kind="part"))
    log.append_now(record(1))
    log.append_now(Review("rev_1", "2026-03-02T00:00:00.000Z", "grd_1", 0, "ada", "agree"))
    assert [found.id for found in log.list()] == ["grd_1"]
    assert [review.reviewer for review in log.reviews("grd_1")] == ["ada"]
    assert [stored.seq for stored in log.scan(query=Query(kind=None))] == [1, 2, 3]


def test_a_scan_goes_over_all_pages(open_log: Opener) -> None:
    """Longer than one page, in order, each once."""
    log = open_log()
    for future in [log.submit(record(n, words=None, claims=())) for n in range(1203)]:
        future.result()
    assert [stored.seq for stored in log.scan()] == list(range(1, 1204))
    assert next(head.seq for head in log.heads()) in range(1000, 1204)


def test_a_closed_log_takes_nothing(open_log: Opener) -> None:
    """Append after close is an error, not a loss."""
    log = open_log()
    log.append_now(record(1))
    log.close()
    with pytest.raises(AuditError, match="closed"):
        log.append_now(record(2))


def test_a_record_that_cannot_be_bytes_is_an_audit_error(open_log: Opener) -> None:
    """The caller learns of it before anything is queued."""
    with pytest.raises(AuditError, match="cannot be written down"):
        open_log().append_now(record(1, words=replace(WORDS, text="\ud800")))


def test_another_key_is_refused(open_log: Opener, tmp_path: Path) -> None:
    """A log that was signed with one key is not continued with another."""
    open_log().append_now(record(1))
    (tmp_path / "audit.key").unlink()
    with pytest.raises(AuditError, match="another key"):
        open_log()


def test_reading_only_needs_no_key_and_writes_nothing(tmp_path: Path) -> None:
    """A reader does not create logs or keys."""
    with pytest.raises(AuditError, match="no audit log"):
        AuditLog.open(tmp_path / "none.db", read_only=True)
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1))
    (tmp_path / "audit.db.key").unlink()
    with AuditLog.open(tmp_path / "audit.db", read_only=True) as log:
        assert log.get("grd_1") is not None
        with pytest.raises(AuditError, match="reading only"):
            log.append_now(record(2))
    assert not (tmp_path / "audit.db.key").exists()


@pytest.mark.parametrize(
    "content",
    [b"not a database at all, but long enough to look like one" * 30, b"SQLite format 3\0" + b"\0" * 90],
)
def test_a_damaged_file_is_an_audit_error(tmp_path: Path, content: bytes) -> None:
    """Neither a traceback nor a new log in its place."""
    (tmp_path / "audit.db").write_bytes(content)
    with pytest.raises(AuditError):
        AuditLog.open(tmp_path / "audit.db")
    assert (tmp_path / "audit.db").read_bytes() == content


def test_a_place_that_cannot_be_written_is_an_audit_error(tmp_path: Path) -> None:
    """A folder, or a path below a file."""
    (tmp_path / "file").write_text("x")
    for place in (tmp_path, tmp_path / "file" / "audit.db"):
        with pytest.raises(AuditError):
            AuditLog.open(place)


async def test_a_full_disk_fails_the_append_and_is_overcome(tmp_path: Path) -> None:
    """What did not fit is not acknowledged; what was is kept; with room again the log goes on in one chain."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        await log.append(record(1))
        log.database._writer.execute("PRAGMA max_page_count = 40")  # type: ignore[attr-defined]
        big = replace(WORDS, text="x" * 400_000)
        with pytest.raises(AuditError, match="full"):
            await log.append(record(2, words=big))
        assert "full" in log.trouble
        log.database._writer.execute("PRAGMA max_page_count = 1000000")  # type: ignore[attr-defined]
        await log.append(record(3, words=big))
        assert log.trouble == ""
        assert [found.id for found in log.list()] == ["grd_3", "grd_1"]
        assert verify(log, read_public_key(tmp_path / "audit.db.key")).ok


async def test_a_locked_file_fails_the_append_in_time(tmp_path: Path) -> None:
    """Another program that holds the file for long makes an error, not a hang without end."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.database._writer.execute("PRAGMA busy_timeout = 100")  # type: ignore[attr-defined]
        holder = sqlite3.connect(tmp_path / "audit.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(AuditError, match="locked"):
            await log.append(record(1))
        holder.execute("ROLLBACK")
        holder.close()
        assert await log.append(record(1)) == 1


async def test_a_slow_disk_is_an_error_in_time_and_loses_nothing(tmp_path: Path) -> None:
    """The caller learns after its patience that the record is not durable; it is written when the disk is back."""
    with AuditLog.open(tmp_path / "audit.db", patience_s=0.2) as log:
        holder = sqlite3.connect(tmp_path / "audit.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(AuditError, match=r"did not write within 0\.2 s"):
            await log.append(record(1))
        assert "did not write" in log.trouble
        holder.execute("ROLLBACK")
        holder.close()
        assert await log.append(record(2)) == 2
        assert log.trouble == ""
        assert [found.id for found in log.list()] == ["grd_2", "grd_1"]


_CHILD = """
import asyncio, itertools, sys
from guardrail.audit.store import AuditLog
from tests.records import record
async def main():
    log = AuditLog.open(sys.argv[1])
    numbers = itertools.count()
    async def client():
        for number in numbers:
            await log.append(record(number))
            print(f"grd_{number}", flush=True)
    await asyncio.gather(*[client() for _ in range(16)])
asyncio.run(main())
"""


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_point_nothing_acknowledged_is_lost(tmp_path: Path, seed: int) -> None:
    """After kill -9 under load every record that was acknowledged is there, and the chain verifies."""
    path = tmp_path / "audit.db"
    env = os.environ | {"PYTHONPATH": str(Path.cwd())}
    child = subprocess.Popen([sys.executable, "-c", _CHILD, str(path)], stdout=subprocess.PIPE, env=env)
    assert child.stdout is not None
    acknowledged = [child.stdout.readline() for _ in range(random.Random(seed).randint(1, 200))]
    child.send_signal(signal.SIGKILL)
    acknowledged += child.stdout.read().splitlines(keepends=True)
    child.stdout.close()
    child.wait()
    with AuditLog.open(path) as log:
        there = {stored.item.id for stored in log.scan()}
        whole = [line.decode().strip() for line in acknowledged if line.endswith(b"\n")]
        assert len(whole) > 0
        assert not set(whole) - there
        assert verify(log, read_public_key(tmp_path / "audit.db.key")).ok


@pytest.mark.parametrize(
    "change",
    [
        "SET body = 'x'",
        "SET body = x'7b7d'",
        "SET body = x'5b5d'",
        "SET kind = 'erasure'",
        "SET kind = 'odd'",
    ],
)
def test_a_damaged_entry_is_an_audit_error_that_names_it(tmp_path: Path, change: str) -> None:
    """A reader is sent to `verify` instead of being shown a traceback."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1))
        with log.database.write() as cursor:
            cursor.execute(f"UPDATE entries {change}")
        with pytest.raises(AuditError, match="entry 1 is damaged"):
            list(log.scan(query=Query(kind=None)))


def test_cells_that_are_no_bytes_hash_to_something_else() -> None:
    """Foreign types put into a column never pass as the bytes that were written."""
    assert raw(b"a") == b"a"
    assert raw("a") == raw(3) != b"a"
    assert raw(None) == b""


def test_records_of_both_kinds_are_found_together(open_log: Opener) -> None:
    """An answer that was cut off has none but those of its sentences."""
    log = open_log()
    log.append_now(record(1, id="grd_1#0", kind="part"))
    log.append_now(record(2))
    assert [one.id for one in log.list(query=Query(kind=RECORDS))] == ["grd_2", "grd_1#0"]
    assert [one.id for one in log.list()] == ["grd_2"]


def test_a_log_that_is_only_read_has_no_pseudonyms(tmp_path: Path) -> None:
    """They need its key."""
    with AuditLog.open(tmp_path / "a.db") as log:
        assert len(log.pseudonym("ada")) == 32
    with (
        AuditLog.open(tmp_path / "a.db", read_only=True) as log,
        pytest.raises(AuditError, match="reading only"),
    ):
        log.pseudonym("ada")
