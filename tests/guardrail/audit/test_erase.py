"""Words go for good, and the log says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from guardrail.audit.chain import read_public_key
from guardrail.audit.erase import erase, expired, selected
from guardrail.audit.store import AuditLog, Query
from guardrail.audit.verify import verify
from guardrail.errors import AuditError
from tests.records import record

Opener = Callable[[], AuditLog]


def test_an_erased_record_has_no_words_and_the_log_still_verifies(open_log: Opener, tmp_path: Path) -> None:
    """Claims, scores and hashes stay; the chain does not notice."""
    log = open_log()
    for number in (1, 2, 3):
        log.append_now(record(number))
    assert erase(log, selected(log, Query(subject="grd_2")), reason="request", by="bo") == 1
    gone = log.get("grd_2")
    assert gone is not None
    assert (gone.words, len(gone.claims)) == (None, 1)
    assert log.get("grd_1").words is not None  # type: ignore[union-attr]
    result = verify(log, read_public_key(tmp_path / "audit.key.pub"))
    assert (result.ok, result.erased) == (True, 1)


def test_a_persons_records_are_found_by_the_user(open_log: Opener) -> None:
    """Also held sentences, which have words of their own."""
    log = open_log()
    log.append_now(record(1, user="u1"))
    log.append_now(record(2, user="u1", kind="part"))
    log.append_now(record(3, user="u2"))
    assert list(selected(log, Query(kind=None, user_hash="u1"))) == [1, 2]


def test_words_expire_by_the_policy_of_their_record(open_log: Opener) -> None:
    """Each record carries its own retention; nought means kept."""
    log = open_log()
    for number, days in enumerate((0, 1, 30), 1):
        log.append_now(record(number, retention_days=days))
    assert list(expired(log, at=datetime(2026, 3, 2, 12, 0, 0, 1, tzinfo=UTC))) == []
    assert list(expired(log, at=datetime(2026, 3, 3, tzinfo=UTC))) == [2]
    assert list(expired(log, at=datetime(2027, 1, 1, tzinfo=UTC))) == [2, 3]
    assert list(expired(log)) == [2, 3] or datetime.now(UTC) < datetime(2026, 4, 1, tzinfo=UTC)


def test_what_is_erased_is_not_erased_again(open_log: Opener) -> None:
    """The second time there is nothing to do, and nothing is written."""
    log = open_log()
    log.append_now(record(1))
    assert erase(log, selected(log, Query()), reason="r", by="b") == 1
    assert erase(log, selected(log, Query()), reason="r", by="b") == 0
    assert len(list(log.scan(query=Query(kind="erasure")))) == 1


@pytest.mark.parametrize(("reason", "by"), [("", "bo"), ("why", " ")])
def test_an_erasure_without_reason_or_name_is_refused(open_log: Opener, reason: str, by: str) -> None:
    """Nothing is removed."""
    log = open_log()
    log.append_now(record(1))
    with pytest.raises(AuditError, match="needs a reason and a name"):
        erase(log, iter([1]), reason=reason, by=by)
    assert log.get("grd_1").words is not None  # type: ignore[union-attr]


def test_erased_words_are_not_in_the_files_any_more(tmp_path: Path) -> None:
    """Neither the database nor its journal holds a byte of them."""
    with AuditLog.open(tmp_path / "audit.db") as log:
        log.append_now(record(1))
        assert any(b"Ada Lovelace was born" in file.read_bytes() for file in tmp_path.glob("audit.db*"))
        erase(log, iter([1]), reason="request", by="bo")
        assert not [
            file for file in tmp_path.glob("audit.db*") if b"Ada Lovelace was born" in file.read_bytes()
        ]
