"""One file after the other, one proof."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from guardrail.audit.chain import read_public_key
from guardrail.audit.rotate import continues, rotated
from guardrail.audit.store import AuditLog
from guardrail.audit.verify import verify
from guardrail.errors import AuditError
from tests.records import record


def test_a_rotated_log_is_continued_by_the_next(tmp_path: Path) -> None:
    """Both verify by themselves, and the new one names the old one's end."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        log.append_now(record(1))
    closed = rotated(path)
    assert closed.name.startswith("audit-2")
    with AuditLog.open(path) as log, AuditLog.open(closed, read_only=True) as old:
        log.append_now(record(2))
        assert (log.get("grd_1"), old.get("grd_2")) == (None, None)
        assert old.get("grd_1") is not None
        assert continues(log, old)
        assert not continues(old, log)
        assert verify(log, read_public_key(tmp_path / "audit.db.key.pub")).ok
        assert verify(old, read_public_key(Path(f"{closed}.key.pub"))).ok


def test_an_empty_log_is_not_rotated(tmp_path: Path) -> None:
    """There is nothing to close."""
    AuditLog.open(tmp_path / "audit.db").close()
    with pytest.raises(AuditError, match="nothing to rotate"):
        rotated(tmp_path / "audit.db")


def test_a_missing_log_is_not_rotated(tmp_path: Path) -> None:
    """Nor is one made."""
    with pytest.raises(AuditError, match="no audit log"):
        rotated(tmp_path / "audit.db")
    assert not list(tmp_path.iterdir())


async def test_a_busy_log_is_rotated_without_a_loss(tmp_path: Path) -> None:
    """Appends from sixteen tasks go on over five rotations; every record is in exactly one file, all files are one proof."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        numbers = iter(range(600))

        async def caller() -> None:
            for number in numbers:
                await log.append(record(number))

        callers = [asyncio.create_task(caller()) for _ in range(16)]
        files = []
        for _ in range(5):
            await asyncio.sleep(0.03)
            files.append(await asyncio.to_thread(log.rotate))
        await asyncio.gather(*callers)
        found = [stored.item.id for stored in log.scan()]
        key = read_public_key(tmp_path / "audit.db.key.pub")
        assert verify(log, key).ok
    for newer, older in pairwise([path, *reversed(files)]):
        with AuditLog.open(newer, read_only=True) as log, AuditLog.open(older, read_only=True) as closed:
            assert continues(log, closed)
            assert verify(closed, key).ok
            found += [stored.item.id for stored in closed.scan()]
    assert sorted(found) == sorted(f"grd_{number}" for number in range(600))


def test_a_name_that_is_taken_stops_the_rotation(tmp_path: Path) -> None:
    """Nothing is overwritten, and the log goes on."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1))
        head = log.head()
        assert head is not None
        (tmp_path / f"audit-{head.time[:10]}-{head.log[:8]}.db").write_text("mine")
        with pytest.raises(AuditError, match="already there"):
            log.rotate()
        assert log.append_now(record(2)) == 2


def test_a_rename_that_fails_leaves_the_log_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is told, and the next record is written."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1))

        def refuse(*_: object) -> None:
            raise PermissionError("no")

        monkeypatch.setattr(Path, "rename", refuse)
        with pytest.raises(AuditError, match="cannot rename"):
            log.rotate()
        monkeypatch.undo()
        assert log.append_now(record(2)) == 2
        assert [found.id for found in log.list()] == ["grd_2", "grd_1"]


def test_a_log_that_is_read_only_is_not_rotated(tmp_path: Path) -> None:
    """Nor one that lives in a database server."""
    AuditLog.open(tmp_path / "audit.db").close()
    with (
        AuditLog.open(tmp_path / "audit.db", read_only=True) as log,
        pytest.raises(AuditError, match="cannot be rotated"),
    ):
        log.rotate()
