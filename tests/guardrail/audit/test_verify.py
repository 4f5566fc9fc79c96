"""Whatever is done to a log behind our back is found."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from guardrail.audit.chain import Signer, link, origin, read_public_key
from guardrail.audit.events import Erasure, Review
from guardrail.audit.store import AuditLog
from guardrail.audit.verify import Verification, verify
from tests.records import record

ENTRIES = 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of forty entries, one of them a review, one an erasure."""
    path = tmp_path / "audit.db"
    with AuditLog.open(path) as log:
        for number in range(1, ENTRIES - 1):
            log.append_now(record(number))
        log.append_now(Review("rev_1", "2026-03-02T00:00:00.000Z", "grd_3", 0, "ada", "agree"))
        log.append_now(Erasure("era_1", "2026-03-02T00:00:00.000Z", (5,), "request", "bo"))
    return path


def check(path: Path, **more: object) -> Verification:
    with AuditLog.open(path, read_only=True) as log:
        return verify(log, read_public_key(path.with_name("audit.db.key.pub")), **more)  # type: ignore[arg-type]


def tamper(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_an_untouched_log_verifies_with_its_erasures(path: Path) -> None:
    """Words that were erased on record are no finding; hashes still hold."""
    result = check(path)
    assert (result.ok, result.entries, result.erased) == (True, ENTRIES, 1)


def test_an_empty_log_verifies(tmp_path: Path) -> None:
    """Nothing was written, and that is signed too."""
    AuditLog.open(tmp_path / "audit.db").close()
    assert check(tmp_path / "audit.db").ok


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE entries SET body = replace(body, 'flagged', 'clean  ') WHERE seq = 9", "altered"),
        ("UPDATE entries SET outcome = 'clean' WHERE seq = 9", "column `outcome`"),
        ("UPDATE entries SET time = '2020' WHERE seq = 9", "column `time`"),
        ("UPDATE entries SET id = 'x' WHERE seq = 9", "column `id`"),
        ("UPDATE entries SET subject = 'grd_4' WHERE kind = 'review'", "column `subject`"),
        ("UPDATE entries SET kind = 'part' WHERE seq = 9", "column `kind`"),
        ("UPDATE entries SET hash = zeroblob(32) WHERE seq = 9", "altered"),
        ("DELETE FROM entries WHERE seq = 9", "entry 9 missing"),
        ("DELETE FROM entries WHERE seq BETWEEN 9 AND 11", "entries 9 to 11 missing"),
        ("DELETE FROM entries WHERE seq = 1", "entry 1 missing"),
        (f"DELETE FROM entries WHERE seq = {ENTRIES}", "cut short"),
        ("DELETE FROM entries", "cut short"),
        (f"UPDATE entries SET seq = seq + 1 WHERE seq = {ENTRIES}", f"entry {ENTRIES} missing"),
        ("UPDATE words SET blob = replace(blob, '1816', '1817') WHERE seq = 9", "words were altered"),
        ("DELETE FROM words WHERE seq = 9", "gone without an erasure"),
        ("INSERT INTO words VALUES (999, x'00')", "words without an entry"),
        (f"INSERT INTO words VALUES ({ENTRIES}, x'00')", "words were altered"),
        ("UPDATE heads SET seq = seq - 1", "added behind the signed end"),
        ("UPDATE heads SET hash = zeroblob(32)", "not that of these entries"),
        ("UPDATE heads SET signature = zeroblob(64)", "signature"),
        ("UPDATE heads SET time = '2020'", "signature"),
        ("DELETE FROM heads", "signed end"),
        ("UPDATE meta SET value = 'other'", "altered"),
    ],
)
def test_every_kind_of_tampering_is_found(path: Path, statement: str, words: str) -> None:
    """The finding says what was done."""
    tamper(path, statement)
    result = check(path)
    assert not result.ok
    assert words in " | ".join(finding.message for finding in result.findings)


def test_two_entries_that_change_places_are_found(path: Path) -> None:
    """All cells of the rows are swapped, so that each row is whole in itself."""
    tamper(
        path,
        "UPDATE entries SET seq = -7 WHERE seq = 7",
        "UPDATE entries SET seq = 7 WHERE seq = 8",
        "UPDATE entries SET seq = 8 WHERE seq = -7",
    )
    assert {finding.seq for finding in check(path).findings} >= {7, 8}


def rewrite(path: Path, signer: Signer) -> None:
    """Alter entry 9 and make the whole chain after it fit again, head and all."""
    connection = sqlite3.connect(path)
    (log,) = connection.execute("SELECT value FROM meta").fetchone()
    digest = origin(log)
    for seq, body in connection.execute("SELECT seq, body FROM entries ORDER BY seq").fetchall():
        changed = body.replace(b"0.25", b"0.95") if seq == 9 else body
        digest = link(digest, seq, changed)
        connection.execute("UPDATE entries SET body = ?, hash = ? WHERE seq = ?", (changed, digest, seq))
    head = signer.seal(log, seq, digest, "2026-03-03T00:00:00.000Z")
    values = (head.hash, head.time, head.signature, head.key)
    connection.execute("UPDATE heads SET hash = ?, time = ?, signature = ?, key = ?", values)
    connection.commit()
    connection.close()


def test_a_rewritten_chain_is_found_by_its_signature(path: Path) -> None:
    """Without the private key the end cannot be signed again."""
    rewrite(path, Signer(Ed25519PrivateKey.generate()))
    assert "not valid for this key" in check(path).findings[0].message


def test_who_holds_the_key_is_found_by_a_checkpoint_kept_elsewhere(path: Path) -> None:
    """Even a chain that was signed again differs from what was noted outside."""
    with AuditLog.open(path, read_only=True) as log:
        anchor = log.head()
    assert anchor is not None
    rewrite(path, Signer.open(path.with_name("audit.db.key")))
    assert check(path).ok
    assert "differs from the checkpoint" in check(path, anchors=[anchor]).findings[0].message


def test_an_older_copy_of_the_whole_log_is_found_by_a_checkpoint_kept_elsewhere(path: Path) -> None:
    """A roll-back is in itself a fine log; only the outside knows better."""
    with AuditLog.open(path) as log:
        copy = sqlite3.connect(path.with_name("copy.db"))
        log.database._reader.backup(copy)  # type: ignore[attr-defined]
        copy.close()
        log.append_now(record(500))
        anchor = log.head()
    assert anchor is not None
    path.with_name("copy.db").replace(path)
    path.with_name("audit.db-wal").unlink(missing_ok=True)
    assert check(path).ok
    assert "missing" in check(path, anchors=[anchor]).findings[0].message


def test_a_checkpoint_of_another_log_is_no_proof(path: Path, tmp_path: Path) -> None:
    """It is named as what it is."""
    with AuditLog.open(tmp_path / "other.db", key=tmp_path / "audit.db.key") as other:
        anchor = other.head()
    assert anchor is not None
    assert "of another log" in check(path, anchors=[anchor]).findings[0].message


def _edit(seq: int, draw: random.Random) -> list[str]:
    column = draw.choice(["body", "hash"])
    at = draw.randint(1, 32)
    other = f"CASE WHEN substr({column}, {at}, 1) = x'7f' THEN x'7e' ELSE x'7f' END"
    return [
        f"UPDATE entries SET {column} ="
        f" CAST(substr({column}, 1, {at - 1}) || {other} || substr({column}, {at + 1}) AS BLOB) WHERE seq = {seq}"
    ]


def _delete(seq: int, _: random.Random) -> list[str]:
    return [f"DELETE FROM entries WHERE seq = {seq}", f"DELETE FROM words WHERE seq = {seq}"]


def _swap(seq: int, draw: random.Random) -> list[str]:
    other = draw.choice([n for n in range(1, ENTRIES + 1) if n != seq])
    return [
        f"UPDATE entries SET seq = -1 WHERE seq = {seq}",
        f"UPDATE entries SET seq = {seq} WHERE seq = {other}",
        f"UPDATE entries SET seq = {other} WHERE seq = -1",
    ]


@pytest.mark.parametrize("change", [_edit, _delete, _swap])
def test_random_tampering_is_always_found(
    path: Path, change: Callable[[int, random.Random], list[str]]
) -> None:
    """Thirty random places of each kind, one at a time."""
    draw = random.Random(7)
    original = path.read_bytes()
    for _ in range(30):
        path.write_bytes(original)
        tamper(path, *change(draw.randint(1, ENTRIES), draw))
        assert not check(path).ok


def test_a_log_that_grows_meanwhile_verifies(path: Path) -> None:
    """Entries appended while the log is walked are no finding."""
    with AuditLog.open(path) as writer, AuditLog.open(path, read_only=True) as reader:
        read, appended = reader.database.read, []

        def read_and_append(sql: str, values: object = ()) -> object:
            rows = read(sql, values)  # type: ignore[arg-type]
            if "FROM entries" in sql and len(appended) < 3:
                appended.append(writer.append_now(record(100 + len(appended))))
            return rows

        reader.database.read = read_and_append  # type: ignore[method-assign,assignment]
        result = verify(reader, read_public_key(path.with_name("audit.db.key.pub")))
        assert (result.ok, result.entries) == (True, ENTRIES + 3)
