"""What the proxy costs: direct against off, observe and hold, in one run, over the same fake model.

    make bench                                  all measures
    python -m eval.bench --seconds 2 --quick    a short look

Each server is a process of its own (`guardrail serve`); the fake model and the client share this one. Reported are added
time to the first token and added total time of streams, sentence verdict lag (from the arrival of a sentence's last byte to
the arrival of its verdict), requests per second, CPU per streamed token, event-loop lag with 50 streams being verified,
memory and start-up time. Figures of one run compare; those of two runs do not.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import aiohttp.web
import click
import orjson

from proxy.demo import samples
from proxy.sse import Decoder, encode

Json = dict[str, object]
PACE = 0.01
TEXT = " ".join(sample.answers[0] for sample in samples() if "\n" not in sample.answers[0])[:1200]
PIECES = [TEXT[at : at + 4] for at in range(0, len(TEXT), 4)]
TICK = os.sysconf("SC_CLK_TCK")
SERVERS = {
    "off": ["--policy", "off"],
    "observe": ["--policy", "annotate"],
    "hold": ["--policy", "attach"],
}


# ── the fake model ────────────────────────────────────────────────────────────────────────────────────


def _chunk(delta: Json, finish: str | None = None) -> bytes:
    head: Json = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    return encode(orjson.dumps({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))


WIRE = [_chunk({"content": piece}) for piece in PIECES]
END = [_chunk({}, "stop"), encode(b"[DONE]")]


async def _complete(request: aiohttp.web.Request) -> aiohttp.web.StreamResponse:
    asked = await request.json()
    if not asked.get("stream"):
        message = {"role": "assistant", "content": TEXT}
        body = {"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        return aiohttp.web.json_response(body)
    response = aiohttp.web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    started, pace = time.perf_counter(), float(asked.get("x_pace", PACE))
    for number, piece in enumerate(WIRE):
        if pace:
            await asyncio.sleep(max(0.0, started + (number + 1) * pace - time.perf_counter()))
        await response.write(piece)
    await response.write(b"".join(END))
    return response


@asynccontextmanager
async def fake_model() -> AsyncIterator[str]:
    from aiohttp import web

    app = web.Application()
    app.router.add_post("/v1/chat/completions", _complete)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


# ── the servers ───────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Target:
    """A base URL and, unless it is the model itself, the process behind it."""

    name: str
    base: str
    process: subprocess.Popen[str] | None = None
    start_s: float = 0.0
    found: dict[str, list[float]] = field(default_factory=dict)

    def add(self, measure: str, *values: float) -> None:
        if values:
            self.found.setdefault(measure, []).extend(values)

    def cpu(self) -> float:
        if self.process is None:
            used = resource.getrusage(resource.RUSAGE_SELF)
            return used.ru_utime + used.ru_stime
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self) -> float:
        if self.process is None:
            return 0.0
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def started(name: str, options: Sequence[str], upstream: str, home: Path) -> Target:
    """`guardrail serve` on a free port; returns when it says where it listens and is ready."""
    command = [sys.executable, "-m", "eval.bench", "serve", "--port", "0", "--upstream", upstream, *options]
    begun = time.perf_counter()
    environment = {**os.environ, "GUARDRAIL_HOME": str(home)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    for line in process.stdout or ():
        if "base_url" in line:
            target = Target(name, line.split()[-1], process)
            _wait_until_ready(target)
            target.start_s = time.perf_counter() - begun
            return target
    raise SystemExit(f"{name} did not start: {' '.join(command)}")


def _wait_until_ready(target: Target) -> None:
    from urllib.error import URLError
    from urllib.request import urlopen

    for _ in range(600):
        try:
            with urlopen(target.base.removesuffix("/v1") + "/readyz") as answer:
                if answer.status == 200:
                    return
        except (URLError, ConnectionError):
            time.sleep(0.01)
    raise SystemExit(f"{target.name} is not ready")


# ── measures ──────────────────────────────────────────────────────────────────────────────────────────

BODY: Json = {"model": "fake", "messages": [{"role": "user", "content": "Tell me what you know."}]}


@dataclass
class Streamed:
    first: float
    total: float
    text: str
    lags: list[float]


async def stream(http: aiohttp.ClientSession, target: Target, *, pace: float = PACE) -> Streamed:
    """One streamed answer; `lags`: for each sentence, verdict minus arrival of its last character."""
    begun = time.perf_counter()
    first, text, lags = 0.0, "", []
    arrivals: list[tuple[int, float]] = []
    decoder = Decoder()
    body = {**BODY, "stream": True, "x_pace": pace}
    async with http.post(f"{target.base}/chat/completions", json=body) as response:
        async for data in response.content.iter_any():
            now = time.perf_counter() - begun
            for event in decoder.decode(data):
                if event.data in (None, b"[DONE]"):
                    continue
                chunk = orjson.loads(event.data or b"{}")
                said = chunk["choices"][0]["delta"].get("content")
                if said:
                    first = first or now
                    text += said
                    arrivals.append((len(text), now))
                if "check_offset" in (told := chunk.get("guardrail", {})):
                    ends = [claim["end"] for claim in told["claims"]]
                    lags += [now - next((at for seen, at in arrivals if seen >= end), now) for end in ends]
    return Streamed(first, time.perf_counter() - begun, text, lags)


async def sequential(http: aiohttp.ClientSession, targets: list[Target], *, rounds: int) -> None:
    """Paced streams and whole answers, one at a time, targets taking turns."""
    for number in range(rounds):
        for target in targets[number % len(targets) :] + targets[: number % len(targets)]:
            one = await stream(http, target)
            if not one.text.startswith(TEXT) and target.name != "hold":
                target.add("errors", 1)
            target.add("ttft_ms", one.first * 1e3)
            target.add("total_ms", one.total * 1e3)
            target.add("lag_ms", *(lag * 1e3 for lag in one.lags))


async def whole(http: aiohttp.ClientSession, target: Target, *, connections: int, seconds: float) -> None:
    """Closed loop of whole answers."""
    ends, done = time.perf_counter() + seconds, 0
    cpu, begun = target.cpu(), time.perf_counter()

    async def ask() -> None:
        nonlocal done
        while time.perf_counter() < ends:
            asked = time.perf_counter()
            async with http.post(f"{target.base}/chat/completions", json=BODY) as response:
                await response.read()
            target.add(f"whole_{connections}_ms", (time.perf_counter() - asked) * 1e3)
            done += 1

    await asyncio.gather(*(ask() for _ in range(connections)))
    target.add(f"rps_{connections}", done / (time.perf_counter() - begun))
    target.add(f"cpu_{connections}_ms", (target.cpu() - cpu) / done * 1e3)


async def crowd(http: aiohttp.ClientSession, target: Target, *, streams: int, pace: float) -> None:
    """Many paced streams at a time; CPU per token of the server's process."""
    cpu = target.cpu()
    found = await asyncio.gather(*(stream(http, target, pace=pace) for _ in range(streams)))
    target.add(f"cpu_token_us_{streams}", (target.cpu() - cpu) / (streams * len(PIECES)) * 1e6)
    target.add(f"crowd_{streams}_lag_ms", *(lag * 1e3 for one in found for lag in one.lags))
    target.add(f"rss_mib_{streams}", target.memory())


def row(target: Target, direct: Target) -> Json:
    """A target's figures; those of `direct` are taken off where a cost was added to it."""

    def middle(name: str) -> float:
        return statistics.median(target.found.get(name, [float("nan")]))

    def tail(name: str) -> float:
        values = sorted(target.found.get(name, []))
        return values[min(len(values) - 1, int(len(values) * 0.99))] if values else float("nan")

    base = {name: statistics.median(values) for name, values in direct.found.items() if values}
    shown: Json = {"start_s": target.start_s, "rss_mib": target.memory()}
    for name in ("ttft_ms", "total_ms"):
        shown[f"added_{name}"] = middle(name) - base[name]
    for name in [n for n in target.found if "lag" in n]:
        shown |= {f"{name}_p50": middle(name), f"{name}_p99": tail(name)}
    for name in [n for n in target.found if n.startswith(("rps", "cpu", "rss_mib_", "whole", "errors"))]:
        shown[name] = middle(name)
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in shown.items()}


async def run(*, rounds: int, seconds: float, streams: int) -> dict[str, Json]:
    with tempfile.TemporaryDirectory() as folder:
        async with fake_model() as upstream:
            direct = Target("direct", upstream)
            targets = [direct, *(started(n, o, upstream, Path(folder)) for n, o in SERVERS.items())]
            connector = aiohttp.TCPConnector(limit=0)
            try:
                async with aiohttp.ClientSession(connector=connector, read_bufsize=2**20) as http:
                    for target in targets:
                        await stream(http, target, pace=0.0)
                    await sequential(http, targets, rounds=rounds)
                    for target in targets:
                        for connections in (1, 8, 64):
                            await whole(http, target, connections=connections, seconds=seconds)
                        await crowd(http, target, streams=streams, pace=0.05)
                shown = {target.name: row(target, direct) for target in targets}
            finally:
                lags = {target.name: ended(target) for target in targets if target.process}
    for name, lag in lags.items():
        shown[name] |= lag
    return shown


# ── the server's side ─────────────────────────────────────────────────────────────────────────────────


def ended(target: Target) -> Json:
    """Stops a server; what its lag probe saw is the last line it prints."""
    if target.process is None:
        return {}
    target.process.terminate()
    rest = target.process.communicate(timeout=30)[0].strip().splitlines()
    found: Json = json.loads(rest[-1]) if rest and rest[-1].startswith("{") else {}
    return found


def serve_with_probe(options: Sequence[str]) -> None:
    """`guardrail serve`, and beside it a task that measures how late the event loop wakes it."""
    from proxy import cli, server

    lags: list[float] = []

    async def probe() -> None:
        while True:
            asked = time.perf_counter()
            await asyncio.sleep(0.005)
            lags.append(time.perf_counter() - asked - 0.005)

    class Probed(server.Server):
        async def startup(self, *args: object, **more: object) -> None:
            self.probe = asyncio.create_task(probe())
            await super().startup(*args, **more)  # type: ignore[arg-type]

        async def shutdown(self, *args: object, **more: object) -> None:
            await super().shutdown(*args, **more)  # type: ignore[arg-type]
            lags.sort()
            at = {"p50": len(lags) // 2, "p99": int(len(lags) * 0.99)}
            # Here and not at the end of the program: uvicorn passes the signal on that ended it.
            print(
                json.dumps({f"loop_lag_ms_{name}": round(lags[i] * 1e3, 2) for name, i in at.items()}),
                flush=True,
            )

    server.Server = Probed  # type: ignore[misc]
    cli.serve.main(args=list(options), standalone_mode=False)


@click.command()
@click.option("--rounds", default=15, show_default=True, help="Sequential streams for each target.")
@click.option("--seconds", default=4.0, show_default=True, help="For each load of whole answers.")
@click.option("--streams", default=50, show_default=True, help="At a time, for loop lag and CPU per token.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures there too.")
def main(rounds: int, seconds: float, streams: int, file: Path | None) -> None:
    """Measure the proxy against going to the same model directly."""
    found = asyncio.run(run(rounds=rounds, seconds=seconds, streams=streams))
    names = list(dict.fromkeys(name for one in found.values() for name in one))
    print("| measure |" + "".join(f" {target} |" for target in found))
    print("|---|" + "---|" * len(found))
    for name in names:
        print(f"| {name} |" + "".join(f" {one.get(name, '')} |" for one in found.values()))
    if file:
        file.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve_with_probe(sys.argv[2:])
    else:
        main()
