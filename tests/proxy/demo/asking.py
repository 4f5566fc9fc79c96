"""Asks the demo model."""

from __future__ import annotations

from typing import Any

import orjson

from proxy.demo import DemoUpstream
from proxy.upstream.http import Call


async def ask(path: str, **body: Any) -> tuple[int, bytes]:
    """The status and the body of an answer of `path`."""
    answer = await DemoUpstream(pace=0).send(Call("POST", path, [], orjson.dumps(body)))
    return answer.status, b"".join([data async for data in answer.body()])


async def asked(path: str, **body: Any) -> dict[str, Any]:
    """A whole answer that went well."""
    status, data = await ask(path, **body)
    assert status == 200
    return orjson.loads(data)


def user(text: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


def events(wire: bytes) -> list[dict[str, Any]]:
    """The events of a stream, but for its end."""
    lines = [
        line for event in wire.split(b"\n\n") for line in event.split(b"\n") if line.startswith(b"data: {")
    ]
    return [orjson.loads(line[6:]) for line in lines]
