"""Plays exchanges directly and through the proxy, and tells what became different: see `likeness` for what is compared how."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from eval.conformance.exchanges import EXCHANGES, HOST, Exchange, Reads
from eval.conformance.likeness import of_answers, of_requests
from eval.conformance.raw import Scripted, ask, parse
from eval.conformance.relay import Relay

GUARDED = ("/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/completions")


@dataclass(frozen=True, slots=True)
class Played:
    """One exchange: the requests as they arrived, the answer as it came, whether its beginning came only with its end."""

    requests: tuple[bytes, ...]
    answer: bytes
    late: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """`known`: why it is there and stays for now; empty where it is a defect."""

    exchange: str
    policy: str
    what: str
    known: str = ""

    def __str__(self) -> str:
        return f"{self.exchange} ({self.policy}): {self.what}"


@dataclass(frozen=True, slots=True)
class Stage:
    """A scripted server, a relay before it (the upstream of the proxy), and a relay before the proxy."""

    server: Scripted
    upstream: Relay
    client: Relay

    async def direct(self, exchange: Exchange) -> Played:
        return await self._play(exchange, self.server.port, b"", timely=True)

    async def through(self, exchange: Exchange, policy: str, *, timely: bool = True) -> Played:
        """`timely`: the end of a stream that is observed is held back until its beginning has come."""
        timely = timely and policy == "annotate"
        return await self._play(exchange, self.client.port, policy.encode(), timely=timely)

    async def _play(self, exchange: Exchange, port: int, policy: bytes, *, timely: bool) -> Played:
        server = self.server
        server.answer, server.late = exchange.answer, False
        server.requests.clear()
        server.gate = asyncio.Event() if timely and exchange.reads is Reads.EVENTS else None
        request = exchange.request.replace(HOST, b"127.0.0.1:%d" % port, 1)
        if policy:
            request = request.replace(b"\r\n\r\n", b"\r\nX-Guardrail-Policy: " + policy + b"\r\n\r\n", 1)
        answer = await ask(port, request, server.gate)
        return Played(tuple(server.requests), answer, server.late)

    async def problems(
        self, exchange: Exchange, policy: str, direct: Played, *, timely: bool = True
    ) -> list[Problem]:
        """What differs through the proxy; `direct`: how it is without it."""
        through = await self.through(exchange, policy, timely=timely)
        host = b"127.0.0.1:%d" % self.upstream.port
        known = exchange.known.get(policy, "")
        return [
            Problem(exchange.name, policy, what, known)
            for what in compared(exchange, policy, direct, through, host)
        ]


def compared(exchange: Exchange, policy: str, direct: Played, through: Played, host: bytes) -> list[str]:
    """What differs between two plays of an exchange."""
    target = exchange.request.split(b" ")[1].decode().partition("?")[0]
    read, head_only = target in GUARDED, exchange.request.startswith(b"HEAD ")
    told = [] if len(through.requests) == 1 else [f"the server got {len(through.requests)} requests"]
    for request in through.requests[:1]:
        told += of_requests(parse(direct.requests[0]), parse(request), host=host, read=read)
    sent, came = (parse(one.answer, head_only=head_only, ended=True) for one in (direct, through))
    told += of_answers(sent, came, exchange.reads, policy, read=read)
    if through.late:
        told.append("the beginning of the stream came only with its end")
    return told


@asynccontextmanager
async def scripted() -> AsyncIterator[tuple[Scripted, Relay]]:
    """The scripted server, and the relay before it that a proxy is to have as its upstream."""
    async with Scripted().running() as server, Relay(server.port).running() as relay:
        yield server, relay


async def differing(
    stage: Stage, exchanges: Sequence[Exchange] = EXCHANGES, *, timely: bool = True
) -> list[Problem]:
    """The problems of all exchanges under all their policies."""
    found = []
    for exchange in exchanges:
        direct = await stage.direct(exchange)
        for policy in exchange.policies:
            found += await stage.problems(exchange, policy, direct, timely=timely)
    return found
