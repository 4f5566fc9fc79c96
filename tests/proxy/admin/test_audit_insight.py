"""The audit log as the pages look at it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from guardrail.audit.record import EvidenceRef
from guardrail.audit.reviews import review
from proxy.admin.audit_insight import trends
from proxy.services import Services
from tests.proxy.servers import serving
from tests.records import CLAIM, record

ADMIN = {"authorization": "Bearer secret"}
FINE = replace(
    CLAIM,
    label="attributable",
    property="capital",
    evidence=(EvidenceRef("passage", "p1", "request"),),
)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[str, Services]]:
    """Two contradicted answers and a fine one between them; the first was reviewed."""
    with serving(tmp_path, admin_token="secret") as (root, services):
        services.log.append_now(record(1))
        services.log.append_now(record(2, claims=(FINE,), flagged=(), outcome="clean", kas=0.95, model="b"))
        services.log.append_now(record(3, timing_ms={"total": 8.0}))
        review(services.log, "grd_1", 0, reviewer="ada", judgement="agree")
        yield f"{root}/guardrail/insight", services


async def ask(url: str, *, headers: dict[str, str] = ADMIN) -> tuple[int, Any]:
    async with aiohttp.ClientSession(headers=headers) as http, http.get(url) as response:
        text = await response.text()
        return response.status, json.loads(text) if response.content_type == "application/json" else text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["grd_3", "grd_2", "grd_1"]),
        ("label=contradictory", ["grd_3", "grd_1"]),
        ("label=attributable", ["grd_2"]),
        ("property=capital", ["grd_2"]),
        ("source=starter", ["grd_3", "grd_1"]),
        ("source=request&label=contradictory", []),
        ("reviewed=yes", ["grd_1"]),
        ("reviewed=no", ["grd_3", "grd_2"]),
        ("model=b", ["grd_2"]),
        ("outcome=flagged&reviewed=no", ["grd_3"]),
        ("since=2026-03-01T12:00:00.002Z&until=2026-03-01T12:00:00.003Z", ["grd_2"]),
        ("policy=other", []),
        ("q=LOVELACE%201816", ["grd_3", "grd_2", "grd_1"]),
        ("q=grd_2", ["grd_2"]),
        ("q=lovelace%20nobody", []),
        ("q=capital&label=attributable", ["grd_2"]),
    ],
)
async def test_filters_hold_together(running: tuple[str, Services], query: str, found: list[str]) -> None:
    """Each narrows what the others leave."""
    _, told = await ask(f"{running[0]}/records?{query}")
    assert [one["id"] for one in told["records"]] == found
    assert told["next"] is None


async def test_pages_of_filtered_records_lose_none(running: tuple[str, Services]) -> None:
    """The second page begins where the first ended."""
    root, services = running
    for number in range(10, 260):
        services.log.append_now(record(number, model="many"))
    seen, before = [], ""
    while True:
        _, told = await ask(f"{root}/records?model=many&label=contradictory&limit=60{before}")
        seen += [one["id"] for one in told["records"]]
        if told["next"] is None:
            break
        before = f"&before={told['next']}"
    assert seen == [f"grd_{number}" for number in reversed(range(10, 260))]


async def test_trends_tell_what_the_records_say(running: tuple[str, Services]) -> None:
    """Answers, flagged ones, the spread of KAS, what was wrong most often, how long checking took."""
    _, told = await ask(f"{running[0]}/trends")
    assert (told["answers"], told["flagged"]) == (3, 2)
    assert told["kas"] == [0, 0, 2, 0, 0, 0, 0, 0, 0, 1]
    assert told["contradicted"] == [["date of birth", 2]]
    assert sum(bucket["answers"] for bucket in told["buckets"]) == 3
    assert [bucket["p95"] for bucket in told["buckets"] if bucket["p95"]] == [8.0]
    assert (told["models"], told["sources"]) == (["demo", "b"], ["starter", "request"])
    _, narrow = await ask(f"{running[0]}/trends?model=b")
    assert (narrow["answers"], narrow["flagged"]) == (1, 0)


def test_time_runs_evenly_through_the_buckets() -> None:
    """Hours without an answer have their place, and the last answer is in the last one."""
    times = ["2026-03-01T00:00:00.000Z", "2026-03-01T01:00:00.000Z", "2026-03-02T06:00:00.000Z"]
    found = trends(record(n, time=time) for n, time in enumerate(times))
    assert len(found.buckets) == 31
    assert [i for i, bucket in enumerate(found.buckets) if bucket.answers] == [0, 1, 30]
    assert trends([]).buckets == ()


async def test_the_chain_is_walked_and_tampering_is_told(running: tuple[str, Services]) -> None:
    """With the entry at which the log is no longer what was written."""
    root, services = running
    _, told = await ask(f"{root}/chain")
    assert (told["ok"], told["entries"], told["head"]["seq"]) == (True, 4, 4)
    file = services.settings.audit
    assert file is not None
    with sqlite3.connect(file) as database:
        database.execute("UPDATE entries SET model = 'evil' WHERE seq = 2")
    database.close()
    _, told = await ask(f"{root}/chain")
    assert told["ok"] is False
    assert told["findings"] == [{"seq": 2, "message": "the column `model` was altered"}]


async def test_labels_are_exported_for_calibration(running: tuple[str, Services]) -> None:
    """One line for each reviewed claim."""
    _, lines = await ask(f"{running[0]}/labels")
    told = [json.loads(line) for line in lines.splitlines()]
    assert [(one["record"], one["truth"], one["reviewer"]) for one in told] == [
        ("grd_1", "contradictory", "ada")
    ]


@pytest.mark.parametrize("path", ["records", "trends", "chain", "labels"])
async def test_all_of_it_is_the_admins(running: tuple[str, Services], path: str) -> None:
    """Records hold what models said."""
    assert (await ask(f"{running[0]}/{path}", headers={}))[0] == 401


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "reviewed=maybe", "before=0", f"label={'x' * 201}"]
)
async def test_nonsense_is_refused(running: tuple[str, Services], query: str) -> None:
    """A wrong parameter is the client's mistake."""
    assert (await ask(f"{running[0]}/records?{query}"))[0] == 422
