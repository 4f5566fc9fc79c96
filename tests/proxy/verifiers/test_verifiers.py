"""Answers that other processes check are checked as in this one, whichever of those processes dies."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from guardrail.errors import ConfigError
from guardrail.segment import segment
from guardrail.telemetry import names
from guardrail.types import NotChecked, Unchecked
from guardrail.verifier import Verifier
from proxy.services import Services
from proxy.settings import Settings
from proxy.verifiers.session import RemoteSession
from proxy.verifiers.verifiers import Verifiers
from tests.fakes import DONE, FakeModel, FakeVerifier, Request, Script, chunk, completion, spoken
from tests.proxy.servers import serving
from tests.proxy.streams import reports_of, text_of
from tests.proxy.verifiers.checkers import PATIENCE_S, made, processes
from tests.waiting import eventually, until

ROOT = Path(__file__).parents[3]
ASK = {"model": "m", "messages": [{"role": "user", "content": "What?"}]}
TEXT = "This is true. This is wrong. Is it? Nobody knows. It is true again."
REAL = "The capital of Australia is Sydney. It is a large country. Marie Curie was born in Paris in 1867."


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def spawned(parent: int) -> list[int]:
    """The processes that multiprocessing started in `parent` and that are alive."""
    children = Path(f"/proc/{parent}/task").glob("*/children")
    pids = [int(pid) for one in children for pid in one.read_text().split()]
    return [pid for pid in pids if alive(pid) and b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


async def asked(root: str, *, stream: bool) -> bytes:
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{root}/v1/chat/completions", json=ASK | {"stream": stream}) as answer,
    ):
        assert answer.status == 200
        return await answer.read()


async def read(root: str, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as http, http.get(root + path) as answer:
        return answer.status, await answer.text()


def same(wire: bytes) -> bytes:
    """The bytes without what differs between any two answers: ids, times, and how far the check had come at an event."""
    wire = re.sub(rb"grd_[0-9a-f]{24}", b"ID", wire)
    wire = re.sub(rb'"check_offset":\d+', b'"check_offset":0', wire)
    return re.sub(rb'"timing_ms":\{[^}]*\}', b'"timing_ms":{}', wire)


@contextmanager
def checked_by(count: int, home: Path, *, threads: int = 1) -> Iterator[Verifiers]:
    verifiers = Verifiers(count, made(home), threads=threads)
    try:
        verifiers.wait()
        yield verifiers
    finally:
        verifiers.close()


@pytest.mark.parametrize("policy", ["annotate", "revise", "block"])
async def test_answers_are_the_same_whoever_checks(tmp_path: Path, policy: str) -> None:
    """With none, one and two processes beside the server's: to the byte, but for streams under `annotate`, where it is a matter
    of time beside which words a verdict comes; they have the same text and report.
    """

    def say(request: Request) -> Script:
        whole = Script([completion(TEXT)], headers=[("content-type", "application/json")])
        return Script(spoken(TEXT)) if request.json["stream"] else whole

    streams, wholes = [], []
    async with FakeModel(say).running() as model:
        for count in (0, 1, 2):
            home = tmp_path / str(count)
            home.mkdir()
            given = {"upstream": model.url, "policy": policy, "verifiers": count, "make": made(home)}
            with serving(home, **given) as (root, _):  # type: ignore[arg-type]
                streams.append(same(await asked(root, stream=True)))
                wholes.append(same(await asked(root, stream=False)))
    assert b'"claims":[{' in wholes[0]
    assert wholes[0] == wholes[1] == wholes[2]
    if policy != "annotate":
        assert streams[0] == streams[1] == streams[2]
    assert text_of(streams[0]) == text_of(streams[1]) == text_of(streams[2])
    assert reports_of(streams[0]) == reports_of(streams[1]) == reports_of(streams[2])


async def test_the_real_verifier_says_the_same_in_a_process(
    tmp_path: Path, knowledge: Path, verifier: Verifier
) -> None:
    """With the starter knowledge, a whole answer has the same bytes."""
    script = Script([completion(REAL)], headers=[("content-type", "application/json")])
    said = []
    verifier.warm()
    async with FakeModel(script).running() as model:
        for count in (0, 1):
            home = tmp_path / str(count)
            home.mkdir()
            given = {"upstream": model.url, "knowledge": knowledge, "verifiers": count, "verifier": verifier}
            with serving(home, **given) as (root, _):  # type: ignore[arg-type]
                said.append(same(await asked(root, stream=False)))
    assert b"Canberra" in said[0]
    assert said[0] == said[1]


@pytest.mark.parametrize("policy", ["annotate", "revise"])
async def test_a_process_killed_in_the_middle_of_a_stream(tmp_path: Path, policy: str) -> None:
    """The answer ends, each sentence is judged or not checked, it is on record, and the next answer is checked."""
    half = len(TEXT) // 2
    script = Script([chunk(TEXT[:half]), 0.5, chunk(TEXT[half:]), chunk(finish="stop"), DONE])
    async with FakeModel(script).running() as model:
        given = {"upstream": model.url, "policy": policy, "verifiers": 1, "make": made(tmp_path)}
        with serving(tmp_path, **given) as (root, services):  # type: ignore[arg-type]
            assert isinstance(services.checks, Verifiers)
            (first,) = processes(services.checks)
            asking = asyncio.create_task(asked(root, stream=True))
            await until(lambda: services.permits.taken)
            await asyncio.sleep(0.2)
            os.kill(first, signal.SIGKILL)
            wire = await asking
            await until(lambda: (now := processes(services.checks)) and now != [first], seconds=PATIENCE_S)
            (second,) = processes(services.checks)
            again = await asked(root, stream=True)
            (before, after) = (one for wire in (wire, again) for one in reports_of(wire).values())
            records = [record for record in services.log.list() if record.kind == "answer"]
            metrics = (await read(root, "/metrics"))[1]
    assert first != second
    assert wire.endswith(DONE)
    for report in (before, after):
        spans = {
            (one["start"], one["end"]) for what in ("claims", "unchecked", "skipped") for one in report[what]
        }
        assert spans == {(one.span.start, one.span.end) for one in segment(TEXT)}
    assert (after["outcome"], after["unchecked"]) == ("flagged", [])
    assert len(records) == 2
    assert re.search(r"^guardrail_verifiers_died 1(\.0)?$", metrics, re.MULTILINE)


def test_an_answer_goes_on_in_the_process_that_replaces_one(tmp_path: Path) -> None:
    """What was judged stands, the sentence at which the process died is judged again, ids stay apart."""
    sentences = segment("This is true. This is wrong once. It is true.")
    with checked_by(1, tmp_path) as verifiers:
        session = RemoteSession(verifiers.bench(), {"question": str(tmp_path / "seen")})
        found = [one for sentence in sentences for one in session.check(sentence)]
        report = session.report("This is true. This is wrong once. It is true.")
        assert verifiers.measures()["guardrail.verifiers.died"] == 1
    assert [one.label.value for one in report.verdicts] == ["attributable", "contradictory", "attributable"]
    assert list(report.verdicts) == found
    assert report.unchecked == ()
    assert len({one.claim.id for one in report.verdicts}) == 3


def test_a_sentence_that_kills_processes_is_not_checked(tmp_path: Path) -> None:
    """After the second death it is told as an error, and the rest of the answer is judged."""
    text = "This is true. This kills. It is wrong."
    with checked_by(1, tmp_path) as verifiers:
        session = RemoteSession(verifiers.bench(), {"question": "What?"})
        found = [one for sentence in segment(text) for one in session.check(sentence)]
        report = session.report(text)
        assert verifiers.measures()["guardrail.verifiers.died"] == 2
    assert isinstance(found[1], Unchecked)
    assert [(one.text, one.reason) for one in report.unchecked] == [("This kills.", NotChecked.ERROR)]
    assert [one.claim.text for one in report.verdicts] == ["This is true.", "It is wrong."]


def test_what_waits_for_a_process_longer_than_its_deadline_is_not_checked(tmp_path: Path) -> None:
    """While a process is being replaced, a sentence waits for it until its deadline and no longer."""
    first, second = segment("This is true. It is wrong.")
    with checked_by(1, tmp_path) as verifiers:
        session = RemoteSession(verifiers.bench(), {"question": "What?"})
        session.check(first)
        (pid,) = processes(verifiers)
        os.kill(pid, signal.SIGKILL)
        (late,) = session.check(second, deadline=time.monotonic() + 0.05)
        assert isinstance(late, Unchecked)
        assert late.reason is NotChecked.DEADLINE
        report = session.report("This is true. It is wrong.")
    assert [one.reason for one in report.unchecked] == [NotChecked.DEADLINE]
    assert [one.claim.text for one in report.verdicts] == ["This is true."]


def test_an_answer_need_not_wait_while_another_process_is_there(tmp_path: Path) -> None:
    """The process of an answer that died between two sentences is not waited for."""
    first, second = segment("This is true. It is wrong.")
    with checked_by(2, tmp_path) as verifiers:
        bench = verifiers.bench()
        session = RemoteSession(bench, {"question": "What?"})
        session.check(first)
        (tmp_path / "slow").touch()
        bench.kill()
        eventually(lambda: not bench.ready, seconds=PATIENCE_S)
        session.check(second, deadline=time.monotonic() + PATIENCE_S / 2)
        report = session.report("This is true. It is wrong.")
        assert not bench.ready
    assert [one.claim.text for one in report.verdicts] == ["This is true.", "It is wrong."]


async def test_a_check_that_does_not_come_back_ends_with_its_process(tmp_path: Path) -> None:
    """The sentence is not checked, the process is replaced, and the next answer is checked."""
    policy = tmp_path / "quick.yaml"
    policy.write_text("extends: annotate\ndeadline_ms: 300\n")
    texts = iter(["This hangs. It is true.", "It is wrong."])
    async with FakeModel(lambda _: Script(spoken(next(texts)))).running() as model:
        given = {"policy": str(policy), "verifiers": 1, "make": made(tmp_path), "grace": 0.3}
        with serving(tmp_path, upstream=model.url, **given) as (root, services):  # type: ignore[arg-type]
            assert isinstance(services.checks, Verifiers)
            before = processes(services.checks)
            (report,) = reports_of(await asked(root, stream=True)).values()
            assert {one["reason"] for one in report["unchecked"]} == {"deadline"}
            await until(lambda: (now := processes(services.checks)) and now != before, seconds=PATIENCE_S)
            (report,) = reports_of(await asked(root, stream=True)).values()
            assert (report["outcome"], report["unchecked"]) == ("flagged", [])


def test_a_process_that_cannot_start_is_told(tmp_path: Path) -> None:
    """The server does not start, with the reason, and no process is left."""
    (tmp_path / "unfit").touch()
    settings = Settings(audit=str(tmp_path / "audit.db"), verifiers=2)
    with pytest.raises(ConfigError, match="there is nothing to check with"):
        Services.open(settings, verifier=FakeVerifier(), make=made(tmp_path))  # type: ignore[arg-type]
    assert spawned(os.getpid()) == []


async def test_one_that_cannot_be_replaced_is_seen(tmp_path: Path) -> None:
    """Answers end without being checked, `/readyz` says why, and all is well when it can start again."""
    async with FakeModel(Script(spoken("It is true."))).running() as model:
        given = {"upstream": model.url, "verifiers": 1, "make": made(tmp_path)}
        with serving(tmp_path, **given) as (root, services):  # type: ignore[arg-type]
            assert isinstance(services.checks, Verifiers)
            (pid,) = processes(services.checks)
            (tmp_path / "unfit").touch()
            os.kill(pid, signal.SIGKILL)
            await until(lambda: services.checks.lost(), seconds=PATIENCE_S)
            status, told = await read(root, "/readyz")
            assert (status, "there is nothing to check with" in told) == (503, True)
            (report,) = reports_of(await asked(root, stream=True)).values()
            assert [one["reason"] for one in report["unchecked"]] == ["error"]
            assert report["outcome"] == "not_checked"
            (tmp_path / "unfit").unlink()
            await until(lambda: not services.checks.trouble()["checks"], seconds=PATIENCE_S)
            assert (await read(root, "/readyz"))[0] == 200
            (report,) = reports_of(await asked(root, stream=True)).values()
            assert report["outcome"] == "confirmed"


def test_a_machine_without_room_for_processes_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system makes no further process, the server does not start, with the system's reason."""

    def full(*_: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", full)
    with pytest.raises(ConfigError, match="temporarily unavailable"):
        Verifiers(1, made(tmp_path)).wait()


async def test_answers_are_shared_among_the_processes(tmp_path: Path) -> None:
    """Of two answers at a time each process has one."""
    async with FakeModel(Script(spoken("It is true. " * 10))).running() as model:
        given = {"upstream": model.url, "policy": "revise", "verifiers": 2, "make": made(tmp_path, 0.05)}
        with serving(tmp_path, **given) as (root, services):  # type: ignore[arg-type]
            assert isinstance(services.checks, Verifiers)
            one, other = (bench.pool for bench in services.checks._benches)
            asking = asyncio.gather(asked(root, stream=True), asked(root, stream=True))
            await until(lambda: one.waiting and other.waiting, seconds=PATIENCE_S)
            await asking
            await until(lambda: one.waiting == other.waiting == 0, seconds=PATIENCE_S)


async def test_sessions_that_are_over_are_forgotten(tmp_path: Path) -> None:
    """A process keeps the sessions of the answers that run, not those of the answers that ran."""
    with checked_by(1, tmp_path) as verifiers:
        bench = verifiers.bench()
        (sentence,) = segment("It is true.")
        for _ in range(5):
            RemoteSession(bench, {"question": "What?"}).check(sentence)
        process = bench.process(0.0)
        assert len(process._closed) == 1  # the others were told with the questions since


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_server(tmp_path: Path, how: signal.Signals) -> None:
    """However the server ends, the processes that checked for it end, too."""
    command = [sys.executable, "-m", "tests.proxy.verifiers.checked", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        _, *pids = map(int, server.stdout.readline().split())
        assert len(pids) == 2
        for pid in pids:
            os.kill(pid, signal.SIGTERM)  # as a service manager does with the whole group
        assert all(map(alive, pids))
        server.send_signal(how)
        server.wait(PATIENCE_S)
    eventually(lambda: not any(map(alive, pids)), seconds=PATIENCE_S)


def test_a_process_that_still_starts_ends_with_the_server(tmp_path: Path) -> None:
    """A server that is killed while its processes load leaves none of them."""
    (tmp_path / "slow").touch()
    command = [sys.executable, "-m", "tests.proxy.verifiers.checked", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT) as server:
        try:
            eventually((tmp_path / "began").exists, seconds=PATIENCE_S)
            pids = spawned(server.pid)
        finally:
            server.kill()
    assert pids
    eventually(lambda: not any(map(alive, pids)), seconds=PATIENCE_S)


async def test_what_a_process_tells_of_itself_is_seen(tmp_path: Path) -> None:
    """`/readyz`, its versions and the metrics are those of the processes; calls are added up, shares and what is away are not."""
    given = {"verifiers": 2, "make": made(tmp_path)}
    with serving(tmp_path, **given) as (root, services):  # type: ignore[arg-type]

        def told(name: str) -> float:
            return services.checks.measures().get(name, -1.0)

        await until(lambda: told(names.REVIEWER_CALLS) == 6.0, seconds=PATIENCE_S)
        assert (told(names.REVIEWER_SAVED), told(names.MODEL_AWAY)) == (0.5, 0.0)
        assert json.loads((await read(root, "/readyz"))[1])["status"] == "ready"
        (tmp_path / "away").touch()
        await until(lambda: services.checks.trouble().get("model", ""), seconds=PATIENCE_S)
        status, body = await read(root, "/readyz")
        assert (status, json.loads(body)["degraded"]) == (200, ["model: no answer"])
        assert json.loads(body)["versions"] == {"knowledge": "fake", "checker": "another"}
        assert re.search(r"^guardrail_model_away 1(\.0)?$", (await read(root, "/metrics"))[1], re.MULTILINE)
        (tmp_path / "away").unlink()
        await until(lambda: not services.degraded(), seconds=PATIENCE_S)


def test_what_a_process_had_counted_is_kept_when_it_dies(tmp_path: Path) -> None:
    """The calls of the one that died and of the one in its place are added up."""
    with checked_by(1, tmp_path) as verifiers:
        eventually(lambda: verifiers.measures().get(names.REVIEWER_CALLS) == 3.0, seconds=PATIENCE_S)
        verifiers.bench().kill()
        eventually(lambda: verifiers.measures().get(names.REVIEWER_CALLS) == 6.0, seconds=PATIENCE_S)
        assert verifiers.measures()[names.VERIFIERS_DIED] == 1
