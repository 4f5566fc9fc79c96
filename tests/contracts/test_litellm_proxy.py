"""LiteLLM's generic guardrail contract for real: a litellm proxy in front of a model asks this server what it thinks.

The proxy runs in an environment of its own: `python -m eval.conformance.environments litellm`.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
import yaml

from eval.conformance.environments import installed
from proxy.services import Services
from proxy.wire.sse import Decoder
from tests.clients.model import REVISED, TEXT, answer
from tests.fakes import FakeModel, FakeVerifier
from tests.proxy.servers import given_back, serving

pytestmark = pytest.mark.skipif(
    installed("litellm") is None, reason="not installed: python -m eval.conformance.environments litellm"
)
KEY = "sk-litellm"


@dataclass(frozen=True, slots=True)
class Deployment:
    base: str
    services: Services
    verifier: FakeVerifier

    async def ask(self, guardrail: str, *, stream: bool = False) -> tuple[int, str, str]:
        """Status, the answer's words, and the whole body."""
        body = {
            "model": "m",
            "messages": [{"role": "user", "content": "What is it?"}],
            "guardrails": [guardrail],
            "stream": stream,
        }
        headers = {"authorization": f"Bearer {KEY}"}
        async with (
            aiohttp.ClientSession(headers=headers) as http,
            http.post(f"{self.base}/v1/chat/completions", json=body) as response,
        ):
            raw = await response.read()
            return response.status, _words(raw, stream=stream), raw.decode()


def _words(raw: bytes, *, stream: bool) -> str:
    if not stream:
        choices = orjson.loads(raw).get("choices") or [{}]
        return str(choices[0].get("message", {}).get("content", ""))
    decoder = Decoder()
    events = [
        one.data for one in (*decoder.decode(raw), *decoder.flush()) if one.data not in (None, b"[DONE]")
    ]
    choices = [choice for event in events for choice in orjson.loads(event or b"{}").get("choices", ())]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


@asynccontextmanager
async def deployment(home: Path) -> AsyncIterator[Deployment]:
    """A model, this server, and the litellm proxy before them."""
    verifier = FakeVerifier()
    async with FakeModel(answer).running() as model:
        with serving(home, verifier=verifier) as (root, services):
            config = home / "litellm.yaml"
            config.write_text(yaml.safe_dump(_config(model.url, root)))
            async with _litellm(config) as base:
                yield Deployment(base, services, verifier)


def _config(model: str, root: str) -> dict[str, Any]:
    return {
        "model_list": [
            {
                "model_name": "m",
                "litellm_params": {"model": "openai/plain.0", "api_base": model, "api_key": "k"},
            }
        ],
        "guardrails": [
            *(_guardrail(policy, root, policy) for policy in ("annotate", "revise", "block")),
            _guardrail("gone", "http://127.0.0.1:9", "annotate"),
        ],
        "general_settings": {"master_key": KEY},
    }


def _guardrail(name: str, root: str, policy: str) -> dict[str, Any]:
    params = {
        "guardrail": "generic_guardrail_api",
        "mode": ["pre_call", "post_call"],
        "api_base": root,
        "additional_provider_specific_params": {"policy": policy},
        # Nothing raw goes out: what the client gets are the differences of what was given back.
        "optional_params": {"streaming_transform_mode": "incremental_diff", "streaming_sampling_rate": 1},
    }
    return {"guardrail_name": name, "litellm_params": params}


@asynccontextmanager
async def _litellm(config: Path) -> AsyncIterator[str]:
    home = installed("litellm")
    assert home is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = config.with_suffix(".log")
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            *(
                str(home / "bin" / "litellm"),
                "--config",
                str(config),
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
            ),
            cwd=config.parent,
            env=os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_DOCS": "True"},
            stdout=out,
            stderr=out,
        )
    base = f"http://127.0.0.1:{port}"
    try:
        await _ready(f"{base}/health/liveliness", process, log)
        yield base
    finally:
        process.terminate()
        await process.wait()


async def _ready(url: str, process: asyncio.subprocess.Process, log: Path) -> None:
    async with aiohttp.ClientSession() as http:
        for _ in range(1200):
            assert process.returncode is None, _tail(log)
            try:
                async with http.get(url) as response:
                    if response.status == 200:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.1)
    pytest.fail(f"litellm was not ready in two minutes: {_tail(log)}")


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-3000:]


async def test_a_litellm_proxy_does_as_our_policies_say(tmp_path: Path) -> None:
    """Passed, revised or blocked, whole and streamed; the question of the request leg is joined to the answer."""
    async with deployment(tmp_path) as litellm:
        for stream in (False, True):
            assert (await litellm.ask("annotate", stream=stream))[:2] == (200, TEXT)
            assert (await litellm.ask("revise", stream=stream))[:2] == (200, REVISED)
            status, words, body = await litellm.ask("block", stream=stream)
            assert "wrong" not in words
            assert status == 400 or (stream and '"error"' in body)
        assert {session.given["question"] for session in litellm.verifier.sessions} == {"What is it?"}
        assert {record.policy for record in litellm.services.log.list()} == {"annotate", "revise", "block"}
        await given_back(litellm.services)
        status, words, _ = await litellm.ask("gone")
        assert (status >= 400, words) == (True, "")
