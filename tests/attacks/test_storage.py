"""Storage that fails under traffic: nothing flagged is shown without its record, and what comes back is used again.

GUARDRAIL_KILLS says how often a server is killed: 200 times, or 1,000 times before a release (`make attacks`).
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardrail.config import home
from tests.attacks.killing import clients, killed, missing, proxy
from tests.postgres_server import Server, started
from tests.proxy.servers import serving
from tests.waiting import until

KILLS = int(os.environ.get("GUARDRAIL_KILLS", "200"))
POLICIES = [("annotate", False), ("attach", True), ("revise", False)]
LATEST_S = 0.25  # after the first answer


@pytest.mark.parametrize(("policy", "early"), POLICIES)
def test_nothing_flagged_was_shown_without_its_record(tmp_path: Path, policy: str, early: bool) -> None:
    """Every answer that showed a flagged statement before a kill -9 at a random point has its record, and the log verifies.

    Each server goes on with the log that the one before was killed over.
    """
    path, dice, seen = tmp_path / "audit.db", random.Random(policy), set[str]()
    for _ in range(max(1, KILLS // len(POLICIES))):
        with proxy(path, policy) as (root, process):
            seen |= asyncio.run(killed(root, process, after=dice.uniform(0, LATEST_S), early=early))
    assert len(seen) >= KILLS // len(POLICIES)
    assert missing(path, seen, Path(f"{path}.key")) == set()


async def test_a_full_disk_stops_answers_and_is_overcome(tmp_path: Path) -> None:
    """While no byte more can be written each answer is an error; with room again they come, in one chain."""
    path, seen, errors = tmp_path / "audit.db", set[str](), set[int]()
    with proxy(path, "revise") as (root, process), clients(root, seen, errors, early=False):
        await until(lambda: bool(seen))
        assert process.pid is not None
        most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, most))
        await until(lambda: bool(errors))
        before = len(seen)
        await asyncio.sleep(0.3)
        assert len(seen) <= before + 12  # those whose record was written already
        assert min(errors) >= 500
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
        before = len(seen)
        await until(lambda: len(seen) > before + 20)
    assert missing(path, seen, Path(f"{path}.key")) == set()


@pytest.fixture
def database() -> Iterator[Server]:
    yield from started()


async def test_a_database_that_is_stopped_and_started_under_traffic(tmp_path: Path, database: Server) -> None:
    """Meanwhile each answer is an error; then they come again, and all that was shown is on record."""
    url, seen, errors = database.new_database(), set[str](), set[int]()
    with (
        serving(tmp_path, audit=url, policy="revise", pace=0.001) as (root, _),
        clients(root, seen, errors, early=False),
    ):
        for _ in range(3):
            before = len(seen)
            await until(lambda: len(seen) > before + 20)  # noqa: B023 - waited for at once
            errors.clear()
            await asyncio.to_thread(database.kill)
            await until(lambda: bool(errors))
            assert min(errors) >= 500
            await asyncio.to_thread(database.start)
        before = len(seen)
        await until(lambda: len(seen) > before + 20)
    assert missing(url, seen, home() / "audit.key") == set()
