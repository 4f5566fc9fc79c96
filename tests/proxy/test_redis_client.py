"""A Redis that may be away, asked over a real connection."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardrail.errors import ConfigError
from proxy import redis_client
from proxy.redis_client import Away, RedisClient
from tests import redis_server
from tests.redis_server import Redis

pytest.importorskip("redis", reason="the extra `redis` is not installed")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with redis_server.running(tmp_path) as server:
        yield server


async def test_what_a_script_stored_is_found(redis: Redis) -> None:
    """Scripts and values go through one client; what is not there is None."""
    client = RedisClient(redis.url, what="things", meanwhile="nothing happens")
    script = client.script("redis.call('SET', KEYS[1], ARGV[1])")
    await client.run(lambda: script(keys=["a"], args=[b"\xff\x00"]))
    assert (await client.value("a"), await client.value("b"), client.trouble) == (b"\xff\x00", None, "")
    await client.close()


@pytest.mark.parametrize("how", ["kill", "freeze"])
async def test_who_is_away_is_left_alone_for_a_while(
    redis: Redis, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the first of many that ask waits for it; log and `trouble` say what happens meanwhile, once, without a password."""
    monkeypatch.setattr(redis_client, "PATIENCE_S", 0.2)
    locked = RedisClient(redis.url.replace("//", "//:secret@"), what="others", meanwhile="all is slow")
    away = RedisClient(redis.url, what="things", meanwhile="all is slow")
    assert await away.value("a") is None
    getattr(redis, how)()
    with pytest.raises(Away):
        await away.value("a")
    asked = away._client.get
    away._client.get = lambda key: pytest.fail("it was asked")
    for _ in range(100):
        with pytest.raises(Away):
            await away.value("a")
    away._client.get = asked
    assert away.trouble == f"Redis at {redis.url} is away: all is slow"
    with pytest.raises(Away):
        await locked.value("a")
    assert "secret" not in locked.trouble + caplog.text
    redis.start() if how == "kill" else redis.thaw()
    ends = time.monotonic() + 30
    while away.trouble and time.monotonic() < ends:
        await asyncio.sleep(0.1)
        try:
            await away.value("a")
        except Away:
            continue
    assert away.trouble == ""
    told = [record.message for record in caplog.records if record.message.startswith("things:")]
    assert [("is away" in one, "is back" in one) for one in told] == [(True, False), (False, True)]
    await away.close()
    await locked.close()


def test_what_is_no_address_of_redis_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong address, or the missing package, is an error of the settings that names what was to be kept there."""
    with pytest.raises(ConfigError, match="not an address of a Redis for things"):
        RedisClient("http://127.0.0.1:1", what="things", meanwhile="")
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(ConfigError, match=r"things in Redis need .*claim-guardrail\[redis\]"):
        RedisClient("redis://127.0.0.1:1/0", what="things", meanwhile="")
