"""What the relay starts ends with it: hang-ups, slow checks, stuck records, slow readers."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest

from guardrail.errors import AuditError
from proxy.judging.judge import Judge
from tests.fakes import DONE, FakeModel, FakeVerifier, Script, chunk, completion, spoken
from tests.proxy.servers import given_back, serving
from tests.proxy.streams import reports_of, text_of
from tests.waiting import PATIENCE_S, until

ASK = {"model": "m", "messages": [{"role": "user", "content": "What?"}], "stream": True}
SOON = 10.0  # seconds: long before a model that thinks for thirty has done


@pytest.mark.parametrize("policy", ["annotate", "revise", "block", "off"])
async def test_a_client_that_hangs_up_ends_everything(tmp_path: Path, policy: str) -> None:
    """The upstream is closed, permits come back, and what was judged is on record."""
    script = Script([chunk("It is true. It is wrong. Then"), 30.0], hang=True)
    verifier = FakeVerifier()
    async with FakeModel(script).running() as model:
        given = {"upstream": model.url, "policy": policy, "verifier": verifier}
        with serving(tmp_path, **given) as (root, services):
            async with aiohttp.ClientSession() as http:
                asking = asyncio.create_task(http.post(f"{root}/v1/chat/completions", json=ASK))
                await until(lambda: model.requests)
                if policy != "off":
                    await until(lambda: verifier.sessions and len(verifier.sessions[0].findings) == 2)
                await asyncio.sleep(0.3)  # for what was found to be told
                asking.cancel() if not asking.done() else asking.result().close()
            await until(lambda: model.closed == 1 and services.permits.taken == 0, seconds=SOON)
            if policy != "off":
                (record,) = [r for r in services.log.list() if r.kind == "answer"]
                assert record.flagged == (1,)


async def test_a_client_that_leaves_while_a_check_runs_is_recorded_as_cancelled(tmp_path: Path) -> None:
    """Sentences that nobody judged are on record as not checked: cancelled."""
    text = " ".join(f"Sentence {i} is long enough." for i in range(50))
    async with FakeModel(Script(spoken(text, size=50), hang=True)).running() as model:
        with serving(tmp_path, upstream=model.url, verifier=FakeVerifier(delay=0.2)) as (root, services):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                heard = b""
                while b"49 is long enough" not in heard:  # all has come, and little of it is judged
                    heard += await response.content.readany()
                response.close()
            await given_back(services)
            (record,) = services.log.list()
            assert record.outcome == "not_checked"
            assert {u.reason for u in record.unchecked} == {"cancelled"}
            assert len(record.unchecked) + len(record.claims) == 50


async def test_a_check_beyond_its_deadline_is_told_as_not_checked(tmp_path: Path) -> None:
    """When the deadline of a policy passes, the sentence is marked, the answer ends, and is not called confirmed."""
    policy = tmp_path / "quick.yaml"
    policy.write_text("extends: annotate\ndeadline_ms: 500\n")
    text = "This is true. " * 20
    async with FakeModel(Script(spoken(text))).running() as model:
        given = {"upstream": model.url, "policy": str(policy), "verifier": FakeVerifier(delay=0.06)}
        with serving(tmp_path, **given) as (root, _):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                body = await response.read()
    (report,) = reports_of(body).values()
    assert report["outcome"] == "not_checked"
    assert {u["reason"] for u in report["unchecked"]} == {"deadline"}
    assert report["claims"]
    assert body.endswith(DONE)


async def test_what_would_come_too_late_is_shed_at_once(tmp_path: Path) -> None:
    """More sentences than can be checked in time: those too many are marked as overload, each answer says so."""
    policy = tmp_path / "quick.yaml"
    policy.write_text("extends: annotate\ndeadline_ms: 300\n")
    said: list[bytes | float] = [part for _ in range(10) for part in (chunk("This is true. "), 0.1)]
    script = Script([*said, chunk(finish="stop"), DONE])
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        given = {"upstream": model.url, "policy": str(policy), "verifier": FakeVerifier(delay=0.05)}
        with serving(tmp_path, **given) as (root, _):

            async def ask() -> dict[str, Any]:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                (report,) = reports_of(await response.read()).values()
                return report

            reports = await asyncio.gather(*(ask() for _ in range(40)))
    reasons = [one["reason"] for report in reports for one in report["unchecked"]]
    assert "overload" in reasons
    assert set(reasons) <= {"overload", "deadline"}
    assert all(len(report["claims"]) + len(report["unchecked"]) == 10 for report in reports)
    assert all(report["outcome"] == "not_checked" for report in reports if report["unchecked"])


async def test_silence_is_filled_with_comments(tmp_path: Path) -> None:
    """While nothing can be sent, comments keep the connection alive; SDKs do not see them."""
    script = Script([chunk("It is"), 0.5, chunk(" true."), chunk(finish="stop"), DONE])
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="revise", keep_alive=0.1) as (root, _):
            response = await http.post(f"{root}/v1/chat/completions", json=ASK)
            body = await response.read()
    assert 2 <= body.count(b": checking\n\n") <= 60
    assert body.endswith(DONE)


async def test_a_record_that_fails_closes_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit log that cannot be written ends a closed policy's answer with an error and no [DONE]."""
    async with FakeModel(Script(spoken("It is wrong."))).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url) as (root, services):

            async def full(record: object) -> int:
                raise AuditError("the disk is full")

            monkeypatch.setattr(services.log, "append", full)
            response = await http.post(f"{root}/v1/chat/completions", json=ASK)
            body = await response.read()
            whole = await http.post(f"{root}/v1/chat/completions", json={**ASK, "model": "x"})
            await whole.read()
    assert b'"code":"audit_failed"' in body
    assert DONE not in body
    assert b"disk" not in body


async def test_a_client_that_reads_slowly_does_not_fill_the_memory(tmp_path: Path) -> None:
    """The upstream is read only as fast as the client reads: an endless answer stops in bounded buffers."""
    written = 0

    def endless():
        nonlocal written
        piece = chunk("word " * 2000)
        while written < 200_000_000:
            written += len(piece)
            yield piece
            yield 0.0

    async with FakeModel(Script(endless())).running() as model:  # type: ignore[arg-type]
        with serving(tmp_path, upstream=model.url, policy="annotate") as (root, services):
            async with aiohttp.ClientSession(read_bufsize=1024) as http:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                await asyncio.sleep(0.7)
                assert written < 50_000_000
                response.close()
            await given_back(services)


async def test_stopping_the_server_ends_open_streams_on_record(tmp_path: Path) -> None:
    """A server that is stopped tells the client, and marks and records what was open."""
    async with FakeModel(Script([chunk("It is wrong. Then")], hang=True)).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, services):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                while b"check_offset" not in await response.content.readany():
                    pass
                await services.drain(0.0)
                rest = await response.read()
                refused = await http.post(f"{root}/v1/chat/completions", json=ASK)
            (record,) = services.log.list()
    assert record.flagged == (0,)
    assert b"the proxy ended this answer" in rest
    assert refused.status == 429


@pytest.mark.parametrize(("word", "reason"), [("hangs", "deadline"), ("breaks", "error")])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_check_that_hangs_or_breaks_leaves_no_answer_hanging(
    tmp_path: Path, word: str, reason: str, stream: bool
) -> None:
    """The answer ends, what was found before is kept, the rest is marked and never confirmed; others are served."""
    policy = tmp_path / "quick.yaml"
    policy.write_text("extends: annotate\ndeadline_ms: 1500\n")
    text = f"It is wrong. This {word}. More is true."
    verifier = FakeVerifier()

    def script(request):
        if not stream:
            return Script([completion(text)], headers=(("content-type", "application/json"),))
        return Script([chunk("It is wrong. This"), 0.05, *spoken(text[17:])])

    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url, policy=str(policy), verifier=verifier, grace=0.1) as (
            root,
            services,
        ):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": stream})
                body = await asyncio.wait_for(response.read(), PATIENCE_S)
                again = await http.post(f"{root}/guardrail/verify", json={"text": "It is true."})
                assert (await again.json())["outcome"] == "confirmed"
            verifier.gate.set()
            record = services.log.list()[-1]
    assert b"More is true." in body or stream
    assert {u.reason for u in record.unchecked} == {reason}
    assert record.outcome == "flagged"


async def test_an_answer_that_cannot_be_reported_still_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever breaks in making a report, the client is not left waiting and the permit comes back."""
    monkeypatch.setattr(Judge, "report", lambda *_: 1 / 0)
    async with FakeModel(Script(spoken("It is wrong."))).running() as model:
        with serving(tmp_path, upstream=model.url, grace=0.2) as (root, services):
            async with aiohttp.ClientSession() as http:
                response = await http.post(f"{root}/v1/chat/completions", json=ASK)
                with pytest.raises(aiohttp.ClientPayloadError):
                    await asyncio.wait_for(response.read(), PATIENCE_S)
            await given_back(services)


@pytest.mark.parametrize("policy", ["annotate", "off"])
async def test_a_client_that_leaves_before_the_answer_began_ends_the_call(
    tmp_path: Path, policy: str
) -> None:
    """A model that thinks for a minute is not kept thinking for nobody; the exchange is on record."""
    asked = asyncio.Event()

    async def think(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        while await reader.read(1000):
            pass
        asked.clear()
        writer.close()

    async with await asyncio.start_server(think, "127.0.0.1", 0) as server:
        upstream = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        with serving(tmp_path, upstream=upstream, policy=policy) as (root, services):
            async with aiohttp.ClientSession() as http:
                asking = asyncio.create_task(
                    http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": False})
                )
                await until(asked.is_set)
                asking.cancel()
            await until(lambda: not asked.is_set() and services.permits.taken == 0)
            assert [r.error for r in services.log.list()] == (
                ["the client left before the answer began"] if policy != "off" else []
            )


def speaking(tmp_path: Path, extends: str, **settings: object) -> str:
    """The file of a policy that is like another one."""
    file = tmp_path / "own.yaml"
    file.write_text(
        "\n".join([f"extends: {extends}", *(f"{key}: {value}" for key, value in settings.items())])
    )
    return str(file)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "held",
    [
        {"mode": "buffer"},
        {"mode": "hold", "answer": "[]"},
        {"mode": "hold", "answer": "[]", "hold": "{characters: 500}"},
    ],
)
async def test_a_good_answer_is_not_withheld_because_it_is_long(
    tmp_path: Path, held: dict[str, object], stream: bool
) -> None:
    """It comes at once and its check takes several times the deadline of a sentence: all of it is judged and shown."""
    text = "This is true. " * 300
    script = (
        Script(spoken(text, size=300))
        if stream
        else Script([completion(text)], headers=(("content-type", "application/json"),))
    )
    policy = speaking(tmp_path, "block", deadline_ms=200, **held)
    given = {"policy": policy, "verifier": FakeVerifier(delay=0.005)}
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, **given) as (root, _):
            response = await http.post(f"{root}/v1/chat/completions", json=ASK | {"stream": stream})
            body = await response.read()
    assert body.count(b'"outcome":"confirmed"') >= 1
    assert b"not_checked" not in body
    if stream:
        assert text_of(body) == text
    else:
        assert orjson.loads(body)["choices"][0]["message"]["content"] == text


@pytest.mark.parametrize("name", ["attach", "revise"])
async def test_what_is_added_to_an_unchecked_answer_is_little(tmp_path: Path, name: str) -> None:
    """Passages in a row that were not checked share one note, which says how many they are."""
    text = "This sentence will fail. " * 400
    async with FakeModel(Script(spoken(text, size=100))).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy=name) as (root, _):
            response = await http.post(f"{root}/v1/chat/completions", json=ASK)
            said = text_of(await response.read())
    assert len(said) < 1.3 * len(text)
    assert said.endswith("[1] “This sentence will fail.”: not checked (error). (×400)")
    assert said.count("This sentence will fail. [1]") == 400


@pytest.mark.parametrize("name", ["annotate", "attach", "block"])
async def test_what_is_late_at_the_end_is_not_done_on_the_event_loop(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the time for an answer is up, its sentences are passed over and its report is made in threads."""
    seen: set[str] = set()
    for method in ("pass_over", "overdue", "report"):
        made = getattr(Judge, method)

        def told(*given: object, made=made):
            seen.add(threading.current_thread().name)
            return made(*given)

        monkeypatch.setattr(Judge, method, told)
    text = "This is true. " * 50 + "It hangs. " + "This is true. " * 50
    verifier = FakeVerifier()
    policy = speaking(tmp_path, name, answer_deadline_ms=300)
    async with FakeModel(Script(spoken(text, size=100))).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy=policy, verifier=verifier, grace=0.2) as (root, _):
            response = await http.post(f"{root}/v1/chat/completions", json=ASK)
            body = await response.read()
            verifier.gate.set()
    assert b'"outcome":"not_checked"' in body
    assert body.endswith(DONE)
    assert seen
    assert all(thread.startswith("check_") for thread in seen)
