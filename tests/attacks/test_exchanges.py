"""No byte of one exchange reaches another, and none hangs, whatever happened on the connection before.

GUARDRAIL_EXCHANGES says how many there are: 2,000, or 100,000 before a release.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import uvloop

from guardrail.errors import UpstreamError
from proxy.upstream.http import Answer, Call, HttpUpstream, Timeouts
from tests.attacks.exchanges import Plan, Server, agrees
from tests.proxy.servers import given_back, serving
from tests.proxy.sockets import listening

EXCHANGES = int(os.environ.get("GUARDRAIL_EXCHANGES", "2000"))
LANES = 3  # at a time: so few connections are used again and again
PATIENCE_S = 60.0  # for one exchange, which takes some milliseconds


def run(loop: str, work: Coroutine[Any, Any, None]) -> None:
    """On the loop of the server, or on that of the standard library."""
    uvloop.run(work) if loop == "uvloop" else asyncio.run(work)


async def _taken(answer: Answer, plan: Plan) -> tuple[bytes, bool]:
    """The body by one of both ways to read it, with breaks in between; whether the client left."""
    dice, body = random.Random(plan.name + 1), bytearray()
    enough = None if plan.leaves is None else int(len(plan.body) * plan.leaves)

    async def rests() -> None:
        await asyncio.sleep(dice.choice((0, 0, 0.001)))

    if dice.random() < 0.5:
        async for data in answer.body():
            body += data
            if enough is not None and len(body) >= enough:
                return bytes(body), True
            await rests()
        return bytes(body), False

    left = False

    def take(data: bytes) -> Coroutine[Any, Any, None] | None:
        nonlocal left
        if left:
            return None
        body.extend(data)
        if enough is not None and len(body) >= enough:
            left = True
            answer.close()
            return None
        return rests() if dice.random() < 0.3 else None

    await answer.carry(take)
    return bytes(body), left


async def _asked(upstream: HttpUpstream, plan: Plan) -> bool:
    method = "POST" if plan.asked else "GET"
    name, body, broken, left = None, b"", False, False
    try:
        answer = await upstream.send(Call(method, f"/files/{plan.name}", [], plan.asked))
        name = dict(answer.headers).get(b"x-name", b"missing")
        try:
            body, left = await _taken(answer, plan)
        finally:
            answer.close()
    except UpstreamError:
        broken = True
    return agrees(plan, name, body, broken=broken, left=left)


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_exchanges_over_kept_connections_never_meet(loop: str) -> None:
    """Answers of any size and framing, cut, preceded, followed and broken off: each is its request's own, or an error."""

    async def work() -> None:
        server = Server()
        async with listening(server) as port:
            upstream = HttpUpstream(f"http://127.0.0.1:{port}/v1", timeouts=Timeouts(attempts=1))
            await upstream.open()
            names = iter(range(EXCHANGES * 2 // 5))

            async def lane() -> list[int]:
                wrong = []
                for name in names:
                    async with asyncio.timeout(PATIENCE_S):
                        if not await _asked(upstream, Plan.of(name)):
                            wrong.append(name)
                return wrong

            wrong = await asyncio.gather(*(lane() for _ in range(LANES)))
            await upstream.close()
        assert not any(wrong)
        assert not server.wrong
        assert server.seen < EXCHANGES * 2 // 5  # connections were used again

    run(loop, work())


async def test_exchanges_through_the_proxy_never_meet(tmp_path: Path) -> None:
    """The same with the whole server in between: what a client gets is of its own request."""
    server = Server()
    first = 10_000_000

    async with listening(server) as port, aiohttp.ClientSession(auto_decompress=True) as http:
        with serving(tmp_path, upstream=f"http://127.0.0.1:{port}/v1", policy="off") as (root, services):
            names = iter(range(first, first + EXCHANGES // 5))

            async def lane() -> list[int]:
                wrong = []
                for name in names:
                    async with asyncio.timeout(PATIENCE_S):
                        if not await _through(http, root, Plan.of(name)):
                            wrong.append(name)
                return wrong

            assert not any(await asyncio.gather(*(lane() for _ in range(LANES))))
            await given_back(services)
    assert not server.wrong


async def _through(http: aiohttp.ClientSession, root: str, plan: Plan) -> bool:
    method = "POST" if plan.asked else "GET"
    enough = None if plan.leaves is None else int(len(plan.body) * plan.leaves)
    name, body, broken, left = None, bytearray(), False, False
    try:
        async with http.request(method, f"{root}/v1/files/{plan.name}", data=plan.asked) as response:
            if response.status == 502:
                broken = True
            else:
                name = response.headers.get("x-name", "missing").encode()
                async for data in response.content.iter_any():
                    body += data
                    if enough is not None and len(body) >= enough:
                        left = True
                        break
                if left:
                    response.close()
    except aiohttp.ClientError:
        broken = True
    return agrees(plan, name, bytes(body), broken=broken, left=left, decoded=False)


def test_a_packed_answer_that_does_not_begin_is_an_empty_one() -> None:
    """Where the server closes right behind the head, nobody can tell that more was to come; behind a byte of it one can."""
    plan = replace(Plan.of(0), framing="close", packed=True, infos=1, body=b"x" * 1000)
    wire = plan.wire()
    head = wire.index(b"\r\n\r\n", wire.index(b"HTTP/1.1 200")) + 4
    for sent, unseen in ((head, True), (head + 1, False)):
        cut = replace(plan, breaks_off=(sent + 0.5) / len(wire))
        assert agrees(cut, b"0", b"", broken=False, left=False) is unseen
