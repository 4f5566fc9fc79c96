"""NDJSON in, NDJSON out, in order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import orjson
import pytest

from guardrail.errors import BadRequest
from proxy.batch import KIND, lines
from tests.fakes import FakeVerifier
from tests.proxy.servers import serving

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
        assert services.permits.taken == 0
    assert len(told) == 30
    assert [one.get("text") for n, one in enumerate(told) if n not in (7, 9)] == [
        orjson.loads(b)["text"] for n, b in enumerate(bodies) if n not in (7, 9)
    ]
    assert [told[7]["error"]["code"], told[9]["error"]["param"]] == ["invalid_json", "text"]


async def test_answers_come_while_lines_are_still_sent(tmp_path: Path) -> None:
    """The batch is a stream: early answers do not wait for the last line."""
    answered = asyncio.Event()

    async def body():
        for number in range(12):
            yield orjson.dumps({"text": f"Number {number} is true."}) + b"\n"
        await asyncio.wait_for(answered.wait(), 5)
        yield b'{"text": "last"}'

    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/verify", data=body(), headers=HEADERS)
            first = await response.content.readline()
            answered.set()
            rest = (await response.read()).splitlines()
    assert orjson.loads(first)["text"] == "Number 0 is true."
    assert orjson.loads(rest[-1])["text"] == "last"


async def test_an_endless_line_is_refused() -> None:
    """A line without an end does not fill the memory."""

    async def receive() -> dict:
        return {"type": "http.request", "body": b"x" * 100, "more_body": True}

    with pytest.raises(BadRequest):
        await anext(lines(receive, limit=1000))
