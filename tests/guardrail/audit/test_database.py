"""SQLite as the log uses it."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from guardrail.audit.database import TABLES, Sqlite, Unique
from guardrail.errors import AuditError


def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    """WAL with synchronous=FULL, and deleted rows are overwritten."""
    database = Sqlite(tmp_path / "a.db")
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("secure_delete", 1)):
        assert database._writer.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    database.close()


def test_an_error_inside_a_transaction_leaves_nothing(tmp_path: Path) -> None:
    """All or nothing, and the next transaction works."""
    database = Sqlite(tmp_path / "a.db")
    with database.write() as cursor:
        for table in TABLES:
            cursor.execute(table)
    with pytest.raises(Unique), database.write() as cursor:
        cursor.many("INSERT INTO meta VALUES (?, ?)", [("a", "b"), ("a", "c")])
    with pytest.raises(AuditError, match="no such table"), database.write() as cursor:
        cursor.execute("INSERT INTO elsewhere VALUES (1)")
    assert database.read("SELECT * FROM meta") == []
    with database.write() as cursor:
        cursor.execute("INSERT INTO meta VALUES (?, ?)", ["a", "b"])
    assert database.read("SELECT * FROM meta") == [("a", "b")]
    database.close()


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    """Pages can be read while a transaction is open; they show what is committed."""
    database = Sqlite(tmp_path / "a.db")
    with database.write() as cursor:
        cursor.execute(TABLES[0])
    with database.write() as cursor:
        cursor.execute("INSERT INTO meta VALUES ('a', 'b')")
        assert database.read("SELECT * FROM meta") == []
    assert database.read("SELECT * FROM meta") == [("a", "b")]
    database.close()


def test_reading_nonsense_is_an_audit_error(tmp_path: Path) -> None:
    """The driver's error does not get out."""
    database = Sqlite(tmp_path / "a.db")
    with pytest.raises(AuditError, match="cannot read"):
        database.read("SELECT * FROM elsewhere")
    database.close()
    with pytest.raises(sqlite3.ProgrammingError):
        database._reader.execute("SELECT 1")


def test_only_its_owner_can_read_the_log(tmp_path: Path) -> None:
    """The file and its journal hold what models said to people; a rotated log's successor, too."""
    database = Sqlite(tmp_path / "a.db")
    with database.write() as cursor:
        cursor.execute(TABLES[0])
    database.move(tmp_path / "old.db")
    with database.write() as cursor:
        cursor.execute(TABLES[0])
    files = list(tmp_path.iterdir())
    assert {"a.db", "a.db-wal", "old.db"} <= {file.name for file in files}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    database.close()


def test_a_file_that_was_removed_takes_no_more_records(tmp_path: Path) -> None:
    """An open file without a name would take them, and they could never be read again."""
    path = tmp_path / "a.db"
    database = Sqlite(path)
    path.unlink()
    with pytest.raises(AuditError, match="was removed"), database.write():
        pass
    assert "was removed" in database.lost()
    database.close()


def test_another_file_of_the_same_name_takes_no_records_either(tmp_path: Path) -> None:
    """They would end up in a file that is no longer the log; a log that was rotated here goes on."""
    path = tmp_path / "a.db"
    database = Sqlite(path)
    database.move(tmp_path / "closed.db")
    assert database.lost() == ""
    path.rename(tmp_path / "elsewhere.db")
    Sqlite(path).close()
    with pytest.raises(AuditError, match="another file"), database.write():
        pass
    database.close()
