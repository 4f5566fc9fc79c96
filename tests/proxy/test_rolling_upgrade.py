"""Two real servers behind a real balancer are replaced one after the other while clients read streams and ask."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import orjson

from tests import haproxy
from tests.fakes import FakeModel, Request, Script, chunk, completion
from tests.proxy.streams import text_of

ROOT = Path(__file__).parents[2]
TEXT = "It is true. " * 10  # a stream lasts twelve seconds: longer than the ten that a server gives by itself
PATIENCE_S = 120
STREAMS = 6


def said(request: Request) -> Script:
    if request.json.get("stream"):
        pieces = [chunk(word + " ") for word in TEXT.split()]
        slow = [piece for word in pieces for piece in (word, 0.4)]
        return Script([*slow, chunk(finish="stop"), b"data: [DONE]\n\n"])
    return Script([completion("It is true.")], headers=(("content-type", "application/json"),))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@dataclass
class Machine:
    """One server that always has the same address."""

    home: Path
    upstream: str
    knowledge: Path
    port: int = field(default_factory=free_port)
    process: asyncio.subprocess.Process | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        self.home.mkdir(exist_ok=True)
        code = "from guardrail.cli.main import main; main()"
        options = {
            "--port": self.port,
            "--upstream": self.upstream,
            "--knowledge": self.knowledge,
            "--audit": self.home / "audit.db",
            "--stop-after": 4,
            "--stop-grace": 60,
            "--trusted-proxies": "127.0.0.1",
        }
        given = [str(part) for pair in options.items() for part in pair]
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", code, "serve", *given),
            env={**os.environ, "GUARDRAIL_HOME": str(self.home), "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
        assert b"guardrail checks" in line

    async def end(self) -> None:
        """At once, however far it is."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def stop(self) -> int:
        """Its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), PATIENCE_S)

    async def active(self, http: aiohttp.ClientSession) -> int:
        """How many answers it is giving."""
        async with http.get(f"http://{self.address}/metrics") as answer:
            found = re.search(r"^guardrail_answers_active\S* (\d+)", await answer.text(), re.MULTILINE)
        return int(found[1]) if found else 0

    async def ready(self, http: aiohttp.ClientSession) -> int:
        async with http.get(f"http://{self.address}/readyz") as answer:
            return answer.status


@dataclass
class Load:
    """Clients that ask without a pause until `enough`; what went wrong is in `wrong`."""

    root: str
    http: aiohttp.ClientSession
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    wrong: list[str] = field(default_factory=list)
    streams: int = 0
    answers: int = 0

    async def ask(self, *, stream: bool) -> None:
        body = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": "Is it?"}]}
        try:
            async with self.http.post(f"{self.root}/v1/chat/completions", json=body) as answer:
                got = await answer.read()
                self.judge(answer.status, got, stream=stream)
        except aiohttp.ClientError as error:
            self.wrong.append(repr(error))

    def judge(self, status: int, got: bytes, *, stream: bool) -> None:
        if status != 200:
            self.wrong.append(f"{status} {got[:200]!r}")
        elif stream and (text_of(got).strip() != TEXT.strip() or not got.rstrip().endswith(b"[DONE]")):
            self.wrong.append(f"cut: {got[-300:]!r}")
        elif not stream and "error" in orjson.loads(got):
            self.wrong.append(f"an error: {got[:200]!r}")
        elif stream:
            self.streams += 1
        else:
            self.answers += 1

    async def go_on(self, *, stream: bool) -> None:
        while not self.enough.is_set():
            await self.ask(stream=stream)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await holds():  # noqa: ASYNC110 - it is asked of another process
            await asyncio.sleep(0.1)


async def replaced(machine: Machine, http: aiohttp.ClientSession) -> None:
    """Ends it while it gives streams, and starts another one in its place, which gets its share."""

    async def busy() -> bool:
        return await machine.active(http) > 0

    await until(busy)
    assert await machine.ready(http) == 200
    assert machine.process is not None
    before = machine.process.pid
    stopping = asyncio.create_task(machine.stop())
    await asyncio.sleep(1)
    assert await machine.ready(http) == 503
    assert await stopping == -signal.SIGTERM  # at the end of its own end
    await machine.start()
    assert machine.process.pid != before
    await until(busy)


async def test_no_stream_is_cut_and_no_request_is_refused(tmp_path: Path, knowledge: Path) -> None:
    """Every stream comes whole and every answer is a 200 while both servers behind HAProxy are replaced."""
    haproxy.binary()
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(FakeModel(said).running())
        machines = [Machine(tmp_path / name, model.url, knowledge) for name in ("a", "b")]
        for machine in machines:
            stack.push_async_callback(machine.end)
        await asyncio.gather(*(machine.start() for machine in machines))
        a, b = (machine.address for machine in machines)
        root = stack.enter_context(haproxy.running(a, b, tmp_path / "haproxy.log"))
        http = await stack.enter_async_context(aiohttp.ClientSession())
        load = Load(root, http)

        async def served() -> bool:
            async with http.post(f"{root}/guardrail/verify", json={"text": "It is."}) as answer:
                return answer.status == 200

        await until(served)
        clients = [asyncio.create_task(load.go_on(stream=True)) for _ in range(STREAMS)]
        clients += [asyncio.create_task(load.go_on(stream=False)) for _ in range(2)]
        try:
            for machine in machines:
                await replaced(machine, http)
        finally:
            load.enough.set()
            await asyncio.gather(*clients)
        async with http.get(f"{root}/metrics") as answer:
            assert answer.status == 404
    assert load.wrong == []
    assert load.streams >= STREAMS * 2
    assert load.answers > 200
