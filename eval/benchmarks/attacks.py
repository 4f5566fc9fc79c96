"""Requests and answers that are made to stop the server: how long /healthz waits meanwhile, and what becomes of a good answer.

    python -m eval.benchmarks.attacks                 all, in about six minutes
    python -m eval.benchmarks.attacks attach bomb     those with such a word in their name

The server is `guardrail serve` with the real verifier, in a process of its own; so is the probe, which asks for /healthz every
20 ms on a kept connection. A model's server, scripted, and the attackers share the third process. Beside each attack somebody
asks for a short good answer under `block`.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

import orjson

from eval.benchmarks.target import Target, free_port
from proxy.demo import samples

Json = dict[str, object]
EVERY_S = 0.02
LONGEST_S = 60.0
HELD_S = 15.0  # an answer that is held is read no faster than it is judged: 295 kB take two minutes
IDLE_S, SETTLE_S = 3.0, 1.5
BAR_MS, FROZEN_MS, PATIENCE_S = 50.0, 300.0, 10.0
GOOD = "Canberra is the capital of Australia."
SAID = [one.answers[0] for one in samples() if "\n" not in one.answers[0]]
KB, MB = 1_000, 1_000_000


def prose(size: int) -> str:
    """About `size` characters, some of them false, no two sentences the same."""
    parts, length = list[str](), 0
    while length < size:
        parts.append(f"{SAID[len(parts) % len(SAID)]} It was told {len(parts)} times.")
        length += len(parts[-1]) + 1
    return " ".join(parts)


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────


def _event(delta: Json, finish: str | None = None) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    head: Json = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return b"data: %s\n\n" % orjson.dumps({**head, "choices": choices})


def streamed(text: str, size: int) -> bytes:
    """In events of `size` characters."""
    said = [_event({"content": text[at : at + size]}) for at in range(0, len(text), size)]
    return b"".join([*said, _event({}, "stop"), b"data: [DONE]\n\n"])


def whole(text: str) -> bytes:
    choices = [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
    head: Json = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    return orjson.dumps({**head, "choices": choices})


def _bomb() -> bytes:
    return gzip.compress(b'{"choices":[' + b" " * 500 * MB, 6)


# What each model answers: how its body is made, once, and the header fields that go with it.
MODELS: dict[str, tuple[Callable[[], bytes], str]] = {
    "good": (lambda: whole(GOOD), "content-type: application/json"),
    "fake-fast": (lambda: whole(GOOD), "content-type: application/json"),  # which `Target.start` asks
    "long": (lambda: streamed(prose(295 * KB), 40), "content-type: text/event-stream"),
    "long-whole": (lambda: whole(prose(295 * KB)), "content-type: application/json"),
    "mega": (lambda: streamed(prose(MB), 400), "content-type: text/event-stream"),
    "event": (lambda: streamed(prose(200 * KB), MB), "content-type: text/event-stream"),
    "bomb": (_bomb, "content-type: application/json\r\ncontent-encoding: gzip"),
}


@asynccontextmanager
async def model(answer: Callable[[str], tuple[bytes, str]]) -> AsyncIterator[int]:
    """The port of a server that answers as fast as it can; `answer`: a model's name → its body and the header fields with it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].split(maxsplit=1)[0])
            body, kind = answer(str(orjson.loads(await reader.readexactly(length))["model"]))
            writer.write(f"HTTP/1.1 200 OK\r\n{kind}\r\ncontent-length: {len(body)}\r\n".encode())
            writer.write(b"connection: close\r\n\r\n" + body)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@asynccontextmanager
async def served(answer: Callable[[str], tuple[bytes, str]]) -> AsyncIterator[tuple[Target, int]]:
    """`guardrail serve` before such a model, in a process of its own, and its port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        async with model(answer) as upstream:
            options = ["--port", str(port), "--upstream", f"http://127.0.0.1:{upstream}/v1"]
            command = [sys.executable, "-m", "eval.benchmarks.target", *options]
            home = {"GUARDRAIL_HOME": folder}
            target = Target("", f"http://127.0.0.1:{port}/v1", command, environment=home)
            try:
                await target.start(os.sched_getaffinity(0))
                yield target, port
            finally:
                target.stop()


# ── the attackers ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Attack:
    """`requests`: all of them at once, as bytes. `patience_s`: after so many seconds the attacker hangs up."""

    name: str
    requests: Callable[[], Sequence[bytes]]
    patience_s: float = LONGEST_S


def post(path: str, body: bytes, *headers: str, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    lines = [f"POST {path} HTTP/1.1", "host: 127.0.0.1", "connection: close", f"content-length: {size}"]
    return "\r\n".join([*lines, "content-type: application/json", *headers, "", ""]).encode() + body


def _asks(name: str, policy: str, *, said: str = "?", role: str = "user", stream: bool = True) -> list[bytes]:
    """One request for an answer of the model `name`."""
    messages = [{"role": role, "content": said}]
    body = orjson.dumps({"model": name, "stream": stream, "messages": messages})
    return [post("/v1/chat/completions", body, f"x-guardrail-policy: {policy}")]


def verify(size: int) -> bytes:
    return post("/guardrail/verify", orjson.dumps({"text": prose(size)}))


def lines() -> bytes:
    body = b"\n".join(orjson.dumps({"text": one}) for one in (SAID * 500)[:500])
    return post("/guardrail/verify", body).replace(b"application/json", b"application/x-ndjson")


PROMPTS = {
    "blanks in a title": ("user", "<document><title>" + " " * 4_000 + "</document>"),
    "titles": ("user", "<document><title>" * 20_000),
    "contents": ("user", "<content>" * 20_000),
    "fences": ("system", "```a\n" * 20_000),
    "rising fences": ("user", "".join("`" * number + "a\n" for number in range(3, 600))),
    "a title of blanks": ("tool", "source 1 (title:" + " " * 50_000),
}
POLICIES = ("annotate", "attach", "revise", "block")


def attacks() -> list[Attack]:
    found = [
        Attack(f"prompt: {name}", partial(_asks, "good", "block", said=text, role=role, stream=False))
        for name, (role, text) in PROMPTS.items()
    ]
    for policy in POLICIES:
        found.append(Attack(f"295 kB streamed, {policy}", partial(_asks, "long", policy), HELD_S))
        found.append(Attack(f"295 kB whole, {policy}", partial(_asks, "long-whole", policy, stream=False)))
    unfinished = post("/v1/chat/completions", b" " * (4 * MB), length=19 * MB)
    return [
        *found,
        Attack("200 kB in one event, attach", partial(_asks, "event", "attach")),
        Attack("ten streams of 1 MB, revise", lambda: _asks("mega", "revise") * 10, 40.0),
        Attack("verify 100 kB", lambda: [verify(100 * KB)]),
        Attack("verify 190 kB", lambda: [verify(190 * KB)]),
        Attack("verify 500 lines", lambda: [lines()]),
        Attack("gzip bomb of 500 MB", partial(_asks, "bomb", "block", stream=False)),
        Attack("40 unfinished bodies of 19 MB", lambda: [unfinished] * 40, patience_s=6.0),
    ]


async def fetch(port: int, raw: bytes, *, keep: int = 65_536) -> tuple[int, bytes]:
    """All that comes until it ends or nobody waits any longer: how many bytes, and the first of them, about `keep`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MB)
    size, begin = 0, b""
    try:
        writer.write(raw)
        while data := await reader.read(MB):
            size, begin = size + len(data), begin if len(begin) > keep else begin + data
    except OSError:
        pass  # the server closes on who sends too much
    finally:
        writer.close()
    return size, begin


async def attacker(port: int, attack: Attack) -> tuple[float, int]:
    """Seconds until all was answered, or nan when it was not, and how many bytes came."""
    began = time.monotonic()
    sizes: list[int] = []

    async def one(raw: bytes) -> None:
        sizes.append((await fetch(port, raw))[0])

    try:
        async with asyncio.timeout(attack.patience_s), asyncio.TaskGroup() as group:
            for raw in attack.requests():
                group.create_task(one(raw))
    except TimeoutError:
        return float("nan"), sum(sizes)
    return time.monotonic() - began, sum(sizes)


# ── the measurement ───────────────────────────────────────────────────────────────────────────────────


def probe(port: int) -> None:
    """Asks for /healthz until its input is closed, then prints what each answer took, in ms."""
    import select

    found = []
    with socket.create_connection(("127.0.0.1", port)) as asking:
        asking.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        print("ready", flush=True)
        while not select.select([sys.stdin], [], [], EVERY_S)[0]:
            began = time.perf_counter()
            asking.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            told = b""
            while b'"ok"' not in told:
                if not (more := asking.recv(65_536)):
                    raise ConnectionError("the server closed the connection")
                told += more
            found.append((time.perf_counter() - began) * 1e3)
    print(json.dumps(found), flush=True)


@dataclass(frozen=True)
class Row:
    """`good_s`: seconds of the good answer; `shown`: it was not withheld. Memory: before, at most, and when all is over."""

    name: str
    waited_ms: list[float]
    took_s: float
    size: int
    good_s: float
    shown: bool
    mib: tuple[float, float, float]

    def at(self, share: float) -> float:
        return sorted(self.waited_ms)[min(len(self.waited_ms) - 1, int(len(self.waited_ms) * share))]

    @property
    def met(self) -> bool:
        calm = self.at(0.99) <= BAR_MS and self.at(1.0) <= FROZEN_MS
        return calm and self.shown and self.good_s <= PATIENCE_S

    def __str__(self) -> str:
        took = "hung up" if self.took_s != self.took_s else f"{self.took_s:.1f}"
        good = f"{self.good_s:.2f}" if self.shown else "withheld"
        figures = " | ".join(f"{self.at(share):.1f}" for share in (0.5, 0.99, 1.0))
        memory = " → ".join(f"{one:.0f}" for one in self.mib)
        told = "met" if self.met else "missed"
        return f"| {self.name} | {figures} | {took} | {self.size / MB:.1f} | {good} | {memory} | {told} |"


async def good(port: int) -> tuple[float, bool]:
    """Seconds until the good answer is there, and whether it is shown."""
    await asyncio.sleep(0.2)  # the attack is under way
    began = time.monotonic()
    try:
        async with asyncio.timeout(LONGEST_S):
            _, told = await fetch(port, _asks("good", "block", stream=False)[0])
    except TimeoutError:
        told = b""
    return time.monotonic() - began, b'"content":"' + GOOD.encode() in told


async def largest(target: Target) -> float:
    """MiB that the server has at most until this is cancelled."""
    most = 0.0
    with suppress(asyncio.CancelledError):
        while True:
            most = max(most, target.memory())
            await asyncio.sleep(0.2)
    return most


@asynccontextmanager
async def probing(port: int) -> AsyncIterator[list[float]]:
    """Somebody else asks for /healthz meanwhile; at the end the list holds what each answer took, in ms."""
    waited: list[float] = []
    command = [sys.executable, "-m", "eval.benchmarks.attacks", "probe", str(port)]
    asking = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=16 * MB
    )
    assert asking.stdin is not None
    assert asking.stdout is not None
    await asking.stdout.readline()
    yield waited
    asking.stdin.close()
    waited += json.loads(await asking.stdout.readline())
    await asking.wait()


async def measured(target: Target, port: int, name: str, attack: Attack | None) -> Row:
    before = target.memory()
    async with probing(port) as waited:
        watching = asyncio.create_task(largest(target))
        if attack is None:
            (good_s, shown), (took, size) = await good(port), (0.0, 0)
            await asyncio.sleep(IDLE_S)
        else:
            (good_s, shown), (took, size) = await asyncio.gather(good(port), attacker(port, attack))
        await asyncio.sleep(SETTLE_S)  # what an attacker who left had begun is put on record
        watching.cancel()
        memory = before, await watching, target.memory()
    return Row(name, waited, took, size, good_s, shown, memory)


async def measure(words: Sequence[str]) -> int:
    """Prints a row for each attack; 1 when a bar is missed."""
    made = {name: (make(), kind) for name, (make, kind) in MODELS.items()}
    missed = 0
    async with served(made.__getitem__) as (target, port):
        print("| attack | /healthz p50, ms | p99 | max | answered after, s | MB | good answer, s | MiB | |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
        for name, attack in [("none", None), *((one.name, one) for one in attacks())]:
            if attack is None or not words or any(word in name for word in words):
                row = await measured(target, port, name, attack)
                missed += not row.met
                print(row, flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["probe"]:
        probe(int(sys.argv[2]))
    else:
        sys.exit(asyncio.run(measure(sys.argv[1:])))
