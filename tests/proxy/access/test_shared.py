"""Limits that several processes keep as one, in a real Redis: exact while it is there, stated while it is not."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import openai
import pytest

from guardrail.errors import BadRequest, ConfigError
from proxy import redis_client
from proxy.access import shared
from proxy.access.keys import Key, KeyRing
from proxy.access.shared import SharedLimits
from proxy.wire.headers import LimitReached
from tests import limited, redis_server
from tests.fakes import FakeModel, Script, completion
from tests.proxy.servers import serving
from tests.redis_server import Redis
from tests.waiting import PATIENCE_S, until

pytest.importorskip("redis", reason="the extra `redis` is not installed")

ROOT = Path(__file__).parents[3]
REQUESTS = int(os.environ.get("GUARDRAIL_LIMITED_REQUESTS", "2000"))
ASK = {"model": "m", "messages": [{"role": "user", "content": "What is it?"}]}


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with redis_server.running(tmp_path) as server:
        yield server


@pytest.fixture
async def pair(redis: Redis):
    """Two processes' limits."""
    one, other = SharedLimits(redis.url), SharedLimits(redis.url)
    yield one, other
    await one.close()
    await other.close()


async def bucket(url: str, kind: str = "requests") -> tuple[float, float]:
    """What is left of a limit of the key `limited.KEY`, and when that was (Redis' clock, seconds)."""
    client = pytest.importorskip("redis.asyncio").Redis.from_url(url)
    level, at = await client.hmget(f"guardrail:limits:{{{limited.KEY}}}:{kind}", "level", "at")
    await client.aclose()
    return float(level), float(at)


async def refused(limits: SharedLimits, key: Key) -> LimitReached:
    with pytest.raises(LimitReached) as caught:
        async with limits.admitted(key):
            pass
    return caught.value


def test_four_processes_keep_one_limit_exactly(redis: Redis) -> None:
    """Of the requests of four processes as many are let in as the limit held and as came back meanwhile: not one more or less."""
    limit = REQUESTS // 4
    command = [sys.executable, "-m", "tests.limited", redis.url, str(limit), str(REQUESTS // 4)]
    processes = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(4)
    ]
    assert [process.stdout.readline() for process in processes] == [b"ready\n"] * 4
    used = asyncio.run(limited.let_in(redis.url, limit, limit // 5))  # the bucket is not full from here on
    before, began = asyncio.run(bucket(redis.url))
    for process in processes:
        process.stdin.write(b"\n")
        process.stdin.flush()
    admitted = sum(int(process.communicate(timeout=300)[0]) for process in processes)
    after, ended = asyncio.run(bucket(redis.url))
    assert (used, 0 <= after < 1) == (limit // 5, True)
    assert admitted == pytest.approx(before - after + (ended - began) * limit / 60, abs=1e-3)
    assert limit - used <= admitted < REQUESTS


async def test_requests_of_one_process_count_in_the_other(pair: tuple[SharedLimits, SharedLimits]) -> None:
    """The limit, what is told of it and further requests within one are those of one process, over two."""
    one, other = pair
    key = Key("k1", "a", b"", requests=3)
    async with one.admitted(key) as admitted:
        assert admitted.spent is None
    async with other.admitted(key):
        await one.charge(key)
        with pytest.raises(LimitReached, match="limit of 3 requests"):
            await other.charge(key)
    for limits in pair:
        error = await refused(limits, key)
        assert (error.kind, 15 <= error.retry_after <= 20) == ("requests", True)
        assert "Key k1 has reached its limit of 3 requests a minute" in str(error)
    async with one.admitted(Key("k2", "b", b"", requests=3)):
        pass


async def test_tokens_of_one_process_are_waited_for_in_the_other(
    pair: tuple[SharedLimits, SharedLimits],
) -> None:
    """What an answer used beyond the limit is paid off by waiting, wherever the next one is asked for."""
    one, other = pair
    key = Key("k1", "a", b"", tokens=600)
    async with one.admitted(key) as admitted:
        assert admitted.spent is not None
        admitted.spent.read(b'{"usage":{"total_tokens":900}}')
    error = await refused(one, key)
    assert (error.kind, 25 <= error.retry_after <= 31) == ("tokens", True)
    assert (await refused(other, key)).kind == "tokens"


async def test_answers_at_a_time_over_both(pair: tuple[SharedLimits, SharedLimits]) -> None:
    """A place that one process has is taken for the other, and free as soon as the answer ends, however it ends."""
    one, other = pair
    key = Key("k1", "a", b"", concurrent=1)
    for _ in range(20):
        place = one.admitted(key)
        await place.__aenter__()
        assert "1 answers at a time" in str(await refused(other, key))
        assert not await place.__aexit__(OSError, OSError("gone"), None)
        async with one.admitted(key):
            pass


async def test_the_end_of_an_answer_is_known_everywhere_before_its_last_byte(
    redis: Redis, tmp_path: Path
) -> None:
    """A client that has read its whole answer and asks another server at once is let in."""
    ring = KeyRing(tmp_path / "keys.db")
    _, token = ring.create("alice", concurrent=1)
    ring.close()
    script = Script([completion("It is true.")], headers=(("content-type", "application/json"),))
    async with (
        FakeModel(script).running() as model,
        aiohttp.ClientSession(headers={"authorization": f"Bearer {token}"}) as http,
    ):
        given = {"upstream": model.url, "keys": tmp_path / "keys.db", "limits": redis.url}
        (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
        with serving(tmp_path / "a", **given) as (one, _), serving(tmp_path / "b", **given) as (other, _):
            for root in (one, other) * 30:
                async with http.post(f"{root}/v1/chat/completions", json=ASK) as answer:
                    assert (await answer.read(), answer.status)[1] == 200
                async with http.post(f"{root}/v1/chat/completions", data=b"{") as answer:
                    assert (await answer.read(), answer.status)[1] == 400


async def test_a_place_that_is_left_while_it_is_kept_is_free(
    pair: tuple[SharedLimits, SharedLimits], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a process says of its running answers never comes after the end of one."""
    (one, other), key = pair, Key("k1", "a", b"", concurrent=1)
    begun, gate, run = asyncio.Event(), asyncio.Event(), one._run

    async def slowly(script: object, keys: list[str], given: list[object]) -> object:
        if script is one._keeping:
            begun.set()
            await gate.wait()
        return await run(script, keys, given)

    monkeypatch.setattr(one, "_run", slowly)
    async with one.admitted(key) as admitted:
        keeping = asyncio.create_task(one._keep(key.id))
        await begun.wait()
        ending = asyncio.create_task(admitted.end())
        await asyncio.sleep(0.05)
        gate.set()
        await ending
        async with other.admitted(key):
            pass
        await keeping


async def test_who_is_let_in_twice_has_one_place(pair: tuple[SharedLimits, SharedLimits]) -> None:
    """A connection that breaks may have the step done a second time: it says the same."""
    (one, other), key = pair, Key("k1", "a", b"", concurrent=1)
    assert [(await one._admit(key, 0, 1, "p1"))[0] for _ in range(2)] == ["", ""]
    assert "1 answers at a time" in str(await refused(other, key))


async def test_an_end_that_could_not_be_told_is_told_later(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once Redis is back the place is free, long before it would end by itself; meanwhile it is remembered no longer than that."""
    monkeypatch.setattr(redis_client, "PATIENCE_S", 0.2)
    limits, other, key = SharedLimits(redis.url), SharedLimits(redis.url), Key("k1", "a", b"", concurrent=1)
    async with limits.admitted(key):
        redis.freeze()
        async with limits.admitted(Key("k2", "b", b"")):
            assert limits.trouble
    await until(lambda: limits._untold)
    redis.thaw()
    await refused(other, key)
    await limits.open()
    await until(lambda: not limits._untold, seconds=20)
    async with other.admitted(key):
        pass
    limits._tell_later(key, "p1")
    limits._forget_old()
    assert limits._untold
    monkeypatch.setattr(shared, "LEASE_S", -1)
    limits._tell_later(key, "p1")
    limits._forget_old()
    assert limits._untold == {}
    await limits.close()
    await other.close()


async def test_an_unlimited_key_is_let_in(pair: tuple[SharedLimits, SharedLimits]) -> None:
    """Without a limit nothing is counted."""
    async with AsyncExitStack() as stack:
        for limits in pair * 50:
            admitted = await stack.enter_async_context(limits.admitted(Key("k1", "a", b"")))
            assert admitted.spent is None


async def test_a_dead_process_frees_its_places(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are kept as long as their process says so, however long the answer; a process that is gone says nothing."""
    monkeypatch.setattr(shared, "LEASE_S", 2)
    monkeypatch.setattr(shared, "BEAT_S", 0.1)
    key = Key("k1", "a", b"", concurrent=1)
    lives, other = SharedLimits(redis.url), SharedLimits(redis.url)
    await lives.open()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(lives.admitted(key))
        await asyncio.sleep(3)
        await refused(other, key)
        lives._beating.cancel()  # type: ignore[union-attr]
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await stack.enter_async_context(other.admitted(key))
                    break
                except LimitReached:
                    await asyncio.sleep(0.1)
    await lives.close()
    await other.close()


@pytest.mark.parametrize("how", ["kill", "freeze"])
async def test_while_redis_is_away_each_process_counts(
    redis: Redis, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It begins with what it let in of late, is told of in log, state and measures, and ends by itself when Redis is back."""
    monkeypatch.setattr(redis_client, "PATIENCE_S", 0.2)
    caplog.set_level(logging.WARNING)
    limits, key = SharedLimits(redis.url), Key("k1", "a", b"", requests=4, concurrent=2)
    await limits.open()
    async with limits.admitted(key):
        getattr(redis, how)()
        async with limits.admitted(key):
            assert "is away: this process counts by itself" in limits.trouble
            assert "2 answers at a time" in str(await refused(limits, key))
        async with limits.admitted(key):
            pass
        await limits.charge(key)
        assert "limit of 4 requests" in str(await refused(limits, key))
        assert limits.measures()["guardrail.limits.away"] == 1
        assert limits.measures()["guardrail.limits.alone"] == 5
        redis.start() if how == "kill" else redis.thaw()
        await until(lambda: not limits.trouble)
        assert limits.measures()["guardrail.limits.away"] == 0
        other = SharedLimits(redis.url)
        single = Key("k1", "a", b"", concurrent=1)
        assert "1 answers at a time" in str(await refused(other, single))  # the place was not forgotten
        await other.close()
    await limits.close()
    told = [record.message for record in caplog.records if "limits:" in record.message]
    assert ["away" in told[0], "is back" in told[-1], len(told)] == [True, True, 2]


async def test_an_operator_may_have_keys_refused_meanwhile(tmp_path: Path) -> None:
    """`refuse`: without Redis nobody with a key is served, and nothing is held for who was refused."""
    server = Redis(tmp_path)
    with redis_server.running(tmp_path) as started:
        server.port = started.port
    limits, key = SharedLimits(server.url, away="refuse"), Key("k1", "a", b"", requests=4, concurrent=1)
    for asked in (limits.admitted(key).__aenter__, lambda: limits.charge(key)):
        with pytest.raises(BadRequest) as caught:
            await asked()
        assert (caught.value.status, caught.value.code) == (503, "limits_unavailable")
    assert "requests of keys are refused" in limits.trouble
    assert limits._places == {}
    await limits.close()


def test_what_is_no_address_of_redis_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong address, or the missing package, is an error of the settings."""
    with pytest.raises(ConfigError, match="not an address of a Redis"):
        SharedLimits("http://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(ConfigError, match=r"claim-guardrail\[redis\]"):
        SharedLimits("redis://127.0.0.1:1/0")


async def test_two_servers_keep_one_limit_and_say_when_they_cannot(redis: Redis, tmp_path: Path) -> None:
    """Requests are divided between two servers, let in as by one; without Redis both serve, and /readyz and /metrics tell."""
    ring = KeyRing(tmp_path / "keys.db")
    _, token = ring.create("alice", requests=5)
    ring.close()
    script = Script([completion("It is true.")], headers=(("content-type", "application/json"),))
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        given = {"upstream": model.url, "keys": tmp_path / "keys.db", "limits": redis.url}
        (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
        with serving(tmp_path / "a", **given) as (one, _), serving(tmp_path / "b", **given) as (other, _):
            served, told = 0, []
            for root in (one, other) * 5:
                async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key=token, max_retries=0) as client:
                    try:
                        await client.chat.completions.create(**ASK)
                        served += 1
                    except openai.RateLimitError as error:
                        told.append(error.type)
            assert (served, told) == (5, ["requests"] * 5)
            redis.kill()
            for root in (one, other):
                async with http.post(
                    f"{root}/v1/chat/completions", json=ASK, headers={"authorization": f"Bearer {token}"}
                ) as answer:
                    assert answer.status == 200
                async with http.get(f"{root}/readyz") as answer:
                    assert answer.status == 200
                    state = await answer.json()
                assert state["status"] == "degraded"
                assert "limits: Redis at redis://127.0.0.1" in state["degraded"][0]
                async with http.get(f"{root}/metrics") as answer:
                    assert "guardrail_limits_away 1" in await answer.text()
