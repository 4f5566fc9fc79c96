"""The socket of the server, and its memory."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from guardrail.audit.store import AuditLog
from guardrail.errors import ConfigError
from proxy.server.server import COLLECT, listen, spare_what_is_loaded
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeModel, FakeVerifier, Script, chunk
from tests.proxy.servers import running, serving
from tests.proxy.streams import text_of
from tests.received import receive
from tests.waiting import eventually, until


def test_port_zero_takes_a_free_one() -> None:
    """Two servers on port 0 have two ports."""
    with listen(Settings(port=0)) as first, listen(Settings(port=0)) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_port_that_is_taken_is_told() -> None:
    """A taken port and an address that is not ours are errors of ours."""
    with listen(Settings(port=0)) as first, pytest.raises(ConfigError, match="cannot listen on"):
        listen(Settings(port=first.getsockname()[1]))
    with pytest.raises(ConfigError, match="cannot listen on"):
        listen(Settings(host="203.0.113.1", port=0))


def test_what_is_loaded_is_not_walked_again_but_later_garbage_is_found() -> None:
    """Objects from before are out of collection; a cycle that is made and dropped afterwards is collected."""
    usual = gc.get_threshold()
    try:
        loaded: list[list[object]] = [[] for _ in range(1000)]
        spare_what_is_loaded()
        assert gc.get_freeze_count() > len(loaded)
        assert gc.get_threshold() == COLLECT
        cycle: list[object] = []
        cycle.append(cycle)
        del cycle
        assert gc.collect() >= 1
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_the_waiting(tmp_path: Path, number: signal.Signals) -> None:
    """An answer that would hold the end for the time of grace is marked and on record at once."""
    log = tmp_path / "audit.db"
    with listen(Settings(port=0)) as free:
        address = free.getsockname()[1]
    code = "from guardrail.cli.main import main; main()"
    command = [sys.executable, "-c", code, "serve", "--port", str(address), "--audit", str(log)]
    environment = {**os.environ, "GUARDRAIL_HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd())}
    upstream = socket.create_server(("127.0.0.1", 0))
    command += ["--upstream", f"http://127.0.0.1:{upstream.getsockname()[1]}/v1", "--stop-grace", "60"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        client = socket.create_connection(("127.0.0.1", address))
        body = b'{"model":"m","stream":true,"messages":[]}'
        head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n"
        client.sendall(head % len(body) + body)
        model = upstream.accept()[0]
        receive(model)
        words = chunk("It is true. And")
        model.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + words)
        while words not in (got := client.recv(65536)):
            assert got
        server.send_signal(number)
        time.sleep(0.5)
        assert server.poll() is None
        server.send_signal(number)
        server.wait(30)
    for one in (client, model, upstream):
        one.close()
    with AuditLog.open(log, read_only=True) as records:
        (record,) = records.list()
    assert "ended this answer" in record.error


async def test_it_says_that_it_ends_before_it_lets_nobody_in(tmp_path: Path) -> None:
    """For the time of notice it serves, /readyz says 503 and connections are not kept; then open answers end by themselves."""
    refused = asyncio.Event()

    def said() -> Iterator[bytes | float]:
        yield chunk("It is true. ")
        while not refused.is_set():
            yield 0.01
        yield chunk("It was.", finish="stop") + b"data: [DONE]\n\n"

    ask = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Is it?"}]}
    async with FakeModel(Script(said())).running() as model, aiohttp.ClientSession() as http:
        given = {"upstream": model.url, "stop_after": 4.0, "stop_grace": 60.0}
        with running(tmp_path, **given) as (root, _, server):
            async with http.get(f"{root}/healthz") as kept:
                assert (kept.status, "connection" in kept.headers) == (200, False)
            async with http.post(f"{root}/v1/chat/completions", json=ask) as stream:
                got = await stream.content.readany()
                server.should_exit = True
                while True:
                    async with http.get(f"{root}/readyz") as answer:
                        told = (answer.status, (await answer.json())["status"])
                    if told != (200, "ready"):
                        break
                assert told == (503, "ending")
                for _ in range(3):
                    async with http.get(f"{root}/healthz") as answer:
                        assert (answer.status, answer.headers["connection"]) == (200, "close")
                with pytest.raises(aiohttp.ClientConnectorError):
                    await _ask_until_refused(http, f"{root}/healthz")
                assert not stream.content.at_eof()
                refused.set()
                got += await stream.content.read()
    assert got.rstrip().endswith(b"[DONE]")
    assert text_of(got) == "It is true. It was."


async def _ask_until_refused(http: aiohttp.ClientSession, url: str) -> None:
    while True:
        await asyncio.sleep(0.05)
        async with http.get(url):
            pass


async def test_a_connection_that_waits_for_its_next_request_is_closed_at_the_end(tmp_path: Path) -> None:
    """Without a notice, too: nobody sends a request to a server that lets nobody in any more."""
    script = Script([chunk("It is true. "), 2.0, b"data: [DONE]\n\n"])
    body = b'{"model":"m","stream":true,"messages":[]}'
    async with FakeModel(script).running() as model:
        with running(tmp_path, upstream=model.url, stop_grace=60.0) as (root, _, server):
            port = int(root.rpartition(":")[2])
            idle_reader, idle = await asyncio.open_connection("127.0.0.1", port)
            idle.write(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert b"200 OK" in await idle_reader.readuntil(b"}")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n"
            writer.write(head % len(body) + body)
            await reader.readuntil(b"It is")
            server.should_exit = True
            assert await idle_reader.read() == b""
            assert b"[DONE]" not in (rest := await reader.readuntil(b"[DONE]"))[:-6]
            assert rest
            for one in (idle, writer):
                one.close()


def test_garbage_is_collected_while_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without open answers looks through all objects by itself."""

    class Cycle:
        def __init__(self) -> None:
            self.me = self

    monkeypatch.setattr("proxy.server.server.TIDY_S", 0.01)
    gc.disable()
    try:
        gc.collect(1)  # there is something to look through
        left = weakref.ref(Cycle())
        with serving(tmp_path, policy="off"):
            eventually(lambda: left() is None)
    finally:
        gc.enable()


def test_a_short_pause_between_answers_is_no_time_for_a_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While clients come again and again no look is taken at all objects; it is taken when they stay away, or is long overdue."""
    real, looks = gc.collect, []
    monkeypatch.setattr("proxy.server.server.TIDY_S", 0.05)
    monkeypatch.setattr("proxy.server.server.gc.collect", lambda: looks.append(real(0)))

    def pass_by(services: Services) -> None:
        with services.permits:
            real(1)
        time.sleep(0.01)

    with serving(tmp_path, policy="off") as (_, services):
        pass_by(services)
        looks.clear()
        for _ in range(50):
            pass_by(services)
        assert looks == []
        eventually(lambda: looks)
        looks.clear()
        monkeypatch.setattr("proxy.server.server.OVERDUE", 0)
        eventually(lambda: pass_by(services) or looks)


async def test_nobody_who_is_served_waits_for_a_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a long text is verified no look is taken at all objects; it is taken when that is over."""
    real, looks = gc.collect, []
    monkeypatch.setattr("proxy.server.server.TIDY_S", 0.01)
    monkeypatch.setattr("proxy.server.server.gc.collect", lambda: looks.append(real(0)))
    verifier = FakeVerifier(delay=0.005)
    with serving(tmp_path, verifier=verifier) as (root, services):
        async with aiohttp.ClientSession() as http:
            asking = asyncio.create_task(
                http.post(f"{root}/guardrail/verify", json={"text": "It is true. " * 2000})
            )
            await until(lambda: verifier.sessions)
            looks.clear()
            real(1)
            await asyncio.sleep(0.3)
            assert looks == []
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await until(lambda: looks and not services.permits.taken)
