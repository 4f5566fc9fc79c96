"""Proving and changing the log on the command line."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardrail.audit.record import user_hash
from guardrail.audit.store import AuditLog
from guardrail.cli.audit import audit
from guardrail.errors import AuditError, BadRequest
from tests.records import record

Call = Callable[..., Result]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with AuditLog.open(tmp_path / "audit.db") as log:
        for number in (1, 2, 3):
            log.append_now(record(number, user="a9d3c3a7a0a1c1c8a4b5f2f3e7b1d0c2" if number == 2 else ""))
    return tmp_path / "audit.db"


@pytest.fixture
def call(path: Path) -> Call:
    return lambda *arguments, **more: CliRunner().invoke(audit, ["--log", str(path), *arguments], **more)


def test_verify_says_what_was_proved(call: Call) -> None:
    """Exit code nought and one line."""
    result = call("verify")
    assert (result.exit_code, result.output) == (
        0,
        "verified: 3 entries, 0 with words erased on record, 0 checkpoints, 0 anchors\n",
    )


def test_verify_fails_with_the_finding(call: Call, path: Path) -> None:
    """Exit code one, the entry and what is wrong with it."""
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM entries WHERE seq = 2")
    connection.commit()
    connection.close()
    result = call("verify")
    assert result.exit_code == 1
    assert "entry 3: entry 2 missing" in result.output
    assert "NOT verified" in result.output


def test_a_checkpoint_kept_elsewhere_proves_a_roll_back(call: Call, path: Path, tmp_path: Path) -> None:
    """The line that `checkpoint` prints is what `verify --anchor` reads."""
    anchors = tmp_path / "anchors.jsonl"
    anchors.write_text(call("checkpoint").output + "\n")
    assert call("verify", "--anchor", str(anchors)).exit_code == 0
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    with AuditLog.open(path) as log:
        log.append_now(record(1))
    result = call("verify", "--anchor", str(anchors))
    assert result.exit_code == 1
    assert "of another log" in result.output


def test_verify_without_a_key_is_an_error(call: Call, path: Path) -> None:
    """Nothing is proved without one."""
    Path(f"{path}.key.pub").unlink()
    assert isinstance(call("verify").exception, AuditError)


def test_a_review_is_written_once_it_makes_sense(call: Call) -> None:
    """By id and claim number; nonsense is refused."""
    assert call("review", "grd_1", "0", "agree", "--by", "ada").output.startswith("rev_")
    assert call("review", "grd_1", "0", "maybe", "--by", "ada").exit_code == 2
    assert isinstance(call("review", "grd_1", "5", "agree", "--by", "ada").exception, AuditError)
    assert call("verify").exit_code == 0


def test_erase_asks_and_then_erases(call: Call) -> None:
    """No without an answer; yes with --yes; the log verifies, with the erasure on record."""
    assert call("erase", "grd_1", "--reason", "r", "--by", "b", input="n\n").exit_code == 1
    assert "grd_1" in call("search", "was born").output
    assert "1 entries" in call("erase", "grd_1", "--reason", "r", "--by", "b", "--yes").output
    assert "1 with words erased" in call("verify").output
    assert "text not stored" in call("show", "grd_1").output


@pytest.mark.parametrize("what", [[], ["grd_1", "--expired"], ["--before", "2026-01-01", "--user", "x"]])
def test_erase_needs_exactly_one_choice(call: Call, what: list[str]) -> None:
    """Neither everything by accident nor an intersection that nobody meant."""
    result = call("erase", *what, "--reason", "r", "--by", "b", "--yes")
    assert isinstance(result.exception, BadRequest)


@pytest.mark.parametrize(
    ("what", "count"),
    [(["--before", "2026-03-01T12:00:00.003Z"], 2), (["--expired"], 0), (["--user", "nobody"], 0)],
)
def test_erase_by_time_user_and_retention(call: Call, what: list[str], count: int) -> None:
    """Only what was meant loses its words."""
    assert f"words of {count} entries" in call("erase", *what, "--reason", "r", "--by", "b", "--yes").output


def test_erase_finds_a_user_by_name(call: Call, path: Path) -> None:
    """Also where an older version wrote another hash of it down."""
    with AuditLog.open(path) as log:
        log.append_now(record(4, user=log.pseudonym("ada@example.org")))
        log.append_now(record(5, user=user_hash("ada@example.org")))
        log.append_now(record(6, user=log.pseudonym("bo@example.org")))
    erased = call("erase", "--user", "ada@example.org", "--reason", "r", "--by", "b", "--yes")
    assert "words of 2 entries" in erased.output
    assert "text not stored" not in call("show", "grd_6").output


def test_rotate_goes_on_in_a_new_file(call: Call, path: Path) -> None:
    """The closed file verifies by itself with the key beside it."""
    closed = call("rotate").output.split(": ")[1].strip()
    assert Path(closed).exists()
    assert CliRunner().invoke(audit, ["--log", closed, "verify"]).exit_code == 0
    assert call("verify").exit_code == 0
    assert call("list").output.count("grd_") == 0
