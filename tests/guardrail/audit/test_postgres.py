"""What is PostgreSQL's alone; the log itself is tested on both databases in test_store.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from guardrail.audit.chain import read_public_key
from guardrail.audit.postgres import Postgres
from guardrail.audit.store import AuditLog
from guardrail.audit.verify import verify
from guardrail.errors import AuditError
from tests.postgres_server import Server, started
from tests.records import record


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that the test may kill."""
    yield from started()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://127.0.0.1:9/none?connect_timeout=1",
        "postgresql://user:s3cret@127.0.0.1:9/none?connect_timeout=1",
        "postgresql://nowhere.invalid/x",
        "postgresql://127.0.0.1:notaport/x",
    ],
)
def test_no_server_is_an_audit_error_without_the_password(url: str) -> None:
    """The message may be logged as it stands."""
    with pytest.raises(AuditError) as caught:
        Postgres(url)
    assert "s3cret" not in str(caught.value)


async def test_a_database_that_goes_away_fails_appends_and_comes_back(server: Server, tmp_path: Path) -> None:
    """What was acknowledged survives the crash; what was not is an error; then the chain goes on."""
    with AuditLog.open(server.new_database(), key=tmp_path / "k") as log:
        await log.append(record(1))
        server.kill()
        with pytest.raises(AuditError):
            await log.append(record(2))
        with pytest.raises(AuditError):
            log.get("grd_1")
        server.start()
        await log.append(record(3))
        assert [found.id for found in log.list()] == ["grd_3", "grd_1"]
        assert verify(log, read_public_key(tmp_path / "k.pub")).ok


def test_tampering_is_found_there_too(server: Server, tmp_path: Path) -> None:
    """Edit, deletion, swap, truncation, one at a time on a log of its own."""
    statements = [
        ["UPDATE entries SET body = decode('7b7d', 'hex') WHERE seq = 2"],
        ["UPDATE entries SET outcome = 'clean' WHERE seq = 2"],
        ["DELETE FROM entries WHERE seq = 2"],
        ["DELETE FROM entries WHERE seq = 3"],
        ["DELETE FROM words WHERE seq = 1"],
        ["UPDATE entries SET seq = -seq", "UPDATE entries SET seq = 4 + seq"],
    ]
    for number, changes in enumerate(statements):
        url = server.new_database()
        with AuditLog.open(url, key=tmp_path / f"k{number}") as log:
            for entry in (1, 2, 3):
                log.append_now(record(entry))
            assert verify(log, read_public_key(tmp_path / f"k{number}.pub")).ok
            with log.database.write() as cursor:
                for change in changes:
                    cursor.execute(change)
            assert not verify(log, read_public_key(tmp_path / f"k{number}.pub")).ok, changes
