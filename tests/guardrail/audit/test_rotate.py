"""One file after the other, one proof."""

from __future__ import annotations

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
