"""Bad requests, bad upstreams, too many at a time: what a chat client gets then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import openai
import orjson
import pytest

from guardrail.errors import PolicyError
from tests.fakes import DONE, Script, chunk, completion, spoken
from tests.proxy.proxied import ASK, JSON, collect, proxied, text_of
from tests.proxy.servers import given_back, serving


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"5", b"\xff", b'{"a": 1}}'])
async def test_malformed_json_is_a_400_in_openai_shape(tmp_path: Path, raw: bytes) -> None:
    """A body that is no JSON object is refused before anybody is asked."""
    async with proxied(tmp_path, Script()) as (_, model, _, root), aiohttp.ClientSession() as http:
        response = await http.post(f"{root}/v1/chat/completions", data=raw)
        assert response.status == 400
        assert (await response.json())["error"]["code"] == "invalid_json"
        assert model.requests == []


async def test_a_body_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    """A request larger than the limit is a 413, whatever its Content-Length says."""
    async with proxied(tmp_path, Script(), max_body=1000) as (client, model, _, _):
        with pytest.raises(openai.APIStatusError) as caught:
            await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "x" * 2000}]
            )
        assert caught.value.status_code == 413
        assert model.requests == []


def test_an_unknown_policy_is_refused_at_start(tmp_path: Path) -> None:
    """A policy that does not exist stops the server with a clear message."""
    with pytest.raises(PolicyError, match="no such policy file"), serving(tmp_path, policy="nonsense"):
        pass


async def test_an_upstream_that_is_down_is_a_502_on_record(tmp_path: Path) -> None:
    """No connection: a clear error that may be retried, and a record."""
    with serving(tmp_path, upstream="http://127.0.0.1:9/v1") as (root, services):
        client = openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="sk-secret", max_retries=0)
        with pytest.raises(openai.InternalServerError, match="cannot be reached") as caught:
            await client.chat.completions.create(**ASK)
        assert caught.value.status_code == 502
        assert "127.0.0.1" not in str(caught.value)
        (record,) = services.log.list()
        assert (record.outcome, record.error) == ("not_checked", "the model server cannot be reached")
        await client.close()


@pytest.mark.parametrize("stream", [True, False])
async def test_an_upstream_that_hangs_runs_into_the_time_limit(tmp_path: Path, stream: bool) -> None:
    """Silence beyond the read time-out ends the answer with an error, on record; what came is shown when streamed."""
    pieces = [chunk("It is true. Then")] if stream else [b'{"choices"']
    script = Script(
        pieces, hang=True, headers=(("content-type", "text/event-stream" if stream else "application/json"),)
    )
    async with proxied(tmp_path, script, read_timeout=0.3) as (client, _, services, _):
        if stream:
            seen: list = []
            with pytest.raises(openai.APIError, match="did not answer in time"):
                await collect(await client.chat.completions.create(**ASK, stream=True), seen)
            assert seen[0].choices[0].delta.content == "It is true. Then"
        else:
            with pytest.raises(openai.InternalServerError) as caught:
                await client.chat.completions.create(**ASK)
            assert caught.value.status_code == 504
        (record,) = services.log.list()
        assert record.error == "the model server did not answer in time"


@pytest.mark.parametrize("stream", [True, False])
async def test_an_upstream_that_breaks_off_is_told(tmp_path: Path, stream: bool) -> None:
    """A connection that is cut in mid-answer: partial text, report marked interrupted, error; never a silent end."""
    pieces = [chunk("It is true. Then")] if stream else [b'{"choices"']
    script = Script(
        pieces, cut=True, headers=(("content-type", "text/event-stream" if stream else "application/json"),)
    )
    async with proxied(tmp_path, script) as (client, _, services, _):
        with pytest.raises(openai.APIError, match="broke off"):
            await collect(await client.chat.completions.create(**ASK, stream=stream), [])
        (record,) = services.log.list()
        assert record.error == "the model server broke off its answer"


async def test_malformed_events_are_an_error_event(tmp_path: Path) -> None:
    """An upstream that sends no JSON in its events ends in a clear error, on record."""
    async with proxied(tmp_path, Script([chunk("It is true."), b"data: <html>\n\n"])) as (
        client,
        _,
        services,
        _,
    ):
        with pytest.raises(openai.APIError, match="not valid JSON"):
            await collect(await client.chat.completions.create(**ASK, stream=True), [])
        assert "not valid JSON" in services.log.list()[0].error


async def test_a_whole_answer_that_is_no_json_is_a_502(tmp_path: Path) -> None:
    """Garbage with a JSON content type is refused with an error of ours, not a stack trace."""
    async with proxied(tmp_path, Script([b"<html>"], headers=JSON)) as (client, _, services, _):
        with pytest.raises(openai.InternalServerError, match="not a JSON object") as caught:
            await client.chat.completions.create(**ASK)
        assert caught.value.status_code == 502
        assert len(services.log.list()) == 1


PAGE = [b"<html>\n\n<h1>busy</h1>\n\n", b"</html>"]


@pytest.mark.parametrize("policy", ["annotate", "block"])
@pytest.mark.parametrize("kind", ["text/html", "text/event-stream"])
async def test_a_page_instead_of_a_stream_is_a_502(tmp_path: Path, policy: str, kind: str) -> None:
    """A gateway's page with status 200 never reaches the client, which gets an error that it raises."""
    script = Script(PAGE, headers=[("content-type", kind)])
    async with proxied(tmp_path, script, policy=policy) as (client, _, services, _):
        with pytest.raises(openai.InternalServerError, match="no stream of events") as caught:
            await client.chat.completions.create(**ASK, stream=True)
        assert caught.value.status_code == 502
        assert "busy" not in str(caught.value)
        assert "no stream of events" in services.log.list()[0].error


async def test_a_page_in_mid_stream_hides_no_error(tmp_path: Path) -> None:
    """The words before it arrive, then an error, and nothing of the page."""
    script = Script([chunk("It is true. "), *PAGE])
    async with proxied(tmp_path, script, policy="annotate") as (client, _, _, _):
        said: list = []
        with pytest.raises(openai.APIError, match="no stream of events"):
            await collect(await client.chat.completions.create(**ASK, stream=True), said)
        assert "It is true." in "".join(one.choices[0].delta.content or "" for one in said)
        assert "busy" not in repr(said)


@pytest.mark.parametrize("stream", [True, False])
async def test_a_429_of_the_upstream_goes_through_with_its_headers(tmp_path: Path, stream: bool) -> None:
    """Rate limits of the model's server reach the client as they are, and are on record."""
    body = b'{"error":{"message":"slow down","type":"rate_limit","code":"rpm"}}'
    script = Script(
        [body], status=429, headers=(*JSON, ("retry-after", "7"), ("x-ratelimit-remaining-requests", "0"))
    )
    async with proxied(tmp_path, script) as (client, _, services, _):
        with pytest.raises(openai.RateLimitError, match="slow down") as caught:
            await client.chat.completions.create(**ASK, stream=stream)
        assert caught.value.response.headers["retry-after"] == "7"
        assert caught.value.response.headers["x-ratelimit-remaining-requests"] == "0"
        assert "429" in services.log.list()[0].error


async def test_an_upstream_that_answers_json_to_a_stream_is_checked(tmp_path: Path) -> None:
    """`stream: true` answered by a whole completion is checked like any whole answer, never passed by."""
    async with (
        proxied(tmp_path, Script([completion("It is wrong.")], headers=JSON), policy="revise") as (
            _,
            _,
            _,
            root,
        ),
        aiohttp.ClientSession() as http,
    ):
        response = await http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": True})
        assert orjson.loads(await response.read())["choices"][0]["message"]["content"] == "It is right."


async def test_too_many_answers_at_a_time_get_a_429(tmp_path: Path) -> None:
    """When all permits are taken, the next client is told when to come again; afterwards there is room."""
    refused = asyncio.Event()

    def said() -> Iterator[bytes | float]:
        yield chunk("Hi")
        while not refused.is_set():
            yield 0.01
        yield chunk(finish="stop")
        yield DONE

    async with proxied(tmp_path, lambda _: Script(said()), max_answers=1) as (
        client,
        _,
        services,
        _,
    ):
        first = await client.chat.completions.create(**ASK, stream=True)
        with pytest.raises(openai.RateLimitError) as caught:
            await client.chat.completions.create(**ASK, stream=True)
        assert caught.value.response.headers["retry-after"] == "1"
        refused.set()
        assert (await text_of(first))[0] == "Hi"
        await given_back(services)
        assert (await text_of(await client.chat.completions.create(**ASK, stream=True)))[0] == "Hi"


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", ""])
async def test_no_content_type_leads_past_the_check(tmp_path: Path, kind: str) -> None:
    """A success under another or no content type is read as what was asked for, so it is checked all the same."""

    def script(request):
        pieces = spoken("It is wrong.") if request.json.get("stream") else [completion("It is wrong.")]
        return Script(pieces, headers=[("content-type", kind)] if kind else [])

    async with proxied(tmp_path, script, policy="revise") as (_, _, _, root), aiohttp.ClientSession() as http:
        for stream in (True, False):
            response = await http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": stream})
            body = await response.read()
            assert b'"outcome":"flagged"' in body
            assert b"right" in body
