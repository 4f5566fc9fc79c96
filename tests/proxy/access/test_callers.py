"""Virtual keys at work: the official SDKs against the real server, the model's server played by script."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import openai
import orjson
import pytest

from proxy.access.callers import key_of, shown, strayed
from proxy.access.keys import KeyRing
from proxy.wire.fields import own_key
from tests.fakes import FakeModel, Request, Script, completion, spoken
from tests.proxy.servers import serving
from tests.waiting import PATIENCE_S

JSON = (("content-type", "application/json"),)
ASK = {"model": "m", "messages": [{"role": "user", "content": "What is it?"}]}
WHOLE = Script([completion("This is wrong.")], headers=JSON)


@asynccontextmanager
async def keyed(
    tmp_path: Path,
    script: Callable[[Request], Script] | Script = WHOLE,
    *,
    key: dict | None = None,
    **given: object,
):
    """A server with one virtual key before a scripted model: (client with the key, token, model, services, root)."""
    ring = KeyRing(tmp_path / "keys.db")
    made, token = ring.create("alice", **(key or {}))
    ring.close()
    async with FakeModel(script).running() as model:
        options = {"upstream": model.url, "upstream_key": "sk-real", "keys": tmp_path / "keys.db", **given}
        with serving(tmp_path, **options) as (root, services):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key=token, max_retries=0) as client:
                yield client, (made, token), model, services, root


async def test_a_virtual_key_stands_for_the_upstreams(tmp_path: Path) -> None:
    """The model's server gets the real key and no trace of the virtual one; the record names the key's id."""
    async with keyed(tmp_path) as (client, (key, token), model, services, _):
        await client.chat.completions.create(**ASK)
        (sent,) = model.requests
        assert sent.headers["authorization"] == "Bearer sk-real"
        assert token not in str(sent.headers)
        (stored,) = services.log.list()
        assert stored.key == key.id


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/models"])
async def test_anthropics_clients_show_it_in_their_own_header(tmp_path: Path, path: str) -> None:
    """`x-api-key` is read too, and an Anthropic server gets the real key there."""
    async with keyed(tmp_path, policy="off", require_key=True) as (_, (_, token), model, _, root):
        async with aiohttp.ClientSession() as http:
            headers = {"x-api-key": token, "anthropic-version": "2023-06-01"}
            async with http.post(root + path, json=ASK, headers=headers) as answer:
                assert (answer.status, await answer.read() != b"") == (200, True)
        assert model.requests[0].headers["x-api-key"] == "sk-real"
        assert "authorization" not in model.requests[0].headers


async def test_without_a_key_of_its_own_the_upstream_gets_none(tmp_path: Path) -> None:
    """A virtual key never goes on, also where there is nothing to put in its place."""
    async with keyed(tmp_path, upstream_key="") as (client, _, model, _, _):
        await client.chat.completions.create(**ASK)
        assert "authorization" not in model.requests[0].headers


async def test_other_tokens_go_through_as_before(tmp_path: Path) -> None:
    """What is no virtual key is the client's own, and goes to a server that has no key set for it."""
    async with keyed(tmp_path, upstream_key="") as (client, _, model, _, _):
        await client.with_options(api_key="sk-mine").chat.completions.create(**ASK)
        assert model.requests[0].headers["authorization"] == "Bearer sk-mine"


@pytest.mark.parametrize("policy", ["annotate", "off"])
@pytest.mark.parametrize("token", ["gk-00000000-nothing", "gk-", "sk-mine"])
async def test_nobody_without_a_valid_key_is_served(tmp_path: Path, policy: str, token: str) -> None:
    """With --require-key every path that works or spends asks for a key; a wrong one is a 401 in OpenAI's shape."""
    async with keyed(tmp_path, policy=policy, require_key=True) as (client, _, model, _, root):
        other = client.with_options(api_key=token)
        with pytest.raises(openai.AuthenticationError) as caught:
            await other.chat.completions.create(**ASK)
        assert caught.value.code == "invalid_api_key"
        assert token not in caught.value.message
        with pytest.raises(openai.AuthenticationError):
            await other.models.list()
        async with aiohttp.ClientSession(headers={"authorization": f"Bearer {token}"}) as http:
            for path in ("verify", "revise", "extract"):
                answer = await http.post(f"{root}/guardrail/{path}", json={"text": "It is true."})
                assert answer.status == 401, path
            litellm = f"{root}/beta/litellm_basic_guardrail_api"
            assert (await http.post(litellm, json={"input_type": "response", "texts": ["a"]})).status == 401
            assert (await http.get(f"{root}/healthz")).status == 200
        assert model.requests == []


async def test_a_person_who_is_logged_in_needs_no_key(tmp_path: Path) -> None:
    """The pages of the server work for an admin's session, although keys are required; without it they do not."""
    async with keyed(tmp_path, require_key=True, admin_token="t0ken") as (_, _, _, _, root):
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            for statuses in ((401, 200), (200, 200)):
                async with http.post(f"{root}/guardrail/verify", json={"text": "It is true."}) as answer:
                    assert answer.status == statuses[0]
                async with http.post(f"{root}/ui/login", json={"token": "t0ken"}) as answer:
                    assert answer.status == statuses[1]


async def test_a_revoked_key_is_refused_while_the_server_runs(tmp_path: Path) -> None:
    """Revoking needs no restart: within a second the token opens nothing, and it still never goes on."""
    async with keyed(tmp_path) as (client, (key, _), model, _, _):
        await client.chat.completions.create(**ASK)
        ring = KeyRing(tmp_path / "keys.db")
        assert ring.revoke(key.id)
        ring.close()
        await asyncio.sleep(1.05)
        with pytest.raises(openai.AuthenticationError):
            await client.chat.completions.create(**ASK)
        assert len(model.requests) == 1


@pytest.mark.parametrize("stream", [False, True])
async def test_requests_beyond_the_limit_are_told_when_to_come_again(tmp_path: Path, stream: bool) -> None:
    """429 in OpenAI's shape with Retry-After; the model's server is not asked."""
    async with keyed(tmp_path, key={"requests": 1}) as (client, (key, _), model, _, _):
        await client.chat.completions.create(**ASK)
        with pytest.raises(openai.RateLimitError) as caught:
            await client.chat.completions.create(**ASK, stream=stream)
        error = caught.value
        assert (error.code, error.type) == ("rate_limit_exceeded", "requests")
        assert key.id in error.message
        assert 1 <= int(error.response.headers["retry-after"]) <= 60
        assert "x-should-retry" not in error.response.headers
        assert len(model.requests) == 1


@pytest.mark.parametrize("policy", ["annotate", "off"])
async def test_tokens_that_were_used_count(tmp_path: Path, policy: str) -> None:
    """The usage of a stream is taken off the key's tokens, whether the answer is checked or not."""
    script = Script(spoken("It is true.", usage=True))
    async with keyed(tmp_path, script, key={"tokens": 10}, policy=policy) as (client, *_):
        async for _ in await client.chat.completions.create(**ASK, stream=True):
            pass
        with pytest.raises(openai.RateLimitError) as caught:
            await client.chat.completions.create(**ASK)
        assert caught.value.type == "tokens"


async def test_answers_at_a_time_are_counted_until_they_end(tmp_path: Path) -> None:
    """A second answer waits outside while the first is open; a client that leaves makes room."""
    script = Script(spoken("It is true.")[:-2], hang=True)
    async with keyed(tmp_path, script, key={"concurrent": 1}) as (client, *_):
        first = await client.chat.completions.create(**ASK, stream=True)
        with pytest.raises(openai.RateLimitError) as caught:
            await client.chat.completions.create(**ASK, stream=True)
        assert caught.value.response.headers["retry-after"] == "1"
        await first.close()
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    second = await client.chat.completions.create(**ASK, stream=True)
                    break
                except openai.RateLimitError:
                    await asyncio.sleep(0.02)
        await second.close()


@pytest.mark.parametrize("policy", ["annotate", "off"])
async def test_who_has_read_its_answer_may_ask_again_at_once(tmp_path: Path, policy: str) -> None:
    """The place is free before the last byte is sent, also of an answer that is an error."""

    def answer(request: Request) -> Script:
        return Script(spoken("It is true.")) if request.json["stream"] else WHOLE

    async with (
        keyed(tmp_path, answer, key={"concurrent": 1}, policy=policy) as (_, (_, token), _, _, root),
        aiohttp.ClientSession(headers={"authorization": f"Bearer {token}"}) as http,
    ):
        for number in range(60):
            asked = {**ASK, "stream": number % 3 == 0}
            data = b"{" if number % 3 == 2 else orjson.dumps(asked)
            async with http.post(f"{root}/v1/chat/completions", data=data) as response:
                assert await response.read()
                assert response.status == (400 if number % 3 == 2 else 200)


async def test_a_key_has_policies_of_its_own(tmp_path: Path) -> None:
    """The first is used without being asked for, the others may be asked for, no further one."""
    async with keyed(tmp_path, key={"policies": ("block", "revise")}) as (client, *_):
        create = client.chat.completions.with_raw_response.create
        assert (await create(**ASK)).headers["x-guardrail-policy"] == "block"
        asked = {"x-guardrail-policy": "revise"}
        assert (await create(**ASK, extra_headers=asked)).headers["x-guardrail-policy"] == "revise"
        with pytest.raises(openai.BadRequestError, match="may not request the policy 'annotate'"):
            await create(**ASK, extra_headers={"x-guardrail-policy": "annotate"})
        with pytest.raises(openai.BadRequestError):
            await create(**ASK, extra_body={"guardrail": {"policy": "off"}})


async def test_a_policy_file_can_choose_by_the_id_of_a_key(tmp_path: Path) -> None:
    """`match: {key: ID}` is for that key alone."""
    ring = KeyRing(tmp_path / "keys.db")
    (made, token), (_, other) = ring.create("alice"), ring.create("bob")
    ring.close()
    file = tmp_path / "p.yaml"
    file.write_text(
        f"name: strict\nextends: block\nmatch: {{key: '{made.id}'}}\n---\nname: rest\nextends: annotate\n"
    )
    async with FakeModel(WHOLE).running() as model:
        options = {"upstream": model.url, "keys": tmp_path / "keys.db", "policy": str(file)}
        with serving(tmp_path, **options) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key=token, max_retries=0) as client:
                for shown_token, policy in ((token, "strict"), (other, "rest"), ("sk-mine", "rest")):
                    asking = client.with_options(api_key=shown_token).chat.completions.with_raw_response
                    assert (await asking.create(**ASK)).headers["x-guardrail-policy"] == policy


async def test_a_key_whose_policy_is_gone_is_not_served_unchecked(tmp_path: Path) -> None:
    """A policy that the server does not know is a refusal."""
    async with keyed(tmp_path, key={"policies": ("gone",)}, policy="off") as (client, _, model, _, _):
        with pytest.raises(openai.PermissionDeniedError, match="is not loaded"):
            await client.chat.completions.create(**ASK)
        assert model.requests == []


async def test_a_token_is_in_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither good nor bad tokens are logged, also when something breaks."""
    caplog.set_level(logging.DEBUG)
    async with keyed(tmp_path, key={"requests": 2}) as (client, (_, token), _, services, _):
        await client.chat.completions.create(**ASK)
        services.settings = None  # type: ignore[assignment]
        with pytest.raises(openai.InternalServerError):
            await client.chat.completions.create(**ASK)
    assert "internal error" in caplog.text
    assert token not in caplog.text
    assert "sk-real" not in caplog.text


def test_a_token_is_read_from_either_header() -> None:
    """Bearer in any case, or x-api-key; nothing else."""

    assert shown([(b"authorization", b"bearer  gk-1")]) == "gk-1"
    assert shown([(b"x-api-key", b"gk-2")]) == "gk-2"
    assert shown([(b"authorization", b"Basic gk-3")]) == ""
    assert shown([]) == ""
    assert key_of({"headers": []}) is None


SPELLED = [
    ("authorization", "Bearer\t{token}"),
    ("authorization", "bearer   {token}  "),
    ("x-api-key", "{token}"),
    ("api-key", "{token}"),
    ("authorization", "{token}"),
    ("authorization", "Basic {token}"),
    ("authorization", "Token token={token}"),
    ("authorization", "Bearer{token}"),
    ("authorization", 'Bearer "{token}"'),
    ("authorization", "Basic {basic}"),
    ("proxy-authorization", "Bearer {token}"),
    ("x-goog-api-key", "{token}"),
    ("ocp-apim-subscription-key", "{token}"),
    ("cookie", "a=b; key={token}"),
    ("x-anything", "{token}"),
]


@pytest.mark.parametrize("revoked", [False, True])
@pytest.mark.parametrize(
    "own",
    [{}, {"authorization": "Bearer sk-own"}, {"x-api-key": "sk-own"}, {"authorization": "Bearer {token}"}],
)
async def test_no_spelling_of_a_key_goes_on(tmp_path: Path, own: dict[str, str], revoked: bool) -> None:
    """In whatever header and form, beside whatever other credential, valid or revoked: the model's server never sees it."""
    async with keyed(tmp_path) as (_, (key, token), model, _, root), aiohttp.ClientSession() as http:
        if revoked:
            ring = KeyRing(tmp_path / "keys.db")
            assert ring.revoke(key.id)
            ring.close()
            await asyncio.sleep(1.05)
        basic = base64.b64encode(f"user:{token}".encode()).decode()
        for name, form in SPELLED:
            given = {n: v.format(token=token) for n, v in own.items()}
            given |= {name: form.format(token=token, basic=basic)}
            for path in ("chat/completions", "embeddings"):
                async with http.post(f"{root}/v1/{path}", json=ASK, headers=given) as response:
                    assert response.status == 401 if revoked else response.status in (200, 401)
        async with http.post(f"{root}/v1/embeddings?api_key={token}", json=ASK) as response:
            assert response.status == 401
        assert revoked is (model.requests == [])
        for request in model.requests:
            assert token not in str(request.headers) + request.path
            assert request.headers["authorization"] == "Bearer sk-real"
            assert "sk-own" not in str(request.headers)


async def test_two_keys_are_none(tmp_path: Path) -> None:
    """Which of them is meant, nobody knows."""
    async with keyed(tmp_path) as (_, (_, token), model, _, root), aiohttp.ClientSession() as http:
        given = {"authorization": f"Bearer {token}", "x-api-key": token[:-1]}
        async with http.post(f"{root}/v1/chat/completions", json=ASK, headers=given) as response:
            assert response.status == 401
    assert model.requests == []


async def test_the_cookie_of_a_session_stays_here(tmp_path: Path) -> None:
    """The pages' own requests carry it; the client's other cookies go on."""
    async with keyed(tmp_path) as (_, _, model, _, root), aiohttp.ClientSession() as http:
        for cookie in ("a=1; guardrail_session=s3cret; b=2", "guardrail_session=s3cret"):
            given = {"cookie": cookie, "x-csrf-token": "s3cret"}
            async with http.post(f"{root}/v1/chat/completions", json=ASK, headers=given) as response:
                assert response.status == 200
    first, second = model.requests
    assert "s3cret" not in str(first.headers) + str(second.headers)
    assert first.headers["cookie"] == "a=1; b=2"
    assert "cookie" not in second.headers


async def test_azures_client_may_use_a_key(tmp_path: Path) -> None:
    """It sends the key in a header of its own, and its server gets the operator's in the same."""
    async with (
        keyed(tmp_path) as (_, (_, token), model, _, root),
        openai.AsyncAzureOpenAI(
            azure_endpoint=root, api_key=token, api_version="2024-06-01", max_retries=0
        ) as client,
    ):
        await client.chat.completions.create(**ASK)
    (request,) = model.requests
    assert request.headers["api-key"] == "sk-real"
    assert "authorization" not in request.headers


def test_a_word_that_only_looks_like_a_key_is_the_clients_own() -> None:
    """What begins otherwise, and what no credential says, goes on."""
    assert not strayed([(b"authorization", b"Bearer sk-gk-1"), (b"x-trace", b"gk-7")], b"q=agk-1")
    assert strayed([(b"authorization", b"gk-1")])
    assert strayed([], b"key=GK-1")


@pytest.mark.parametrize(
    "headers",
    [
        [(b"authorization", b"Bearer sk-mine")],
        [(b"x-api-key", b"sk-mine")],
        [(b"accept", b"*/*"), (b"api-key", b"sk-mine"), (b"authorization", b"Basic eA==")],
    ],
)
def test_a_key_of_the_clients_own_is_found_where_it_may_stand(headers: list[tuple[bytes, bytes]]) -> None:
    """Providers that litellm asks get it; other credentials are none of theirs."""
    assert own_key(headers) == "sk-mine"
    assert own_key([]) == ""
