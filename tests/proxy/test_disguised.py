"""What is wrong does not reach the client of a policy that blocks, however it is written."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import orjson

from guardrail.verifier import Verifier
from tests.disguises import disguises, listings
from tests.fakes import FakeModel, Request, Script, completion, spoken
from tests.proxy.servers import serving

WRONG = "The capital of Australia is Sydney."
JSON = [
    '{"fact": "The capital of Australia is Sydney."}',
    '{"The capital of Australia is Sydney.": true}',
    '{"country": "Australia", "capital": "Sydney"}',
    '{"answer": {"Australia": {"currency": "Euro"}}}',
    '{"fact": "The capital of **Aus**tr\\u00adalia is Syd\\u200bney."}',
]
EVERY = 5  # one way in so many: the others are tried on the library


async def test_a_disguised_falsehood_is_blocked(tmp_path: Path, verifier: Verifier) -> None:
    """Streamed in small pieces or whole, a contradicted statement in a sample of disguises is withheld."""
    texts = [put(WRONG) for _, put in disguises()][::EVERY]
    texts += [text for _, text, label in listings() if label == "contradictory"][::EVERY]
    texts += JSON

    def answer(request: Request) -> Script:
        body = orjson.loads(request.body)
        text = texts[int(body["messages"][0]["content"])]
        if body["stream"]:
            return Script(spoken(text, size=3))
        return Script([completion(text)], headers=[("content-type", "application/json")])

    model = FakeModel(answer)
    async with model.running(), aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="block", verifier=verifier) as (root, _):  # type: ignore[arg-type]
            for number, text in enumerate(texts):
                for stream in (True, False):
                    asked = [{"role": "user", "content": str(number)}]
                    body = {"model": "m", "stream": stream, "messages": asked}
                    async with http.post(f"{root}/v1/chat/completions", json=body) as response:
                        shown = await (_streamed(response) if stream else _whole(response))
                    assert text not in shown, text


async def _streamed(response: aiohttp.ClientResponse) -> str:
    lines = [line[6:] for line in (await response.read()).split(b"\n") if line.startswith(b"data: {")]
    choices = [choice for line in lines for choice in orjson.loads(line)["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


async def _whole(response: aiohttp.ClientResponse) -> str:
    return str(orjson.loads(await response.read())["choices"][0]["message"]["content"])
