"""Several processes behind one port are one server to whoever asks, whichever of them dies."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from guardrail.audit.store import AuditLog
from proxy.server.processes import divided
from proxy.settings import Settings
from tests.waiting import eventually

ROOT = Path(__file__).parents[3]
ASK = {"model": "demo", "messages": [{"role": "user", "content": "What is the capital of Australia?"}]}
PATIENCE_S = 120


@contextmanager
def running(home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process that leads, and the root URL (empty where it could not start)."""
    command = [sys.executable, "-m", "tests.proxy.several", str(home)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as leader:
        port = leader.stdout.readline().strip()  # type: ignore[union-attr]
        try:
            yield leader, f"http://127.0.0.1:{port}" if port else ""
        finally:
            leader.terminate()
            leader.communicate(timeout=PATIENCE_S)


def children(leader: subprocess.Popen[str]) -> list[int]:
    """The processes that serve."""
    found = [int(pid) for pid in Path(f"/proc/{leader.pid}/task/{leader.pid}/children").read_text().split()]
    return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def ask(root: str) -> str:
    """One answer over a connection of its own; its id."""
    async with aiohttp.ClientSession() as http, http.post(f"{root}/v1/chat/completions", json=ASK) as answer:
        assert answer.status == 200
        assert (await answer.json())["choices"]
        return answer.headers["x-guardrail-id"]


async def read(root: str, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as http, http.get(root + path) as answer:
        return answer.status, await answer.text()


async def answered(root: str) -> dict[str, int]:
    """How many answers each process says that it gave."""
    _, text = await read(root, "/metrics")
    assert text.count("# TYPE guardrail_answers_total counter") == 1
    counts: dict[str, int] = {}
    for number, value in re.findall(r'guardrail_answers_total\{.*process="(\d)"\} (\d+)', text):
        counts[number] = counts.get(number, 0) + int(value)
    return counts


async def test_two_processes_are_one_server(tmp_path: Path) -> None:
    """Both answer; metrics are those of both, a report is found whoever is asked, and the log is one chain."""
    with running(tmp_path) as (_, root):
        identifiers = [await ask(root) for _ in range(30)]
        counts = await answered(root)
        assert (sum(counts.values()), set(counts)) == (30, {"0", "1"})
        for identifier in identifiers:
            status, report = await read(root, f"/guardrail/reports/{identifier}")
            assert (status, identifier in report) == (200, True)
        for unknown in ("grd_0000", "..%2f0", "x%0Ametrics"):
            assert (await read(root, f"/guardrail/reports/{unknown}"))[0] == 404
    log = AuditLog.open(str(tmp_path / "audit.db"))
    assert {stored.id for stored in log.list()} == set(identifiers)
    log.close()


async def test_a_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """The others go on, a connection that waits is served, and a new one takes its place."""
    with running(tmp_path) as (leader, root):
        first, second = children(leader)
        os.kill(first, signal.SIGKILL)
        for _ in range(5):
            await ask(root)
        eventually(lambda: len(children(leader)) == 2 and first not in children(leader), seconds=PATIENCE_S)
        os.kill(second, signal.SIGKILL)
        await ask(root)  # by the new one, when it is there
        eventually(lambda: len(children(leader)) == 2 and second not in children(leader), seconds=PATIENCE_S)
        leader.terminate()
        _, said = leader.communicate(timeout=PATIENCE_S)
    assert leader.returncode == 0
    assert said.count("died (exit code -9); a new one is started") == 2


async def test_while_open_answers_end_a_connection_is_refused(tmp_path: Path) -> None:
    """Nobody is left to wait at a port where no process takes connections any more."""
    with running(tmp_path) as (leader, root):
        address = ("127.0.0.1", int(root.rpartition(":")[2]))
        async with (
            aiohttp.ClientSession() as http,
            http.post(f"{root}/v1/chat/completions", json=ASK | {"stream": True}) as answer,
        ):
            assert await answer.content.readany()
            leader.terminate()
            refused = False
            while not refused and leader.poll() is None:
                with socket.socket() as probe:
                    refused = probe.connect_ex(address) != 0
                await asyncio.sleep(0.01)
            assert leader.poll() is None
            await answer.content.read()
        leader.wait(PATIENCE_S)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_all_end_together(tmp_path: Path, how: signal.Signals) -> None:
    """A signal to the one that leads, or its death, ends all: open streams are on record, the port is free."""
    with running(tmp_path) as (leader, root):
        serving = children(leader)
        asked = ASK | {"stream": True}
        async with (
            aiohttp.ClientSession() as http,
            http.post(f"{root}/v1/chat/completions", json=asked) as answer,
        ):
            identifier = answer.headers["x-guardrail-id"]
            assert await answer.content.readany()
            leader.send_signal(how)
            await answer.content.read()  # the stream is ended, not cut
        leader.wait(PATIENCE_S)
        eventually(lambda: not any(map(alive, serving)), seconds=PATIENCE_S)
        assert leader.returncode == (0 if how is not signal.SIGKILL else -signal.SIGKILL)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(root.rpartition(":")[2]))) != 0
    log = AuditLog.open(str(tmp_path / "audit.db"))
    assert [stored.id for stored in log.list()] == [identifier]
    log.close()


def test_one_that_cannot_start_ends_all(tmp_path: Path) -> None:
    """Nobody is served by half of what was asked for, and the reason is told."""
    (tmp_path / "unfit").touch()
    with running(tmp_path) as (leader, root):
        _, said = leader.communicate(timeout=PATIENCE_S)
    assert (root, leader.returncode) == ("", 2)
    assert "this process cannot start" in said


def test_several_processes_hold_what_one_would(tmp_path: Path) -> None:
    """Bounds on what is held at a time are divided."""
    parted = divided(Settings(processes=3, max_answers=100, max_held=10), tmp_path)
    assert (parted.max_answers, parted.max_held, parted.process) == (34, 4, (tmp_path, 0))
