"""Files that go away under a running server: readiness tells, and nothing passes for checked or recorded."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from guardrail.audit.chain import read_public_key
from guardrail.audit.store import AuditLog
from guardrail.audit.verify import verify
from guardrail.config import knowledge_file
from guardrail.evidence import starter
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.evidence.corpus.retrieve import CorpusRetriever
from guardrail.evidence.store.graph import Graph
from guardrail.types import Source
from guardrail.verifier import Verifier
from policies import recording
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


async def test_knowledge_that_is_replaced_is_read_from_then_on(tmp_path: Path) -> None:
    """What is judged as another file takes the place of the graph is not checked; then verdicts are those of the new one."""
    path, empty = tmp_path / "knowledge.db", tmp_path / "empty.db"
    path.write_bytes(starter.ensure(knowledge_file()).read_bytes())
    Graph.create(empty).close()
    with serving(tmp_path, verifier=Verifier.open(path)) as (root, _):  # type: ignore[arg-type]
        _, before = await post(f"{root}/guardrail/verify", {"text": TRUE})
        empty.replace(path)
        await asyncio.sleep(LAG_S)
        outcomes = []
        while "unconfirmed" not in outcomes:  # each thread finds out by itself
            _, told = await post(f"{root}/guardrail/verify", {"text": OTHER})
            outcomes.append(told["outcome"])
            assert len(outcomes) < 20
        assert set(outcomes) <= {"not_checked", "unconfirmed"}
        assert told["versions"]["knowledge"] != before["versions"]["knowledge"]  # type: ignore[index]
        assert (await readiness(root))[0] == 200


async def test_a_corpus_that_was_removed_checks_nothing(tmp_path: Path, verifier: Verifier) -> None:
    """What its documents might have said is not known: every sentence is unchecked; put back, it is read again."""
    path, aside = tmp_path / "corpus.db", tmp_path / "aside.db"
    with Corpus.create(path) as corpus:
        index_documents(corpus, [Document("Facts", "The capital of Zorblax is Quux.")], origin="test")
    retrievers = {**verifier.retrievers, Source.CORPUS: CorpusRetriever(Corpus.open(path))}
    changed = replace(verifier, retrievers=retrievers)
    with serving(tmp_path, verifier=changed) as (root, _):  # type: ignore[arg-type]
        outcomes = []
        for move in (None, (path, aside), (aside, path)):
            if move:
                move[0].rename(move[1])
                await asyncio.sleep(LAG_S)
            _, told = await post(f"{root}/guardrail/verify", {"text": TRUE})
            outcomes.append(told["outcome"])
    assert outcomes == ["confirmed", "not_checked", "confirmed"]


async def test_a_clock_that_is_set_back_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records keep their order and their chain, whatever time they tell."""
    times = iter(f"2026-01-0{day}T00:00:00.000Z" for day in (5, 4, 3, 2, 1, 1, 1, 1))
    with serving(tmp_path) as (root, services):
        monkeypatch.setattr(recording, "now", lambda: next(times))
        ids = [(await post(f"{root}/v1/chat/completions", ASKED))[1]["guardrail"]["id"] for _ in range(3)]  # type: ignore[index]
        listed = services.log.list()
    assert [one.response for one in listed] == ids[::-1]
    assert listed[0].time < listed[-1].time
    with AuditLog.open(tmp_path / "audit.db") as log:
        assert verify(log, read_public_key(tmp_path / "audit.db.key.pub")).ok
