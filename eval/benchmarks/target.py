"""A server under measurement: its process tree, what it costs, and how it is asked.

python -m eval.benchmarks.target OPTIONS…     `guardrail serve` with a probe of its event loop's lag
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from eval.benchmarks.wire import Connection, Json, Reply

TICK = os.sysconf("SC_CLK_TCK")
START_S = 120
PROBE_S = 0.01  # between two looks at the loop's lag: each costs the loop as much as a few words
QUESTION = "How long does the moon take to orbit the Earth? " * 4


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Target:
    """`base`: with /v1. `found`: the figures so far, by measure; `errors`: what went wrong, by kind."""

    name: str
    base: str
    command: Sequence[str] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None
    found: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)

    def add(self, measure: str, *values: float) -> None:
        if values:
            self.found.setdefault(measure, []).extend(values)

    def wrong(self, what: str) -> None:
        self.errors[what] = self.errors.get(what, 0) + 1

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────

    def request(self, model: str, *, stream: bool) -> bytes:
        """A whole chat completion request as bytes."""
        asked: Json = {"model": model, "messages": [{"role": "user", "content": QUESTION}]}
        if stream:
            asked |= {"stream": True, "stream_options": {"include_usage": True}}
        body = json.dumps(asked).encode()
        place = urlsplit(self.base)
        headers = {
            "host": place.netloc,
            "content-type": "application/json",
            "accept-encoding": "identity",
            "authorization": "Bearer sk-none",
            "content-length": str(len(body)),
            **self.headers,
        }
        lines = [f"POST {place.path}/chat/completions HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    async def connect(self) -> Connection:
        place = urlsplit(self.base)
        host, port = place.hostname or "", place.port or 80
        _, made = await asyncio.get_running_loop().create_connection(Connection, host, port)
        return made

    async def ask(self, connection: Connection | None, raw: bytes) -> tuple[Connection | None, Reply | None]:
        """On `connection`, or a fresh one where the server closed it; no reply when it failed, which is counted."""
        try:
            if connection is None or connection.transport.is_closing():
                connection = await self.connect()
            reply = await connection.ask(raw)
        except (OSError, TimeoutError) as error:
            self.wrong(type(error).__name__)
            if connection is not None:
                connection.transport.close()
            return None, None
        if reply.status != 200:
            self.wrong(f"status {reply.status}")
            return connection, None
        if b'data: {"error"' in reply.body:
            self.wrong("error event")
            return connection, None
        return connection, reply

    # ── the process ───────────────────────────────────────────────────────────────────────────────────

    async def start(self, core: set[int]) -> None:
        """Until the first 200; all of it is pinned to `core`. Raises RuntimeError."""
        begun = time.perf_counter()
        self.process = process = self._spawn(core)
        while time.perf_counter() - begun < START_S:
            if process.poll() is not None:
                raise RuntimeError(f"ended with {process.returncode} before it answered")
            connection, reply = await self.ask(None, self.request("fake-fast", stream=False))
            if connection is not None:
                connection.transport.close()
            if reply is not None:
                self.errors.clear()
                self.add("start_s", time.perf_counter() - begun)
                return
            await asyncio.sleep(0.05)
        raise RuntimeError(f"no 200 within {START_S} s: {self.errors}")

    def _spawn(self, core: set[int]) -> subprocess.Popen[str]:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, core)  # children inherit it
        try:
            return subprocess.Popen(
                list(self.command),
                env={**os.environ, **self.environment},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
        finally:
            os.sched_setaffinity(0, before)

    def stop(self) -> Json:
        """Ends the process; what a server of ours printed last, its loop's lag, comes back."""
        if self.process is None:
            return {}
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            said = self.process.communicate(timeout=20)[0].strip().splitlines()
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            said = []
        self.process = None
        found: Json = json.loads(said[-1]) if said and said[-1].startswith("{") else {}
        return found

    def cpu(self, *, loop_only: bool = False, server_only: bool = False) -> float:
        """Seconds of the process tree; `loop_only`: of the first thread, which runs the event loop; `server_only`: of the
        first process.
        """
        if self.process is None:
            return 0.0
        root = self.process.pid
        if loop_only:
            paths = [Path(f"/proc/{root}/task/{root}/stat")]
        else:
            paths = [Path(f"/proc/{pid}/stat") for pid in ([root] if server_only else _family(root))]
        return sum(int(fields[11]) + int(fields[12]) for fields in map(_fields, paths) if fields) / TICK

    def memory(self) -> float:
        """Resident MiB of the process tree."""
        total = 0
        for pid in _family(self.process.pid) if self.process else ():
            with suppress(OSError):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        return total / 1024

    def processes(self) -> list[float]:
        """MiB of each process of the tree, largest first; what several of them share counts in parts (PSS)."""
        found = []
        for pid in _family(self.process.pid) if self.process else ():
            with suppress(OSError):
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                found.append(sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024)
        return sorted(found, reverse=True)


def _fields(path: Path) -> list[str]:
    try:
        return path.read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


def _family(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        if fields := _fields(path):
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, todo = [], [root]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def serve_with_probe(options: Sequence[str]) -> None:
    """`guardrail serve`, and beside it a task that measures how late the event loop wakes it."""
    from proxy import cli
    from proxy.server import server

    lags: list[float] = []

    async def probe() -> None:
        while True:
            asked = time.perf_counter()
            await asyncio.sleep(PROBE_S)
            lags.append(time.perf_counter() - asked - PROBE_S)

    class Probed(server.Server):
        async def startup(self, *args: object, **more: object) -> None:
            self.probe = asyncio.create_task(probe())
            await super().startup(*args, **more)  # type: ignore[arg-type]

        async def shutdown(self, *args: object, **more: object) -> None:
            await super().shutdown(*args, **more)  # type: ignore[arg-type]
            lags.sort()
            at = {"p50": len(lags) // 2, "p99": int(len(lags) * 0.99)}
            # Here and not at the end of the program: uvicorn passes the signal on that ended it.
            told = {f"loop_lag_{name}_ms": round(lags[i] * 1e3, 2) for name, i in at.items()}
            print(json.dumps(told), flush=True)

    server.Server = Probed  # type: ignore[misc]
    cli.serve.main(args=list(options), standalone_mode=False)


if __name__ == "__main__":
    serve_with_probe(sys.argv[1:])
