"""NDJSON in, NDJSON out, in order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import orjson
import pytest

from guardrail.errors import BadRequest
from proxy.routes.batch import KIND, lines
from tests.fakes import FakeVerifier
from tests.proxy.proxied import settled
from tests.proxy.servers import given_back, serving
from tests.waiting import PATIENCE_S

HEADERS = {"content-type": KIND}


async def test_every_line_is_answered_in_its_place(tmp_path: Path) -> None:
    """Reports come in the order of the lines; a wrong line has its error where it stands."""
    bodies = [orjson.dumps({"text": f"Number {n} is {'wrong' if n % 3 else 'true'}."}) for n in range(30)]
    bodies[7] = b"{"
    bodies[9] = b'{"text": 5}'
    with serving(tmp_path, verifier=FakeVerifier(delay=0.002)) as (root, services):
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=b"\n\n".join(bodies), headers=HEADERS)
            told = [orjson.loads(line) for line in (await response.read()).splitlines()]
        await given_back(services)
    assert len(told) == 30
    assert [one.get("text") for n, one in enumerate(told) if n not in (7, 9)] == [
        orjson.loads(b)["text"] for n, b in enumerate(bodies) if n not in (7, 9)
    ]
    assert [told[7]["error"]["code"], told[9]["error"]["param"]] == ["invalid_json", "text"]


async def test_one_bad_line_takes_no_other_with_it(tmp_path: Path) -> None:
    """Whatever is wrong with a line, also in the server, is told in its place; all others have their report and record."""
    good = b'{"text": "It is true."}'
    bad = {
        b"\xff\xfe": "invalid_json",
        b'{"text": "\xc3"}': "invalid_json",
        b"[" * 5000: "invalid_json",
        b"null": "invalid_json",
        b'{"text": "a", "policy": "nope"}': "unknown_policy",
        b'{"text": "a", "policy": 7}': "unknown_policy",
        b'{"text": "a", "more": 1}': None,
        b'{"text": "a", "triplets": [5]}': None,
        b'{"text": "a", "sources": ["moon"]}': None,
        b'{"text": "It breaks."}': "internal_error",
    }
    body = b"\n".join(line for one in bad for line in (good, one)) + b"\r\n\r\n" + good
    with serving(tmp_path) as (root, services):
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=body, headers=HEADERS)
            told = [orjson.loads(line) for line in (await response.read()).splitlines()]
        await given_back(services)
        assert len(services.log.list(limit=100)) == len(bad) + 1
    assert [one["text"] for one in told[::2]] == ["It is true."] * (len(bad) + 1)
    errors = [one["error"] for one in told[1::2]]
    assert [one["code"] for one in errors] == list(bad.values())
    for error in errors:
        assert error.keys() == {"message", "type", "param", "code"}
        assert "ValueError" not in error["message"]


async def test_a_line_without_its_record_has_no_report(tmp_path: Path) -> None:
    """Where the audit log cannot be written, the line tells so, and no path of the server."""
    with serving(tmp_path) as (root, services):
        services.log.close()
        async with aiohttp.ClientSession() as http:
            body = b'{"text": "It is true."}\n{"text": 5}'
            response = await http.post(f"{root}/guardrail/verify", data=body, headers=HEADERS)
            told = [orjson.loads(line)["error"] for line in (await response.read()).splitlines()]
    assert [one["code"] for one in told] == ["audit_failed", None]
    assert str(tmp_path) not in str(told)


async def test_answers_come_while_lines_are_still_sent(tmp_path: Path) -> None:
    """The batch is a stream: early answers do not wait for the last line."""
    answered = asyncio.Event()

    async def body():
        for number in range(2):
            yield orjson.dumps({"text": f"Number {number} is true."}) + b"\n"
        await asyncio.wait_for(answered.wait(), PATIENCE_S)
        yield b'{"text": "last"}'

    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=body(), headers=HEADERS)
            first = await response.content.readline()
            answered.set()
            rest = (await response.read()).splitlines()
    assert orjson.loads(first)["text"] == "Number 0 is true."
    assert orjson.loads(rest[-1])["text"] == "last"


async def test_a_line_that_is_too_long_is_the_last(tmp_path: Path) -> None:
    """Lines before it are answered, it is refused in its place, and the answer ends."""
    body = b'{"text": "It is true."}\n{"text": "' + b"x" * 5000 + b'"}\n{"text": "never read"}'
    with serving(tmp_path, max_body=1000) as (root, services):
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=body, headers=HEADERS)
            told = [orjson.loads(line) for line in (await response.read()).splitlines()]
        await given_back(services)
    assert told[0]["text"] == "It is true."
    assert told[1]["error"]["code"] == "body_too_large"
    assert len(told) == 2


async def test_a_client_that_leaves_ends_the_batch(tmp_path: Path) -> None:
    """Nothing of it runs any more, also when all lines had been sent."""
    body = b"\n".join(orjson.dumps({"text": f"Number {n} is true."}) for n in range(200))
    with serving(tmp_path, verifier=FakeVerifier(delay=0.05)) as (root, services):
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=body, headers=HEADERS)
            await response.content.readline()
            response.close()
        await settled(services)
        assert len(services.log.list(limit=1000)) < 100


async def test_without_a_permit_a_batch_is_told_to_come_again(tmp_path: Path) -> None:
    """429 with Retry-After, as for any other request."""
    with serving(tmp_path) as (root, services):
        services.permits.close()
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=b"{}", headers=HEADERS)
            assert (response.status, response.headers["retry-after"]) == (429, "1")


async def test_an_endless_line_is_refused() -> None:
    """A line without an end does not fill the memory."""

    async def receive() -> dict:
        return {"type": "http.request", "body": b"x" * 100, "more_body": True}

    with pytest.raises(BadRequest):
        await anext(lines(receive, limit=1000))
