"""Reports that a real Redis keeps for several machines: found from each while it is there, stated while it is not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest

from guardrail.errors import BadRequest
from proxy.judging.shared_reports import KEPT_S, SharedReports
from tests import redis_server
from tests.proxy.servers import serving
from tests.redis_server import Redis

pytest.importorskip("redis", reason="the extra `redis` is not installed")

ASK = {"model": "demo", "messages": [{"role": "user", "content": "verify: It is wrong."}]}
MANY = 200


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with redis_server.running(tmp_path) as server:
        yield server


def body(number: int) -> bytes:
    return b'{"x":"%s"}' % (b"%d" % number * 100)


async def kept(redis: Redis) -> tuple[int, int, int]:
    """How many reports Redis holds, how many bytes they have, and how many it counts."""
    client = pytest.importorskip("redis.asyncio").Redis.from_url(redis.url)
    found = [key async for key in client.scan_iter("{guardrail:reports}:of:*")]
    size = sum([await client.strlen(key) for key in found])
    told = int(await client.get("{guardrail:reports}:size"))
    ages = [await client.ttl(key) async for key in client.scan_iter("*")]
    assert all(0 < age <= KEPT_S for age in ages)
    await client.aclose()
    return len(found), size, told


async def test_another_machine_finds_it_and_the_oldest_go_first(redis: Redis) -> None:
    """Redis holds no more than its limit, however many processes keep reports at a time, and all of it ends by itself."""
    limit = 20_000
    machines = [SharedReports(redis.url, shared_limit=limit) for _ in range(4)]
    await asyncio.gather(
        *(machines[n % 4].keep(f"grd_{n}", [body(n)]) for n in range(MANY)),
    )
    await machines[0].keep("grd_last", [b"{}", b"{}"])
    count, size, told = await kept(redis)
    assert (size == told, limit - 1000 < size <= limit, 0 < count < MANY) == (True, True, True)
    for machine in machines[1:]:
        assert machine.get("grd_last") is None
        assert orjson.loads(await machine.elsewhere("grd_last") or b"") == {
            "id": "grd_last",
            "reports": [{}, {}],
        }
        assert await machine.elsewhere("grd_0") is None
        assert machine.measures() == {"guardrail.reports.away": 0}
    for machine in machines:
        await machine.close()


async def test_what_redis_lost_in_part_does_no_harm(redis: Redis) -> None:
    """Where Redis has dropped the order of the reports, their size is counted from the start."""
    reports = SharedReports(redis.url, shared_limit=2000)
    for number in range(5):
        await reports.keep(f"grd_{number}", [body(number)])
    client = pytest.importorskip("redis.asyncio").Redis.from_url(redis.url)
    await client.set("{guardrail:reports}:size", 10**9)
    for number in range(5, 25):
        await reports.keep(f"grd_{number}", [body(number)])
    assert (await reports.elsewhere("grd_24"), await reports.elsewhere("grd_2")) != (None, None)
    assert 0 <= int(await client.get("{guardrail:reports}:size")) <= 2000
    await client.aclose()
    await reports.close()


async def test_while_redis_is_away_nobody_waits_and_nothing_is_denied(redis: Redis) -> None:
    """A process finds its own reports; of others it says that it cannot know, not that they do not exist."""
    reports = SharedReports(redis.url, shared_limit=2000)
    await reports.keep("grd_before", [b"{}"])
    redis.kill()
    began = time.monotonic()
    for number in range(1000):
        await reports.keep(f"grd_{number}", [b"{}"])
    assert time.monotonic() - began < 30
    assert reports.get("grd_999") == b'{"id":"grd_999","reports":[{}]}'
    with pytest.raises(BadRequest) as caught:
        await reports.elsewhere("grd_other")
    assert (caught.value.status, caught.value.code) == (503, "reports_unavailable")
    assert "reports are found only on the machine that made them" in reports.trouble
    assert reports.measures() == {"guardrail.reports.away": 1}
    await reports.close()


async def test_two_machines_find_each_others_reports(redis: Redis, tmp_path: Path) -> None:
    """GET /guardrail/reports/{id} answers alike on both; without Redis it says 503, and /readyz and /metrics tell."""
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()

    async def get(http: aiohttp.ClientSession, url: str) -> tuple[int, Any]:
        async with http.get(url) as answer:
            return answer.status, await answer.json()

    with (
        serving(tmp_path / "a", reports=redis.url) as (one, _),
        serving(tmp_path / "b", reports=redis.url) as (other, _),
    ):
        async with aiohttp.ClientSession() as http:
            async with http.post(f"{one}/v1/chat/completions", json=ASK) as answer:
                told = (await answer.json())["choices"][0]["message"]["guardrail"]
                path = f"/guardrail/reports/{answer.headers['x-guardrail-id']}"
            assert await get(http, other + path) == await get(http, one + path)
            assert (await get(http, other + path))[1]["reports"] == [told]
            for name in ("grd_0", "order", "size", "x" * 65):
                assert (await get(http, f"{other}/guardrail/reports/{name}"))[0] == 404
            assert (await get(http, f"{other}/readyz"))[1]["status"] == "ready"
            redis.kill()
            assert (await get(http, one + path))[0] == 200
            status, refused = await get(http, other + path)
            assert (status, refused["error"]["code"]) == (503, "reports_unavailable")
            status, state = await get(http, f"{other}/readyz")
            assert (status, state["status"]) == (200, "degraded")
            assert "reports: Redis at redis://127.0.0.1" in state["degraded"][0]
            async with http.get(f"{other}/metrics") as answer:
                assert "guardrail_reports_away 1" in await answer.text()
            async with http.post(f"{one}/v1/chat/completions", json=ASK) as answer:
                assert (answer.status, "x-guardrail-id" in answer.headers) == (200, True)


def test_nothing_of_redis_is_loaded_where_it_is_not_wanted() -> None:
    """A server that keeps reports in its memory needs no client of Redis."""
    code = "import sys, proxy.services; print('redis' in sys.modules, 'proxy.redis_client' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False False\n"
