"""A chat client behind the proxy: the official SDK against the real server, the model's server played by script."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import openai
import orjson
import pytest

from guardrail.errors import PolicyError
from policies.policy import PRESETS
from proxy.services import Services
from tests.fakes import DONE, FakeModel, FakeVerifier, Script, chunk, completion, spoken
from tests.proxy.servers import serving

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
    for _ in range(100):
        if services.permits.taken == services.pool.waiting == 0:
            return
        await asyncio.sleep(0.01)
    assert (services.permits.taken, services.pool.waiting) == (0, 0)


async def collect(stream, into: list) -> None:
    async for one in stream:
        into.append(one)  # noqa: PERF401 - what came before an error counts


async def text_of(stream) -> tuple[str, list]:
    chunks = [one async for one in stream]
    return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices), chunks


# ── what an SDK sees ──────────────────────────────────────────────────────────────────────────────────


async def test_create_gives_message_report_and_annotations(tmp_path: Path) -> None:
    """A whole answer carries its report on message and response, citations, and the outcome in headers."""
    async with proxied(tmp_path, Script([completion(TEXT)], headers=JSON)) as (client, _, _, _):
        raw = await client.chat.completions.with_raw_response.create(**ASK)
        answer = raw.parse()
    assert answer.choices[0].message.content == TEXT
    report = answer.choices[0].message.guardrail  # type: ignore[attr-defined]
    assert [c["label"] for c in report["claims"]] == ["attributable", "contradictory"]
    assert answer.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]
    cited = answer.choices[0].message.annotations[0].url_citation
    assert TEXT[cited.start_index : cited.end_index] == "This is true."
    head = raw.headers
    assert (head["x-guardrail-action"], head["x-guardrail-kas"], head["x-guardrail-outcome"]) == (
        "annotate",
        "0.250",
        "flagged",
    )
    assert head["x-guardrail-id"] == report["id"]
    assert (head["x-guardrail-policy"], head["x-guardrail-mode"]) == ("annotate", "observe")


async def test_stream_gives_progress_and_the_report_once(tmp_path: Path) -> None:
    """A streamed answer has the model's words, verdicts on the way, and one full report before the end."""
    async with proxied(tmp_path, Script(spoken(TEXT, usage=True))) as (client, _, _, _):
        stream = await client.chat.completions.create(
            **ASK, stream=True, stream_options={"include_usage": True}
        )
        said, chunks = await text_of(stream)
    assert said == TEXT
    progress = [
        c.guardrail for c in chunks if getattr(c, "guardrail", None) and "check_offset" in c.guardrail
    ]
    assert [p["choice_index"] for p in progress] == [0, 0, 0]
    (report,) = [
        c.choices[0].delta.guardrail
        for c in chunks
        if c.choices and getattr(c.choices[0].delta, "guardrail", None)
    ]
    assert report["outcome"] == "flagged"
    assert [c.usage.total_tokens for c in chunks if c.usage] == [10]


async def test_stream_helper_keeps_report_and_annotations(tmp_path: Path) -> None:
    """`.stream()` of the SDK gives a final completion whose message carries the report."""
    async with (
        proxied(tmp_path, Script(spoken(TEXT, usage=True))) as (client, _, _, _),
        client.chat.completions.stream(**ASK, stream_options={"include_usage": True}) as stream,
    ):
        async for _ in stream:
            pass
        final = await stream.get_final_completion()
    assert final.choices[0].message.content == TEXT
    assert final.choices[0].message.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]
    assert final.choices[0].finish_reason == "stop"
    assert final.choices[0].message.role == "assistant"
    assert final.choices[0].message.annotations
    assert final.usage
    assert final.usage.total_tokens == 10


async def test_usage_told_with_the_finish_reason_survives(tmp_path: Path) -> None:
    """A server that puts usage on its last chunk keeps it in the SDK's final completion."""
    counted = {"prompt_tokens": 3, "completion_tokens": 7, "total_tokens": 10}
    wire = [chunk("It is true."), chunk(finish="stop", usage=counted), DONE]
    async with (
        proxied(tmp_path, Script(wire)) as (client, _, _, _),
        client.chat.completions.stream(**ASK) as stream,
    ):
        final = await stream.get_final_completion()
    assert final.usage
    assert final.usage.total_tokens == 10


def test_the_synchronous_client_works_too(tmp_path: Path) -> None:
    """create, create(stream=True) and .stream() of the synchronous SDK work against the demo model."""
    with (
        serving(tmp_path) as (root, _),
        openai.OpenAI(base_url=f"{root}/v1", api_key="any", max_retries=0) as client,
    ):
        ask = {"model": "demo", "messages": [{"role": "user", "content": f"verify: {TEXT}"}]}
        assert client.chat.completions.create(**ask).choices[0].message.content == TEXT
        with client.chat.completions.create(**ask, stream=True) as stream:
            assert "".join(c.choices[0].delta.content or "" for c in stream) == TEXT
        with client.chat.completions.stream(**ask) as helper:
            assert helper.get_final_completion().choices[0].message.content == TEXT


async def test_n_choices_each_have_a_report(tmp_path: Path) -> None:
    """With n=2 each choice is judged for itself, streamed and not."""
    wire = [chunk("It is true.", index=0), chunk("It is wrong.", index=1)]
    wire += [chunk(index=i, finish="stop") for i in (0, 1)] + [DONE]
    async with proxied(tmp_path, Script(wire)) as (client, _, _, _):
        _, chunks = await text_of(await client.chat.completions.create(**ASK, n=2, stream=True))
        found = {
            c.choices[0].index: c.guardrail["outcome"]
            for c in chunks
            if getattr(c.choices[0].delta, "guardrail", None)
        }
        assert found == {0: "clean", 1: "flagged"}
    async with proxied(tmp_path, Script([completion("It is true.", "It is wrong.")], headers=JSON)) as (
        client,
        _,
        _,
        _,
    ):
        answer = await client.chat.completions.create(**ASK, n=2)
        assert [c.message.guardrail["outcome"] for c in answer.choices] == ["clean", "flagged"]
        assert answer.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]


@pytest.mark.parametrize("preset", PRESETS)
async def test_stream_and_whole_answer_end_the_same_under_every_preset(tmp_path: Path, preset: str) -> None:
    """For each preset the streamed text, report and action are those of the whole answer."""

    def script(request):
        streamed = request.json.get("stream")
        return Script(spoken(TEXT)) if streamed else Script([completion(TEXT)], headers=JSON)

    async with proxied(tmp_path, script, policy=preset) as (client, _, services, _):
        whole = (await client.chat.completions.create(**ASK)).choices[0].message.content
        streamed, _ = await text_of(await client.chat.completions.create(**ASK, stream=True))
        first, second = (r for r in services.log.list(limit=10))
    if preset != "block":  # hold shows the sentences before the blocked one
        assert streamed == whole
    assert (first.action, first.outcome, first.flagged) == (second.action, second.outcome, second.flagged)
    assert (whole == TEXT) is (preset in ("shadow", "annotate"))


async def test_a_request_may_choose_an_allowed_policy(tmp_path: Path) -> None:
    """`x-guardrail-policy` and the body's `guardrail.policy` choose; an unknown name is a 400 that lists the allowed ones."""
    async with proxied(tmp_path, Script(spoken("It is wrong."))) as (client, model, _, _):
        stream = await client.chat.completions.create(
            **ASK, stream=True, extra_headers={"x-guardrail-policy": "revise"}
        )
        assert (await text_of(stream))[0] == "It is right."
        stream = await client.chat.completions.create(
            **ASK, stream=True, extra_body={"guardrail": {"policy": "revise"}}
        )
        assert (await text_of(stream))[0] == "It is right."
        assert "guardrail" not in model.requests[-1].json
        with pytest.raises(openai.BadRequestError, match="annotate, attach") as caught:
            await client.chat.completions.create(**ASK, extra_headers={"x-guardrail-policy": "none"})
        assert caught.value.code == "unknown_policy"


async def test_the_request_reaches_the_upstream_unchanged(tmp_path: Path) -> None:
    """Unknown fields, number formats and the client's Authorization go through; our own headers and field do not."""
    raw = b'{"model": "m", "messages": [], "x_new": {"a": 1.0, "b": [1e3, 12345678901234567890123]}, "z":"\\u00e9"}'
    async with (
        proxied(tmp_path, Script([completion("Hi")], headers=JSON)) as (_, model, _, root),
        aiohttp.ClientSession() as http,
    ):
        headers = {
            "authorization": "Bearer sk-mine",
            "content-type": "application/json",
            "x-guardrail-policy": "annotate",
            "x-other": "1",
        }
        await http.post(f"{root}/v1/chat/completions?api-version=7", data=raw, headers=headers)
    (request,) = model.requests
    assert request.body == raw
    assert request.path == "/v1/chat/completions?api-version=7"
    assert request.headers["authorization"] == "Bearer sk-mine"
    assert request.headers["x-other"] == "1"
    assert "x-guardrail-policy" not in request.headers


async def test_question_and_references_reach_the_verifier(tmp_path: Path) -> None:
    """The user's last words are the question; `guardrail.references` and `triplets` are evidence, not sent upstream."""
    verifier = FakeVerifier()
    async with proxied(tmp_path, Script([completion("Hi there.")], headers=JSON), verifier=verifier) as (
        client,
        model,
        _,
        _,
    ):
        given = {"references": ["a text"], "triplets": [["s", "p", "o"]], "sources": ["request"]}
        await client.chat.completions.create(**ASK, extra_body={"guardrail": given})
        (session,) = verifier.sessions
        assert session.given["question"] == "What is it?"
        assert session.given["references"][0].text == "a text"  # type: ignore[index]
        assert session.given["triplets"][0].predicate.label == "p"  # type: ignore[index]
        assert model.requests[0].json == ASK
        with pytest.raises(openai.BadRequestError, match=r"references\[0\]"):
            await client.chat.completions.create(**ASK, extra_body={"guardrail": {"references": [5]}})
        with pytest.raises(openai.BadRequestError, match="must be an object"):
            await client.chat.completions.create(**ASK, extra_body={"guardrail": 5})


async def test_off_passes_bytes_through_and_says_not_checked(tmp_path: Path) -> None:
    """Without a policy the answer is the upstream's, byte for byte, and the header never claims that it is clean."""
    wire = b"".join(spoken(TEXT)) + b": bye\r\n\r\n"
    async with (
        proxied(tmp_path, Script([wire]), policy="off") as (_, _, _, root),
        aiohttp.ClientSession() as http,
    ):
        response = await http.post(f"{root}/v1/chat/completions", json={**ASK, "stream": True})
        assert await response.read() == wire
        assert response.headers["x-guardrail-outcome"] == "not_checked"


# ── bad input ─────────────────────────────────────────────────────────────────────────────────────────


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
        with pytest.raises(openai.APIError, match="no JSON"):
            await collect(await client.chat.completions.create(**ASK, stream=True), [])
        assert "no JSON" in services.log.list()[0].error


async def test_a_whole_answer_that_is_no_json_is_a_502(tmp_path: Path) -> None:
    """Garbage with a JSON content type is refused with an error of ours, not a stack trace."""
    async with proxied(tmp_path, Script([b"<html>"], headers=JSON)) as (client, _, services, _):
        with pytest.raises(openai.InternalServerError, match="no JSON object") as caught:
            await client.chat.completions.create(**ASK)
        assert caught.value.status_code == 502
        assert len(services.log.list()) == 1


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
    async with proxied(tmp_path, Script([chunk("Hi"), 0.5, chunk(finish="stop"), DONE]), max_answers=1) as (
        client,
        _,
        _,
        _,
    ):
        first = await client.chat.completions.create(**ASK, stream=True)
        with pytest.raises(openai.RateLimitError) as caught:
            await client.chat.completions.create(**ASK, stream=True)
        assert caught.value.response.headers["retry-after"] == "1"
        assert (await text_of(first))[0] == "Hi"
        await asyncio.sleep(0.05)
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
