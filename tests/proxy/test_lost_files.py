"""Files that go away under a running server: readiness tells, and nothing passes for checked or recorded."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

from guardrail.config import knowledge_file
from guardrail.evidence import starter
from guardrail.verifier import Verifier
from tests.proxy.servers import serving

TRUE = "The capital of France is Paris."
OTHER = "The capital of Japan is Tokyo."
LAG_S = 1.5  # what was read a moment ago is remembered
ASKED = {"model": "demo", "messages": [{"role": "user", "content": f"verify: {OTHER}"}]}


async def post(url: str, body: object, **headers: str) -> tuple[int, dict[str, object]]:
    async with aiohttp.ClientSession(headers=headers) as http, http.post(url, json=body) as response:
        return response.status, await response.json()


async def readiness(root: str) -> tuple[int, dict[str, object]]:
    async with aiohttp.ClientSession() as http, http.get(f"{root}/readyz") as response:
        return response.status, await response.json()


async def test_no_answer_goes_out_when_the_log_was_removed(tmp_path: Path) -> None:
    """Its records would go into a file without a name; the server is not ready until it is started again."""
    with serving(tmp_path) as (root, _):
        assert (await readiness(root))[0] == 200
        (tmp_path / "audit.db").unlink()
        status, told = await post(f"{root}/v1/chat/completions", ASKED)
        assert status >= 500
        assert "choices" not in told
        status, told = await readiness(root)
    assert status == 503
    assert "audit log" in str(told["lost"])


@pytest.mark.parametrize("policy", ["annotate", "block"])
async def test_knowledge_that_was_removed_checks_nothing(tmp_path: Path, policy: str) -> None:
    """Every sentence is unchecked, no door breaks, and the server says that it is not ready."""
    path = tmp_path / "knowledge.db"
    path.write_bytes(starter.ensure(knowledge_file()).read_bytes())
    with serving(tmp_path, verifier=Verifier.open(path), policy=policy) as (root, _):  # type: ignore[arg-type]
        status, told = await post(f"{root}/guardrail/verify", {"text": TRUE, "question": "Paris?"})
        assert (status, told["outcome"]) == (200, "confirmed")
        path.unlink()
        status, told = await readiness(root)
        assert status == 503
        assert "knowledge" in str(told["lost"])
        await asyncio.sleep(LAG_S)
        status, told = await post(f"{root}/guardrail/verify", {"text": OTHER, "question": "Tokyo?"})
        assert (status, told["outcome"]) == (200, "not_checked")
        status, told = await post(f"{root}/v1/chat/completions", ASKED)
        assert status == 200
        assert (OTHER in str(told["choices"][0]["message"]["content"])) is (policy == "annotate")  # type: ignore[index]
