"""No path, method or spelling leads around a policy that guards; under the others everything passes and is named."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import openai
import orjson
import pytest

from tests.fakes import FakeModel, Request, Script, completion, spoken
from tests.proxy.apis import test_responses as responses
from tests.proxy.proxied import ASK, JSON
from tests.proxy.servers import serving

BAD = "This is wrong."
WHOLE = Script([completion(BAD)], headers=JSON)


def scripted(request: Request) -> Script:
    """A server that understands every spelling and answers each path with the same wrong words."""
    if "responses" in request.path:
        return Script([orjson.dumps(responses.response(BAD))], headers=JSON)
    return WHOLE


async def raw(root: str, method: str, path: str, body: bytes = b"{}") -> tuple[int, bytes]:
    """Status and everything that a request gets whose path no library tidies up."""
    host = root.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    head = f"{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
    said = await reader.read()
    writer.close()
    await writer.wait_closed()
    return int(said.split()[1]), said


async def got(http: aiohttp.ClientSession, method: str, url: str, **given: Any) -> aiohttp.ClientResponse:
    """A response with its body read and its connection given back."""
    async with http.request(method, url, **given) as response:
        await response.read()
    return response


SPELLINGS = [
    ("POST", "/v1/chat/completions/"),
    ("POST", "/v1//chat/completions"),
    ("POST", "/v1/./chat/completions"),
    ("POST", "/v1/chat/completions;x=1"),
    ("POST", "/v1/chat/completions%20"),
    ("POST", "/V1/Chat/Completions"),
    ("POST", "/v1/chat%2fcompletions"),
    ("POST", "/v1/engines/m/chat/completions"),
    ("POST", "/v1/deployments/m/chat/completions"),
    ("POST", "/openai/deployments/m/chat/completions?api-version=1"),
    ("POST", "/openai/v1/chat/completions"),
    ("GET", "/v1/chat/completions/c_1"),
    ("GET", "/v1/responses/r_1"),
    ("POST", "/v1/responses/r_1/cancel"),
    ("PUT", "/v1/chat/completions"),
    ("GET", "/v1/chat/completions"),
    ("PATCH", "/v1/responses"),
    ("POST", "/v1/batches"),
    ("POST", "/v1/threads/runs"),
    ("GET", "/v1/threads/t/messages"),
    ("GET", "/v1/conversations/c/items"),
    ("GET", "/v1/responses/r_1/input_items"),
    ("POST", "/v1/responses/compact"),
    ("GET", "/v1/containers/c/files"),
    ("POST", "/v1/messages/batches"),
    ("POST", "/v1/evals/e/runs"),
    ("POST", "/v1/complete"),
    ("POST", "/v1/models/g:generateContent"),
    ("POST", "/v1/anything/else"),
    ("BREW", "/v1/chat/completions"),
]


@pytest.mark.parametrize("policy", ["block", "revise", "attach"])
async def test_no_spelling_leads_around_a_policy_that_guards(tmp_path: Path, policy: str) -> None:
    """What means a guarded path is guarded, what is not known is refused: the words never go out as they came."""
    body = b'{"model":"m","messages":[{"role":"user","content":"x"}],"input":"x"}'
    async with FakeModel(scripted).running() as model:
        with serving(tmp_path, upstream=model.url, policy=policy) as (root, _):
            for method, path in SPELLINGS:
                status, said = await raw(root, method, path, body)
                done = f"x-guardrail-action: {policy}".encode() in said
                assert done or (status in (400, 403, 404, 405) and BAD.encode() not in said), (method, path)


async def test_a_spelling_goes_on_as_the_path_that_it_means(tmp_path: Path) -> None:
    """The model's server never reads what the proxy has read otherwise."""
    async with FakeModel(WHOLE).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            for _method, path in SPELLINGS[:7]:
                assert (await raw(root, "POST", path, b'{"model":"m","messages":[]}'))[0] == 200
    assert {request.path for request in model.requests} == {"/v1/chat/completions"}


async def test_a_refusal_says_what_is_checked(tmp_path: Path) -> None:
    """In OpenAI's shape, with the reason; a method that there is not names those that there are."""
    async with FakeModel(WHOLE).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            response = await got(http, "post", f"{root}/v1/batches", json={})
            error = (await response.json())["error"]
            assert (response.status, error["code"]) == (403, "not_guarded")
            assert "POST /v1/chat/completions" in error["message"]
            assert "serve --pass" in error["message"]
            response = await got(http, "get", f"{root}/v1/files/f/content")  # it may hold a batch's answers
            assert (response.status, (await response.json())["error"]["code"]) == (403, "not_guarded")
            response = await got(http, "put", f"{root}/v1/chat/completions", json={})
            assert (response.status, response.headers["allow"]) == (405, "POST")
            response = await got(http, "options", f"{root}/v1/chat/completions")
            assert (response.status, response.headers["allow"]) == (204, "POST")
            assert (await got(http, "head", f"{root}/v1/chat/completions")).status == 405
    assert model.requests == []


async def test_what_holds_no_answer_passes_under_every_policy(tmp_path: Path) -> None:
    """Models, embeddings and files are the upstream's."""
    async with FakeModel(Script([b"{}"], headers=JSON)).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            for method, path in (("GET", "models"), ("POST", "embeddings"), ("GET", "files/f")):
                response = await got(http, method, f"{root}/v1/{path}")
                assert (response.status, response.headers["x-guardrail-outcome"]) == (200, "not_checked")
            assert (await got(http, "head", f"{root}/v1/models")).status == 200


async def test_unknown_paths_pass_where_nothing_is_guarded(tmp_path: Path) -> None:
    """In observe they go through, named as not checked; a request that asks for a policy that guards has them refused."""
    async with FakeModel(WHOLE).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url) as (root, _):
            for method, path in (("POST", "batches"), ("PUT", "chat/completions"), ("GET", "responses/r")):
                response = await got(http, method, f"{root}/v1/{path}", json={})
                assert (response.status, response.headers["x-guardrail-outcome"]) == (200, "not_checked")
            asked = {"x-guardrail-policy": "block"}
            assert (await got(http, "post", f"{root}/v1/batches", json={}, headers=asked)).status == 403


async def test_the_operator_may_open_a_path(tmp_path: Path) -> None:
    """That one and what is below it, not what begins alike; `/readyz` tells."""
    async with FakeModel(WHOLE).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="block", passes=("/v1/batches",)) as (root, _):
            assert (await got(http, "post", f"{root}/v1/batches", json={})).status == 200
            assert (await got(http, "get", f"{root}/v1/batches/b_1")).status == 200
            assert (await got(http, "get", f"{root}/v1/batches2")).status == 403
            assert (await got(http, "put", f"{root}/v1/batches")).status == 200
            assert (await (await got(http, "get", f"{root}/readyz")).json())["passed"] == ["/v1/batches"]


async def test_a_path_may_be_opened_for_one_method(tmp_path: Path) -> None:
    """Lists may be read, and what is known below them is checked all the same."""
    opened = ("GET /v1/chat/completions",)
    async with FakeModel(WHOLE).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="block", passes=opened) as (root, _):
            assert (await got(http, "get", f"{root}/v1/chat/completions")).status == 200
            assert (await got(http, "get", f"{root}/v1/chat/completions/c/messages")).status == 200
            assert (await got(http, "put", f"{root}/v1/chat/completions")).status == 405
            assert BAD not in await (await got(http, "get", f"{root}/v1/chat/completions/c")).text()


async def test_the_policy_of_an_unknown_path_is_the_strictest_that_it_may_be_for(tmp_path: Path) -> None:
    """A path that is not read may ask for any model, so the policy of one model guards it for all."""
    file = tmp_path / "p.yaml"
    file.write_text(
        "name: big\nextends: block\nmatch: {model: 'gpt-*'}\n---\nname: rest\nextends: annotate\n"
    )
    async with FakeModel(WHOLE).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy=str(file)) as (root, _):
            assert (await got(http, "post", f"{root}/v1/batches", json={})).status == 403
            for path, asked in (("gpt-4", "other"), ("other", "gpt-4")):
                url = f"{root}/v1/deployments/{path}/chat/completions"
                said = await (await got(http, "post", url, json={**ASK, "model": asked})).text()
                assert BAD not in said


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("where", [{"base_url": "{root}/v1"}, {"azure_endpoint": "{root}"}])
async def test_azures_client_is_guarded(tmp_path: Path, where: dict[str, str], stream: bool) -> None:
    """The official client works with both of its ways to name a server, and its answers are checked."""
    script = Script(spoken(BAD)) if stream else WHOLE
    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            given: dict[str, Any] = {name: value.format(root=root) for name, value in where.items()}
            client = openai.AsyncAzureOpenAI(**given, api_key="k", api_version="2024-06-01", max_retries=0)
            async with client:
                answer = await client.chat.completions.create(**{**ASK, "model": "prod"}, stream=stream)
                parts = [chunk async for chunk in answer] if stream else [answer]
    spoken_words = [choice.delta if stream else choice.message for part in parts for choice in part.choices]
    said = "".join(one.content or "" for one in spoken_words)
    assert said
    assert BAD not in said
    (request,) = model.requests
    assert request.path == "/v1/deployments/prod/chat/completions?api-version=2024-06-01"


async def test_a_stored_answer_is_checked_as_it_is_fetched(tmp_path: Path) -> None:
    """A response that was made in the background, or blocked before, is not to be had by its id; one that runs still is."""
    bodies = {
        "/v1/responses/good": responses.response("This is true."),
        "/v1/responses/bad": responses.response(BAD),
        "/v1/responses/queued": {**responses.response(""), "output": [], "status": "queued"},
    }

    def answer(request: Request) -> Script:
        return Script([orjson.dumps(bodies[request.path])], headers=JSON)

    async with FakeModel(answer).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, services):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                good = await client.responses.retrieve("good")
                assert (good.output_text, good.guardrail["outcome"]) == ("This is true.", "confirmed")  # type: ignore[attr-defined]
                assert BAD not in (await client.responses.retrieve("bad")).model_dump_json()
                assert (await client.responses.retrieve("queued")).status == "queued"
                with pytest.raises(openai.BadRequestError, match="from its beginning"):
                    await client.responses.retrieve("bad", stream=True, starting_after=3)
            assert services.log.list()[-2].policy == "block"


async def test_a_stored_stream_is_checked_as_it_is_fetched(tmp_path: Path) -> None:
    """The events of a background answer are held like those of any other."""
    script = Script(responses.spoken(BAD))
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            response = await got(http, "get", f"{root}/v1/responses/r?stream=true")
            assert response.content_type == "text/event-stream"
            assert BAD not in await response.text()


async def test_a_path_that_climbs_out_is_a_404(tmp_path: Path) -> None:
    """Also where the policy guards nothing."""
    with serving(tmp_path) as (root, _):
        assert (await raw(root, "GET", "/v1/../admin"))[0] == 404
