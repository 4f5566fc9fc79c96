"""The cache: memory, disk, Redis' absence, and files that somebody tampered with."""

from __future__ import annotations

import pickle
import random
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardrail.cache import KEPT_S, DiskCache, MemoryCache, RedisCache, key_of, open_cache
from guardrail.errors import ConfigError
from tests import redis_server
from tests.redis_server import Redis

VALUE = {"text": "Ünïcödé 🙂", "numbers": [1, 2.5, None, True]}


class Bomb:
    """Unpickling this leaves a trace."""

    trace: Path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (eval, (f"open({str(self.trace)!r}, 'w').close()",))


@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_what_was_put_comes_back(kind: str, tmp_path: Path) -> None:
    """A value returns as it was; an unknown key gives None."""
    cache = open_cache(None if kind == "memory" else tmp_path / "cache")
    cache.put("key", VALUE)
    assert cache.get("key") == VALUE
    assert cache.get("other") is None
    cache.close()


def test_the_disk_outlives_the_process(tmp_path: Path) -> None:
    """A second cache over the same directory sees what the first one wrote."""
    first = DiskCache(tmp_path)
    first.put("key", VALUE)
    first.close()
    second = DiskCache(tmp_path)
    assert second.get("key") == VALUE
    second.close()


def test_a_forged_pickle_is_a_miss_and_never_runs(tmp_path: Path) -> None:
    """A row that says it is a pickle is refused before it is read."""
    cache = DiskCache(tmp_path / "cache")
    cache.put("key", VALUE)
    bomb = Bomb()
    Bomb.trace = tmp_path / "trace"
    with sqlite3.connect(tmp_path / "cache" / "cache.db") as database:
        database.execute("UPDATE Cache SET mode = 4, value = ?, filename = NULL", (pickle.dumps(bomb),))
    database.close()
    assert cache.get("key") is None
    assert not Bomb.trace.exists()
    cache.close()


def test_a_large_value_in_a_file_of_its_own_comes_back_or_misses(tmp_path: Path) -> None:
    """Values beyond diskcache's inline limit work, and a damaged file is a miss."""
    cache = DiskCache(tmp_path)
    noise = random.Random(0).randbytes(100_000).hex()
    cache.put("key", noise)
    assert cache.get("key") == noise
    for file in tmp_path.rglob("*.val"):
        file.write_bytes(b"not zlib")
    assert cache.get("key") is None
    cache.close()


def test_a_file_in_the_place_of_the_directory_is_a_config_error(tmp_path: Path) -> None:
    """An unusable path is said at once and names the path."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="file"):
        DiskCache(tmp_path / "file")


def test_memory_forgets_the_least_recently_used() -> None:
    """The bound holds, and reading keeps an entry alive."""
    cache = MemoryCache(size=2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)


def test_memory_hands_out_copies() -> None:
    """Changing a value that was read does not change what is stored."""
    cache = MemoryCache()
    cache.put("a", [1])
    cache.get("a").append(2)
    assert cache.get("a") == [1]


def test_many_threads_share_one_disk(tmp_path: Path) -> None:
    """Parallel writers and readers lose nothing."""
    cache = DiskCache(tmp_path)

    def work(number: int) -> None:
        for index in range(20):
            cache.put(f"{number}-{index}", [number, index])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cache.get(f"{n}-{i}") == [n, i] for n in range(4) for i in range(20))
    cache.close()


def test_keys_tell_neighbouring_parts_apart() -> None:
    """Moving a character from one part to the next gives another key; key order in objects does not."""
    assert key_of("a", "bc") != key_of("ab", "c")
    assert key_of({"x": 1, "y": 2}) == key_of({"y": 2, "x": 1})
    assert len(key_of("\ud800")) == 64


def test_redis_without_its_package_says_which_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the extra to install."""
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigError, match=r"claim-guardrail\[redis\]"):
        open_cache("redis://127.0.0.1:1/0")


def test_a_redis_that_is_away_is_a_miss() -> None:
    """No server: nothing is found, nothing breaks."""
    pytest.importorskip("redis", reason="the extra `redis` is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    cache = RedisCache(f"redis://127.0.0.1:{port}/0")
    cache.put("key", 1)
    assert cache.get("key") is None
    cache.close()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with redis_server.running(tmp_path) as server:
        yield server


def test_a_real_redis_is_shared_and_holds_json_only(redis: Redis) -> None:
    """What one process stores another finds; what somebody else wrote there is a miss, never code."""
    one, other = RedisCache(redis.url), RedisCache(redis.url)
    key = key_of("model", "prompt")
    assert one.get(key) is None
    one.put(key, {"label": "attributable", "n": [1, 2.5, None]})
    assert other.get(key) == {"label": "attributable", "n": [1, 2.5, None]}
    client = pytest.importorskip("redis").Redis.from_url(redis.url)
    (stored,) = client.keys()
    assert 0 < client.ttl(stored) <= KEPT_S
    client.set(stored, b"\x80\x04pickle")
    assert other.get(key) is None
    for opened in (client, one, other):
        opened.close()


@pytest.mark.parametrize("how", ["kill", "freeze"])
def test_only_the_first_waits_for_a_redis_that_is_away(
    redis: Redis, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever asks within the next second has a miss at once; log and `trouble` say so, and when it is back."""
    cache = RedisCache(redis.url)
    cache.put("key", 1)
    getattr(redis, how)()
    monkeypatch.setattr("guardrail.cache.REST_S", 30.0)
    began = time.monotonic()
    for _ in range(100):
        cache.put("key", 2)
        assert cache.get("key") is None
    assert time.monotonic() - began < 20
    assert "away" in cache.trouble
    redis.start() if how == "kill" else redis.thaw()
    monkeypatch.setattr("guardrail.cache.time.monotonic", lambda: began + 100)
    cache.put("key", 3)
    assert (cache.get("key"), cache.trouble) == (3, "")
    told = [record.message for record in caplog.records]
    assert ["away" in told[0], "is back" in told[-1], len(told)] == [True, True, 2]
    cache.close()
