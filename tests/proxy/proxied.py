"""A running proxy before a scripted model, with the official SDK's client."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path

import openai

from proxy.services import Services
from tests.fakes import FakeModel
from tests.proxy.servers import serving
from tests.waiting import until

TEXT = "This is true. This is wrong. Is it?"
ASK = {"model": "m", "messages": [{"role": "user", "content": "What is it?"}]}
JSON = (("content-type", "application/json"),)


@asynccontextmanager
async def proxied(tmp_path: Path, script: object, **given: object):
    """A running proxy before a scripted model: (async client, model, services, root)."""
    async with FakeModel(script).running() as model:  # type: ignore[arg-type]
        with serving(tmp_path, upstream=model.url, **given) as (root, services):
            client = openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="sk-secret", max_retries=0)
            try:
                yield client, model, services, root
            finally:
                await client.close()
            await settled(services)


async def settled(services: Services) -> None:
    """Nothing is left running: permits are back and no worker has a job."""
    await until(lambda: services.permits.taken == services.pool.waiting == 0)


async def collect(stream, into: list) -> None:
    async for one in stream:
        into.append(one)  # noqa: PERF401 - what came before an error counts


async def text_of(stream) -> tuple[str, list]:
    chunks = [one async for one in stream]
    return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices), chunks
