"""The doors in front of the replicas, with an engine that is scripted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from guardrail.deploy.ingress import AT_ONCE, Doors, Lost, Overloaded
from guardrail.deploy.serving import Told
from guardrail.models.nli import Pair


@dataclass
class Engine:
    """Echoes; a text `lost` or `full` raises."""

    degraded: list[str] = field(default_factory=list)
    raises: type[Exception] | None = None
    under_way: int = 0
    most: int = 0

    async def verify(self, given: Mapping[str, Any]) -> Told:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.002)
        self.under_way -= 1
        text = given.get("text")
        if text == "lost" or self.raises:
            raise self.raises or Lost
        if text == "full":
            raise Overloaded
        return {"report": {"text": text}} if isinstance(text, str) else {"error": "text must be a string"}

    async def predict(self, pairs: Sequence[Pair]) -> Told:
        if self.raises:
            raise self.raises
        return {"rows": [[0.1, 0.2, 0.7]] * len(pairs)} if len(pairs) < 9 else {"error": "too many"}

    async def info(self) -> Told:
        return {"model_id": "m"}

    async def state(self) -> Told:
        if self.raises:
            raise self.raises
        return {"versions": {}, "degraded": self.degraded}


def client(engine: Engine) -> httpx.AsyncClient:
    doors = Doors(engine, max_text=100)
    site = Starlette(routes=[Route("/{path:path}", doors.answer, methods=["GET", "POST"])])
    return httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://test")


async def test_a_text_has_its_report() -> None:
    """What the engine reports is the answer."""
    async with client(Engine()) as one:
        reply = await one.post("/guardrail/verify", json={"text": "a"})
        assert (reply.status_code, reply.json()) == (200, {"text": "a"})


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"{", 400, "not JSON"),
        (b"[1]", 400, "JSON object"),
        (b"{}", 400, "text must be"),
        (json.dumps({"text": "x" * 101}).encode(), 413, "more than the 100"),
        (b'{"text": "lost"}', 503, "not checked"),
        (b'{"text": "full"}', 429, "Too many"),
    ],
)
async def test_what_is_not_checked_is_an_error(body: bytes, status: int, message: str) -> None:
    """In OpenAI's shape, never a report; who may try again is told when."""
    async with client(Engine()) as one:
        reply = await one.post("/guardrail/verify", content=body)
    assert reply.status_code == status
    assert message in reply.json()["error"]["message"]
    assert ("retry-after" in reply.headers) == (status in (429, 503))


async def test_lines_are_answered_in_order_and_few_at_a_time() -> None:
    """Each line has its number; one that is lost says so in its place; not all are handed out at once."""
    engine = Engine()
    texts = [f"t{number}" for number in range(3 * AT_ONCE)]
    texts[5] = "lost"
    body = "\n".join(json.dumps({"text": text}) for text in texts) + "\n\nno json\n"
    async with client(engine) as one:
        reply = await one.post(
            "/guardrail/verify", content=body.encode(), headers={"content-type": "application/x-ndjson"}
        )
    told = [json.loads(line) for line in reply.text.splitlines()]
    assert [row["line"] for row in told] == [*range(1, len(texts) + 1), len(texts) + 2]
    assert told[5] == {"line": 6, "error": "not checked: lost"}
    assert told[6]["text"] == "t6"
    assert "not JSON" in told[-1]["error"]
    assert 1 < engine.most <= AT_ONCE


async def test_pairs_are_judged_as_text_embeddings_inference_does() -> None:
    """A list of pairs gives a list of labels sorted by score for each; a single pair gives one."""
    best = {"label": "contradictory", "score": 0.7}
    async with client(Engine()) as one:
        many = await one.post("/predict", json={"inputs": [["a", "b"], ["c", "d"]], "truncate": False})
        assert [row[0] for row in many.json()] == [best, best]
        single = await one.post("/predict", json={"inputs": ["a", "b"]})
        assert single.json()[0] == best
        for inputs in ([], [["a"]], [["a", 1]], "a", None, [["a", "b"]] * 9):
            assert (await one.post("/predict", json={"inputs": inputs})).status_code == 422
        assert (await one.get("/info")).json() == {"model_id": "m"}


async def test_an_overloaded_classifier_says_so_in_its_own_words() -> None:
    """429, as text-embeddings-inference."""
    async with client(Engine(raises=Overloaded)) as one:
        reply = await one.post("/predict", json={"inputs": ["a", "b"]})
    assert (reply.status_code, reply.json()["error_type"]) == (429, "Overloaded")


async def test_readiness() -> None:
    """Alive is the process; ready is a verifier that answers; what does not work is named."""
    async with client(Engine()) as one:
        assert (await one.get("/healthz")).json() == {"status": "ok"}
        assert (await one.get("/readyz")).json()["status"] == "ready"
        assert (await one.get("/nothing")).status_code == 404
    async with client(Engine(degraded=["model: away"])) as one:
        assert (await one.get("/readyz")).json()["status"] == "degraded"
    async with client(Engine(raises=Lost)) as one:
        assert (await one.get("/readyz")).status_code == 503
