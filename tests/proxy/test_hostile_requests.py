"""No request stops the server: whatever one client sends, the others are answered."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from proxy.relay import request as relay_request
from tests.fakes import FakeVerifier, Script, completion
from tests.hostile import texts
from tests.proxy.access.test_callers import keyed
from tests.proxy.proxied import ASK, JSON, TEXT, proxied, settled
from tests.proxy.servers import serving
from tests.waiting import PATIENCE_S, at_rest, until

SOON = 10.0  # seconds: a health check takes some milliseconds
HOSTILE = [
    "blanks in a title",
    "<document><title>",
    "nested",
    "fence",
    "rising fences that do not close",
    "blanks after a source",
    "objects",
    "strings",
    "escaped passages",
]
WHOLE = Script([completion("This is true.")], headers=JSON)


async def healthy(root: str, while_running: asyncio.Task[object]) -> int:
    """How often the server said that it is alive meanwhile."""
    count = 0
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(SOON)) as http:
        while not while_running.done() or not count:
            async with http.get(f"{root}/healthz") as answer:
                assert answer.status == 200
            count += 1
            await asyncio.sleep(0.01)
    return count


async def send(root: str, path: str, body: object, **headers: str) -> tuple[int, dict]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(60)) as http:
        data = io.BytesIO(body if isinstance(body, bytes) else json.dumps(body).encode())
        headers = {"content-type": "application/json", **headers}
        async with http.post(root + path, data=data, headers=headers) as answer:
            return answer.status, await answer.json(content_type=None)


@pytest.mark.parametrize("role", ["user", "system", "tool"])
async def test_no_prompt_stops_the_server(tmp_path: Path, role: str) -> None:
    """A prompt made to be slow to read is answered as any other, and so is everybody else meanwhile."""
    made = texts()
    names = [name for name in HOSTILE if name in made]
    async with proxied(tmp_path, lambda _: WHOLE) as (_, _, _, root):
        for name in names:
            messages = [{"role": role, "content": made[name](100_000)}, *ASK["messages"]]
            body = {"model": "m", "messages": messages}
            asking = asyncio.create_task(send(root, "/v1/chat/completions", body))
            await healthy(root, asking)
            status, answer = await asking
            assert (status, answer["choices"][0]["message"]["content"]) == (200, "This is true."), name


@pytest.mark.parametrize("piece", [b"[],", b'{"a":1},', b"1,", b'"",'])
async def test_a_body_of_too_many_values_is_refused(tmp_path: Path, piece: bytes) -> None:
    """It would take seconds to decode, in which nothing else runs."""
    body = b'{"model":"m","messages":[' + piece * 1_000_000 + b"1]}"
    async with proxied(tmp_path, WHOLE) as (_, model, _, root):
        for path in ("/v1/chat/completions", "/guardrail/verify"):
            asking = asyncio.create_task(send(root, path, body))
            await healthy(root, asking)
            status, answer = await asking
            assert (status, answer["error"]["code"]) == (413, "body_too_large")
        assert model.requests == []


async def test_nested_content_is_no_error_of_the_server(tmp_path: Path) -> None:
    """Content within content within content: what no dialect has is not read, and passed on."""
    content: object = "This is true."
    for _ in range(300):
        content = [{"type": "tool_result", "content": content, "text": {"text": {}}}]
    async with proxied(tmp_path, WHOLE) as (_, _, _, root):
        body = {"model": "m", "messages": [{"role": "user", "content": content}]}
        assert (await send(root, "/v1/chat/completions", body))[0] == 200
        body["guardrail"] = {}  # it has to be taken out, and JSON so deep cannot be written again
        status, answer = await send(root, "/v1/chat/completions", body)
        assert (status, answer["error"]["code"]) == (400, "invalid_json")


@pytest.mark.parametrize(("policy", "shown"), [("annotate", True), ("block", False)])
async def test_documents_that_were_not_read_confirm_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str, shown: bool
) -> None:
    """An answer that nothing speaks against is not confirmed where a document could not be read in time; a false one is flagged."""
    monkeypatch.setattr(relay_request, "FOUND_S", -1.0)
    scripts = {"a": "This is true.", "b": TEXT}
    for question, said in scripts.items():
        script = Script([completion(said)], headers=JSON)
        async with proxied(tmp_path, script, policy=policy) as (_, _, _, root):
            messages = [{"role": "user", "content": question}]
            _, answer = await send(root, "/v1/chat/completions", {"model": "m", "messages": messages})
        if not shown:
            assert said not in answer["choices"][0]["message"]["content"]
            continue
        report = answer["choices"][0]["message"]["guardrail"]
        assert report["outcome"] == ("not_checked" if said != TEXT else "flagged")
        assert [one["reason"] for one in report["unchecked"]] == ["deadline"]
        assert "message 0" in report["unchecked"][0]["detail"]


LONG = "This is true. " * 2000


async def test_a_long_text_keeps_no_answer_waiting(tmp_path: Path) -> None:
    """While a text is verified that takes long, a good answer is checked and shown under a policy that withholds others."""
    async with proxied(tmp_path, WHOLE, policy="block", verifier=FakeVerifier(delay=0.005)) as (
        client,
        _,
        services,
        root,
    ):
        verifying = asyncio.create_task(send(root, "/guardrail/verify", {"text": LONG}))
        await until(lambda: services.permits.taken)
        answer = await asyncio.wait_for(client.chat.completions.create(**ASK), PATIENCE_S)
        assert answer.choices[0].message.content == "This is true."
        assert answer.guardrail["outcome"] == "confirmed"  # type: ignore[attr-defined]
        assert not verifying.done()
        verifying.cancel()
        await asyncio.gather(verifying, return_exceptions=True)
        await settled(services)


@pytest.mark.parametrize(
    "path", ["/guardrail/verify", "/guardrail/revise", "/beta/litellm_basic_guardrail_api"]
)
async def test_nothing_is_checked_for_who_left(tmp_path: Path, path: str) -> None:
    """The client hangs up, and the rest of its text is not looked at."""
    verifier = FakeVerifier(delay=0.005)
    with serving(tmp_path, verifier=verifier) as (root, services):
        body = {"text": LONG} if "litellm" not in path else {"input_type": "response", "texts": [LONG]}
        asking = asyncio.create_task(send(root, path, body))
        await until(lambda: verifier.sessions and verifier.sessions[0].findings)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await settled(services)
        assert await at_rest(lambda: len(verifier.sessions[0].findings)) < 2000


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/guardrail/verify", {"text": "a" * 101}),
        ("/guardrail/revise", {"text": "a" * 101}),
        ("/guardrail/extract", {"text": "a" * 101}),
        ("/beta/litellm_basic_guardrail_api", {"input_type": "response", "texts": ["a" * 51, "b" * 50]}),
    ],
)
async def test_a_text_that_is_too_long_is_refused(tmp_path: Path, path: str, body: dict) -> None:
    """The error names the limit and the option that sets it."""
    with serving(tmp_path, max_text=100) as (root, _):
        status, answer = await send(root, path, body)
        assert (status, answer["error"]["code"]) == (413, "text_too_long")
        assert "101 characters" in answer["error"]["message"]
        assert "up to 100" in answer["error"]["message"]
        assert "--max-text" in answer["error"]["message"]


async def test_a_text_has_the_policys_time(tmp_path: Path) -> None:
    """What was not checked by then is marked, and the report comes."""
    policy = tmp_path / "quick.yaml"
    policy.write_text("name: quick\nextends: annotate\nanswer_deadline_ms: 300\n")
    with serving(tmp_path, policy=str(policy), verifier=FakeVerifier(delay=0.005)) as (root, _):
        status, report = await send(root, "/guardrail/verify", {"text": LONG})
    assert (status, report["outcome"]) == (200, "not_checked")
    assert {one["reason"] for one in report["unchecked"]} == {"deadline"}


async def test_each_line_is_a_request_of_its_key(tmp_path: Path) -> None:
    """Lines beyond what the key may ask in a minute are refused in their places."""
    body = b'{"text": "It is true."}\n' * 5
    async with (
        keyed(tmp_path, key={"requests": 3}) as (_, (_, token), _, _, root),
        aiohttp.ClientSession(headers={"authorization": f"Bearer {token}"}) as http,
    ):
        headers = {"content-type": "application/x-ndjson"}
        async with http.post(f"{root}/guardrail/verify", data=body, headers=headers) as answer:
            told = [json.loads(line) for line in (await answer.read()).splitlines()]
    assert [one.get("text") for one in told] == ["It is true."] * 3 + [None] * 2
    assert {one["error"]["code"] for one in told[3:]} == {"rate_limit_exceeded"}


async def test_unfinished_bodies_take_up_so_much_memory(tmp_path: Path) -> None:
    """However many clients begin a long request and do not end it: what is held is limited, and others are served."""
    held = 20_000_000
    async with proxied(tmp_path, lambda _: WHOLE, max_held=held) as (client, _, services, root):
        host, port = urlsplit(root).hostname, urlsplit(root).port
        head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 5000000\r\n\r\n"
        writers = []
        for _ in range(12):
            _, writer = await asyncio.open_connection(host, port)
            writer.write(head + b"x" * 4_000_000)
            writers.append(writer)
            await asyncio.sleep(0.05)
            assert services.bodies.held <= held
        assert services.bodies.held > held / 2
        answer = await client.chat.completions.create(**ASK)
        assert answer.choices[0].message.content == "This is true."
        long = [{"role": "user", "content": "What? " * 500_000}]
        assert (await client.chat.completions.create(model="m", messages=long)).choices  # type: ignore[arg-type]
        for writer in writers:
            writer.transport.abort()
        await until(lambda: services.bodies.held == 0)
